package verify

import (
	"strings"
	"syscall"
	"testing"
)

func TestWords(t *testing.T) {
	t.Parallel()
	tally := func(good, bad int64, state State) (t Tally) {
		t[Good] = good * 1e9 / SectorBytes
		t[state] += bad * 1e9 / SectorBytes
		return t
	}
	read := func(good, bad int64, state State) Content {
		return Content{WrittenBytes: 29e9, ReadBytes: 29e9, Sectors: tally(good, bad, state), FirstBad: 7e9}
	}
	claimed := func(kind Kind, realBytes, bad int64) Capacity {
		return Capacity{ClaimedBytes: 32e9, RealBytes: realBytes, Kind: kind, Blocks: 70000, BadBlocks: bad}
	}
	loses := claimed(Failing, 9e9, 9000)
	loses.LostBlocks = 9000
	oneBlock := Content{WrittenBytes: 29e9, ReadBytes: 29e9, FirstBad: 7e9}
	oneBlock.Sectors[Good], oneBlock.Sectors[Blank] = 29e9/SectorBytes-8, 8
	stopped, gaveUp := read(19, 1, Blank), read(20, 0, Good)
	stopped.ReadBytes, gaveUp.ReadBytes, gaveUp.Stopped = 20e9, 20e9, true
	stopped.DeviceBytes = 64e9
	for want, said := range map[string]interface{ Words() string }{
		"All 29.0 GB that were written and read back hold what was written.":                   read(29, 0, Good),
		"Of 29.0 GB that were written and read back, only 7.0 GB hold what was written":        read(7, 22, Blank),
		"22.0 GB came back with the data of another address":                                   read(7, 22, Elsewhere),
		"points to a module that wears out":                                                    read(28, 1, Unreadable),
		"1.0 GB came back empty or with something else: what is written there is lost. Some f": read(28, 1, Blank),
		"1.0 GB came back with the data of another address. Some fakes do so":                  read(28, 1, Elsewhere),
		"2.0 GB could not be read. Some fakes do so":                                           read(27, 2, Unreadable),
		"read back, 4096 bytes don't hold what was written; the first bad sector is number 13671875.\n4096 bytes came " +
			"back empty or with something else: what is written there is lost. That points to a module that w": oneBlock,
		"1.0 GB came back empty or with something else: what is written there is lost. Some": stopped,
		"9.0 GB were not read back: the module failed or hung for more than 10 minutes":      gaveUp,
		"After 3.0 GB the module refused to be written to (input/output error). Some fakes do so": Content{
			WrittenBytes: 3e9, ReadBytes: 3e9, Sectors: tally(3, 0, Good), FirstBad: -1, WriteError: syscall.EIO},
		"Nothing was read back": Content{WrittenBytes: 3e9, FirstBad: -1},
		"32.0 GB claimed, 7.9 GB real: what is written beyond that is lost.":                   claimed(Limited, 7.9e9, 9),
		"32.0 GB claimed, 7.9 GB real: what is written beyond that overwrites the beginning":   claimed(Wrapped, 7.9e9, 9),
		"32.0 GB claimed, and only the first 512.0 MB are sure: of what is written beyond":     claimed(Chained, 512e6, 9),
		"32.0 GB claimed, and only the first 4096 bytes are sure":                              claimed(Chained, 4096, 9),
		"32.0 GB claimed, and nothing contradicts it: all 70000 blocks":                        claimed(Genuine, 32e9, 0),
		"32.0 GB claimed, but from 7.9 GB on it refuses":                                       claimed(Refused, 7.9e9, 9),
		"can't tell whether or where the module ends: 70000 blocks were read back, and 9 of":   claimed(Stopped, 32e9, 9),
		"2 of 70000 blocks that were tested are bad, the first at 9.0 GB. That points to a":    claimed(Failing, 9e9, 2),
		"9000 of 70000 blocks that were tested are bad, the first at 9.0 GB. Some fakes do so": loses,
	} {
		words := said.Words()
		if !strings.Contains(words, want) {
			t.Errorf("%q isn't in %q", want, words)
		}
		if strings.Contains(words, "partition") != strings.Contains(words, " real: ") {
			t.Errorf("a partition can't avoid what lies where: %q", words)
		}
		// A sign is never called more than a sign, and what contradicts nothing is no reason to give a module back.
		if fine := strings.Contains(words, "sign of a fake"); fine != strings.Contains(words, "return it to the seller") {
			t.Errorf("%q", words)
		}
	}
}
