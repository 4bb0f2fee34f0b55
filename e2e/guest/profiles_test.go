package guest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"flashdex/api/submission/plausible"
	"flashdex/result"
	"flashdex/result/schema"
)

// document reads the result that a job has left.
func document(t *testing.T, files map[string][]byte) *result.Document {
	t.Helper()
	succeeded(t, files)
	doc, err := schema.Read(files["result.json"])
	if err != nil {
		t.Fatalf("%v\n%s", err, files["said"])
	}
	if found := plausible.Check(doc); found != nil {
		t.Errorf("the server would not take it as it is: %+v", found)
	}
	t.Logf("%s", files["table"])
	return doc
}

// whileRunning holds functions for a job that interrupts the client.
const whileRunning = `
export FLASHDEX_DIR="${FLASHDEX_DIR:-/tmp/results}"
out=${out:-/out} flashdex=${flashdex:-/flashdex}
# start ARGUMENTS... starts the client, and reach TEST waits until it is in that test.
start() { : >"$out/client"; "$flashdex" "$@" --no-upload >"$out/client" 2>&1 & client=$!; }
reach() { until grep -q "^$1" "$out/client"; do kill -0 "$client" 2>/dev/null || return; sleep 0.1; done; }
`

// quick is a card whose linear tests end soon. Without limits, a busy computer sometimes reads faster than the bus.
var quick = cardModel{WriteMBPerS: 100, ReadMBPerS: 200}

// TestReferenceGoesOn kills the client while it primes a module, and interrupts it in its random writes. The outcome is
// one run: the whole module was primed twice, and each block of the upper half was written once in a line and once at
// random. It runs on this computer, because an emulated one needs twenty minutes of a processor for so many operations.
func TestReferenceGoesOn(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("takes minutes: make test-long")
	}
	model := quick
	model.Hit, model.Merge = 500*time.Microsecond, 500*time.Microsecond
	files, writes := trial{model: model}.doHere(t, whileRunning+`
start --device "$device" --erase --yes --profile reference
reach priming || exit
kill -9 "$client"
wait "$client"
ls "$FLASHDEX_DIR" >"$out/list"
start resume
reach rand-write || exit
sleep 3
kill -INT "$client"
wait "$client"
echo "exit $?" >>"$out/client"
cp "$out/client" "$out/interrupted"
"$flashdex" resume --no-upload >"$out/table" 2>"$out/resumed" || exit
ls "$FLASHDEX_DIR" >"$out/left"
cp "$FLASHDEX_DIR"/*.json "$out/result.json"`)
	doc := document(t, files)
	for name, want := range map[string][]string{
		"list":        {".unfinished"},
		"interrupted": {"% of the priming", "stopped by Ctrl-C", "flashdex resume", "exit 130"},
		"resumed": {
			"100 % of the priming, seq-write, seq-read, seq-read 512 B, seq-rewrite, seq-write 512 B, " +
				"seq-write 4 KiB, seq-rewrite 4 KiB, rand-read", "operations of rand-write",
			" 4 KiB written per operation",
		},
	} {
		for _, text := range want {
			if !strings.Contains(string(files[name]), text) {
				t.Errorf("%s: %q isn't in %s", name, text, files[name])
			}
		}
	}
	if strings.Contains(string(files["left"]), ".unfinished") || doc.Resumed != 2 || doc.Target.Kind != "device" {
		t.Errorf("left %s, resumed %d times, %+v", files["left"], doc.Resumed, doc.Target)
	}
	const half = imageBytes / 2 / cardBlockBytes
	inLine, atRandom := map[int64]int{}, map[int64]int{}
	_, end := linear(writes)
	for i, w := range writes {
		if i < end && w.Sequential {
			inLine[w.Block]++
		} else if i >= end {
			atRandom[w.Block]++
		}
	}
	var twice int
	for block := range int64(imageBytes / cardBlockBytes) {
		// The first MiB holds the run's mark, and the pieces of a pass start again.
		if want := 2 + block/half; inLine[block] < int(want)-1 && block > 256 {
			t.Fatalf("block %d was written %d times in a line, want %d", block, inLine[block], want)
		}
		if n := atRandom[block]; (n > 0) != (block >= half) {
			t.Fatalf("block %d was written %d times at random", block, n)
		} else if n > 1 {
			twice++
		}
	}
	if twice > 1 { // the interrupted operation
		t.Errorf("%d blocks were written twice", twice)
	}
	for i := range doc.Tests {
		test := &doc.Tests[i]
		if test.BlockBytes != 512 && (test.Ended != result.Complete || test.Bytes != result.ReferenceAreaBytes) {
			t.Errorf("%s: %s, %d bytes", test.Name, test.Ended, test.Bytes)
		}
	}
	test := doc.Test(result.RandWrite)
	if f := test.Figures(); test.Sync != "sync" || *f.IOPS > 2000 || *f.KiBPerOp > 4.01 {
		t.Errorf("%s: %.0f IOPS of a card of 2,000, %.2f KiB per operation", test.Sync, *f.IOPS, *f.KiBPerOp)
	}
}

