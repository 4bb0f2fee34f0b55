// Package verify finds out how much of a module is real: it writes numbered sectors and reads them past every cache.
package verify

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
)

// SectorBytes is the smallest unit of any block device. We number sectors of this size.
const SectorBytes = 512

// A sector is, in little-endian order:
//
//	0    8  magic
//	8    8  run
//	16   8  number of the sector
//	24   4  CRC-32C of all the rest
//	28   4  zero
//	32  480  pseudo-random filling
//
// The filling follows from run and number. So a module can't compress it, or store it once for many sectors, unless it
// was made to compute this very filling.
const (
	magic         = "flashdx1"
	runAt         = 8
	numberAt      = 16
	checksumAt    = 24
	afterChecksum = 28
	fillingAt     = 32
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Build fills p with the sectors of a run from number first on.
func Build(p []byte, run uint64, first int64) {
	for number := first; len(p) > 0; number++ {
		sector := p[:SectorBytes]
		p = p[SectorBytes:]
		copy(sector, magic)
		binary.LittleEndian.PutUint64(sector[runAt:], run)
		binary.LittleEndian.PutUint64(sector[numberAt:], uint64(number))
		binary.LittleEndian.PutUint32(sector[afterChecksum:], 0)
		// Marsaglia's xorshift64 (Journal of Statistical Software 8/14, 2003) needs no multiplication, since that is
		// slow on a 32-bit processor. Its state must not be 0.
		x := scramble(run^scramble(uint64(number))) | 1
		for at := fillingAt; at < SectorBytes; at += 8 {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			binary.LittleEndian.PutUint64(sector[at:], x)
		}
		binary.LittleEndian.PutUint32(sector[checksumAt:], checksum(sector))
	}
}

// scramble makes neighbouring numbers unlike each other. It is the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA
// 2014).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func checksum(sector []byte) uint32 {
	return crc32.Update(crc32.Checksum(sector[:checksumAt], castagnoli), castagnoli, sector[afterChecksum:])
}

// State is the state of a sector that was read back.
type State int

// The states of a sector.
const (
	Good      State = iota // holds the data that were written
	Elsewhere              // holds the data of another address of this run
	Old                    // holds the data of an earlier run
	Blank                  // one byte repeated, as from a module that stored nothing
	Damaged                // holds the data that were written, with changed bits
	Foreign                // anything else
	Unreadable
	Unwritten // the module refused the write
	states
)

// Classify returns the state of a sector that was read where run wrote number.
func Classify(sector []byte, run uint64, number int64) State {
	if bytes.Count(sector, sector[:1]) == len(sector) {
		return Blank
	}
	ours := string(sector[:runAt]) == magic
	itsRun := binary.LittleEndian.Uint64(sector[runAt:])
	itsNumber := Number(sector)
	switch intact := binary.LittleEndian.Uint32(sector[checksumAt:]) == checksum(sector); {
	case ours && intact && itsRun == run && itsNumber == number:
		return Good
	case ours && intact && itsRun == run:
		return Elsewhere
	case ours && intact:
		return Old
	}
	var want [SectorBytes]byte
	Build(want[:], run, number)
	same := 0
	for i, b := range sector {
		if b == want[i] {
			same++
		}
	}
	// Unrelated data share few bytes: 2 of 480 by chance, and the constant part of the header.
	if same > SectorBytes/2 {
		return Damaged
	}
	return Foreign
}

// Number returns the number that an intact sector holds.
func Number(sector []byte) int64 { return int64(binary.LittleEndian.Uint64(sector[numberAt:])) }

// Tally counts sectors by state.
type Tally [states]int64

// Bad is the number of sectors that are not Good.
func (t Tally) Bad() int64 {
	var sum int64
	for _, n := range t[Good+1:] {
		sum += n
	}
	return sum
}

// examine classifies the sectors in p, which were read from where run wrote number first and the numbers after it. It
// returns the number of the first bad sector, or -1. want is memory of the size of p.
func (t *Tally) examine(p, want []byte, run uint64, first int64) (firstBad int64) {
	Build(want, run, first)
	if bytes.Equal(p, want) {
		t[Good] += int64(len(p) / SectorBytes)
		return -1
	}
	firstBad = -1
	for at := 0; at < len(p); at += SectorBytes {
		number := first + int64(at/SectorBytes)
		state := Classify(p[at:at+SectorBytes], run, number)
		t[state]++
		if state != Good && firstBad < 0 {
			firstBad = number
		}
	}
	return firstBad
}