// TestReferenceOnExt4 lets the client make the method's file system. It is in the upper half, and afterwards it is
// mounted nowhere.
func TestReferenceOnExt4(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("takes minutes: make test-long")
	}
	const moduleBytes = 1280 << 20
	tr := trial{bus: scsi, model: quick, moduleBytes: moduleBytes, programs: []string{"mke2fs"}}
	files, writes := tr.run(t, whileRunning+`
start --device "$device" --erase --yes --profile reference --filesystem ext4
reach rand-read || exit
grep ext4 /proc/mounts >/out/mounts
[ -b "${device}1" ] || exit
kill -INT "$client"
wait "$client"
[ ! -e "${device}1" ] || exit
/flashdex resume --no-upload >/out/table 2>/out/resumed || exit
[ ! -e "${device}1" ] || exit
cp /tmp/results/*.json /out/result.json`)
	doc := document(t, files)
	if said := strings.TrimSpace(string(files["mounts"])); said != "" {
		t.Errorf("others see the mount: %s", said)
	}
	if doc.Target.Filesystem != "ext4" || doc.Target.Kind != "device" || doc.Resumed != 1 ||
		!strings.Contains(doc.Target.Mkfs, "-b 4096 -O ^has_journal -E stride=1,stripe_width=16") {
		t.Errorf("%+v, resumed %d times", doc.Target, doc.Resumed)
	}
	primed := slices.IndexFunc(writes, func(w cardWrite) bool { return w.Block == moduleBytes/cardBlockBytes-1 })
	lowest := int64(moduleBytes)
	for _, w := range writes[primed:][moduleBytes/cardBlockBytes:] {
		lowest = min(lowest, w.Block*cardBlockBytes)
	}
	if lowest < moduleBytes/2 {
		t.Errorf("after the priming something was written at %d", lowest)
	}
	// O_SYNC also writes the inode if its time has changed. The kernel's clock ticks 250 times a second. So on a module
	// that does more operations than that, some don't write the inode.
	f := doc.Test(result.RandWrite).Figures()
	if inodes := min(1, 250 / *f.IOPS); *f.KiBPerOp < 4+0.8*4*inodes {
		t.Errorf("%.2f KiB were written per operation at %.0f IOPS: that is not O_SYNC on ext4", *f.KiBPerOp, *f.IOPS)
	}
}

// TestIozoneOfACard compares the figures of the iozone profile with a card that takes 2 ms for each random write.
func TestIozoneOfACard(t *testing.T) {
	if !*long {
		t.Skip("takes minutes: make test-long")
	}
	t.Parallel()
	got := trial{bus: usb, filesystem: "vfat", model: steadyCard(500)}.measure(t, result.ProfileIozone)
	if found := plausible.Check(got.doc); found != nil {
		t.Errorf("the server would not take it as it is: %+v", found)
	}
	if len(got.doc.Tests) != 12 {
		t.Fatalf("%d tests, want iozone's twelve", len(got.doc.Tests))
	}
	for i := range got.doc.Tests {
		test := &got.doc.Tests[i]
		rate := test.Figures().MBPerS
		t.Logf("%-11s %7d B: %8.3f MB/s, %s", test.Name, test.BlockBytes, rate, test.Ended)
		most := 40.
		if test.Name == result.RandWrite {
			most = float64(test.BlockBytes) / 1e6 / (0.002 + float64(test.BlockBytes-cardBlockBytes)/40e6)
		}
		if test.AreaBytes != result.IozoneAreaBytes || test.Ended != result.Complete || rate > 1.02*most {
			t.Errorf("%s of %d bytes: %.3f MB/s where the card does %.3f, %s over %d bytes",
				test.Name, test.BlockBytes, rate, most, test.Ended, test.AreaBytes)
		}
	}
	var atRandom int
	for _, w := range got.writes {
		if !w.Sequential {
			atRandom++
		}
	}
	const blocks = result.IozoneAreaBytes / cardBlockBytes
	if atRandom < blocks-blocks/100 {
		t.Errorf("the card saw %d random writes, and each of %d blocks was to be written once", atRandom, blocks)
	}
}

// TestStartupFromACard starts a program ten times from a card that reads 5 MB a second, and never from memory.
func TestStartupFromACard(t *testing.T) {
	t.Parallel()
	const mbPerS = 5
	files, _ := trial{bus: usb, filesystem: "vfat", model: cardModel{ReadMBPerS: mbPerS}}.run(t, `
cp /bin/busybox /mnt/true && sync
FLASHDEX_DIR=/tmp/results /flashdex --profile startup --no-upload -- /mnt/true >/out/table || exit
cp /tmp/results/*.json /out/result.json`)
	doc := document(t, files)
	if len(doc.Tests) != 1 || doc.Target.Program != "true" || len(doc.Tests[0].Intervals) != 10 {
		t.Fatalf("%+v, %d tests", doc.Target, len(doc.Tests))
	}
	for i, start := range doc.Tests[0].Intervals {
		if start.Bytes < 128<<10 {
			t.Errorf("start %d read %d bytes", i+1, start.Bytes)
		}
		if least := float64(start.Bytes) / mbPerS / 1e6; float64(start.NS)/1e9 < 0.98*least {
			t.Errorf("start %d took %.3f s, and the card %.3f s to be read", i+1, float64(start.NS)/1e9, least)
		}
	}
	for _, text := range []string{"MEAN", "SPREAD", "READ EACH"} {
		if !strings.Contains(string(files["table"]), text) {
			t.Errorf("the table has no %s", text)
		}
	}
}

// TestSustainedOfACard compares the mean rate of minutes of writing with the card's own clock. It also compares both
// rates with the model: 5 MB and 8 MB a second, less the time of the emulated bus, which a busy computer doubles.
func TestSustainedOfACard(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("takes minutes: make test-long")
	}
	model := cardModel{WriteMBPerS: 5, ReadMBPerS: 8}
	got := trial{bus: usb, filesystem: "vfat", model: model}.measure(t, result.ProfileSustained)
	if found := plausible.Check(got.doc); found != nil {
		t.Errorf("the server would not take it as it is: %+v", found)
	}
	took := linearMBPerS(got.writes, got.doc.Test(result.SeqWrite).Bytes)
	for name, made := range map[string]float64{result.SeqWrite: 5, result.SeqRead: 8} {
		test := got.doc.Test(name)
		f := test.Figures()
		line := fmt.Sprintf("%s: %.3f MB/s of a card of %g, %d intervals, %s; it took %.3f MB/s of writes",
			name, f.MBPerS, made, len(test.Intervals), test.Ended, took)
		t.Log(line)
		if f.MBPerS > 1.01*made || f.MBPerS < 0.5*made || len(test.Intervals) < 60 || f.CVPercent == nil || f.CliffMB != nil {
			t.Error(line)
		}
		// The card also waits in the client's own time between operations.
		if name == result.SeqWrite && math.Abs(f.MBPerS*(1-f.OverheadShare)/took-1) > boundPercent/100 {
			t.Error(line)
		}
	}
}

// TestRecordingOnACard records on a card that writes 8 MB a second. It keeps up with 4 MB/s, and a block waits about as
// long as the card takes for it. With 10 and 30 MB/s, it writes as fast as it can until the time is over. The emulated
// bus takes a quarter of the time, and more on a busy machine, so both rates are far from the rate that gets through.
func TestRecordingOnACard(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("takes minutes: make test-long")
	}
	const mbPerS = 8.0
	model := cardModel{WriteMBPerS: mbPerS, ReadMBPerS: 8}
	got := trial{bus: usb, filesystem: "vfat", model: model}.measure(t, result.ProfileRecording)
	if found := plausible.Check(got.doc); found != nil {
		t.Errorf("the server would not take it as it is: %+v", found)
	}
	for _, recording := range result.Recordings {
		test := got.doc.Test(recording.Test)
		if test == nil {
			t.Fatalf("%s is missing", recording.Test)
		}
		behind := float64(result.SumIntervals(test.Intervals).BehindNS) / 1e9
		busy := float64(test.DurationNS) / float64(test.DurationNS+test.OverheadNS)
		rate := test.Figures().MBPerS
		line := fmt.Sprintf("%s: %s at %.3f MB/s, %.0f %% busy, %.2f s behind", test.Name, test.Ended, rate, 100*busy, behind)
		t.Log(line)
		if recording.MBPerS < mbPerS {
			// The time of the emulated bus adds to the card's 0.13 s for a block.
			if test.Ended != result.Complete || rate > 4 || busy < 4/mbPerS || behind < 1.048/mbPerS || behind > 5 {
				t.Error(line)
			}
			continue
		}
		// The last block is as late as the data that have not been written by the limit.
		late := float64(test.DurationNS+test.OverheadNS)/1e9 - float64(test.Bytes)/1e6/float64(recording.MBPerS)
		if test.Ended != result.TimeLimit || rate > 1.01*mbPerS || rate < 0.4*mbPerS || busy < 0.95 ||
			math.Abs(behind/late-1) > 0.02 {
			t.Errorf("%s; %.2f s of data were left", line, late)
		}
	}
}

// linearMBPerS returns the rate at which a module took the last bytes of its longest series of linear writes, by its
// own clock. A file system also writes in a line when it frees a large file, but only after the reads.
func linearMBPerS(writes []cardWrite, bytes int64) float64 {
	area, end := linear(writes)
	var longest, blocks []cardWrite
	for _, w := range writes[:end] {
		if !area[w.Block] {
			continue
		}
		if len(blocks) > 0 && w.Done-blocks[len(blocks)-1].Done > 10*time.Second {
			blocks = nil
		}
		if blocks = append(blocks, w); len(blocks) > len(longest) {
			longest = blocks
		}
	}
	longest = longest[max(0, int64(len(longest))-bytes/cardBlockBytes):]
	return float64(len(longest)-1) * cardBlockBytes / 1e6 / (longest[len(longest)-1].Done - longest[0].Done).Seconds()
}
