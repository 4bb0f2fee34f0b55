package guest

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"flashdex/api/submission/plausible"
	"flashdex/result"
)

var long = flag.Bool("long", false, "run every guest, which takes half an hour and more")

// truth is the module's record of the operations that the client counted.
type truth struct {
	ops       int64
	modelIOPS float64 // by the model's costs alone
	iops      float64 // by the module's clock: what left it
}

// stretch is the least number of blocks in a row that only the linear pass writes. Meanwhile, the file system may write
// up to between blocks of its own. The slower the computer, the more often it does.
const stretch, between = 128, 16

// linear finds the blocks that linear passes wrote, and where in the log the last pass ended.
func linear(writes []cardWrite) (area map[int64]bool, end int) {
	type row struct{ blocks, last int64 } // how many, and where in the log the last was written
	area = map[int64]bool{}
	rows := map[int64]row{}    // by the block that comes next
	written := map[int64]int{} // where in the log a block was first written
	for i, w := range writes {
		if _, ok := written[w.Block]; !ok {
			written[w.Block] = i
		}
		r := rows[w.Block]
		delete(rows, w.Block)
		if int64(i)-r.last > between {
			r.blocks = 0
		}
		r = row{r.blocks + 1, int64(i)}
		rows[w.Block+1] = r
		if r.blocks < stretch {
			continue
		}
		first := w.Block
		if r.blocks == stretch {
			first -= stretch - 1
		}
		for block := first; block <= w.Block; block++ {
			area[block] = true
		}
		end = i + 1
	}
	// If the pass was interrupted for long, and soon again, a short piece between two of its blocks is the pass's, too.
	blocks := slices.Sorted(maps.Keys(area))
	for i := 1; i < len(blocks); i++ {
		first, past := blocks[i-1]+1, blocks[i]
		isPass := past-first < 2*stretch
		for block := first; isPass && block < past; block++ {
			at, ok := written[block]
			isPass = ok && at < end
		}
		for block := first; isPass && block < past; block++ {
			area[block] = true
		}
	}
	return area, end
}

// delivered finds the client's random writes in the module's log. They are the writes to the linear pass's blocks after
// that pass. The first warmup of them don't count.
func delivered(writes []cardWrite, warmup int64) (truth, error) {
	area, end := linear(writes)
	return deliveredTo(area, writes[end:], warmup)
}

// deliveredTo counts the writes to the area, without the first warmup.
func deliveredTo(area map[int64]bool, writes []cardWrite, warmup int64) (truth, error) {
	var random []cardWrite
	for _, w := range writes {
		if area[w.Block] {
			random = append(random, w)
		}
	}
	if warmup < 1 || int64(len(random)) <= warmup {
		return truth{}, errors.New("the module saw no random writes but those of the warm-up")
	}
	counted := random[warmup:]
	var cost time.Duration
	for _, w := range counted {
		cost += w.Cost
	}
	ops := float64(len(counted))
	return truth{
		ops: int64(len(counted)), modelIOPS: ops / cost.Seconds(),
		iops: ops / (counted[len(counted)-1].Done - random[warmup-1].Done).Seconds(),
	}, nil
}

// A reported figure may differ from the rate that the module delivered by boundPercent, and by the client's own time
// between operations, which it reports: on a busy computer that is more.
const boundPercent = 1.0

// errorPercent compares the client's report with the truth; err says why it is wrong.
func (is truth) errorPercent(t *result.Test) (percent float64, err error) {
	figures := t.Figures()
	if figures.IOPS == nil {
		return 0, errors.New("no IOPS were reported")
	}
	percent = 100 * (*figures.IOPS/is.iops - 1)
	if is.ops != t.Ops {
		return percent, fmt.Errorf("the client counted %d operations, the module %d", t.Ops, is.ops)
	}
	without := 100 * (*figures.IOPS*(1-figures.OverheadShare)/is.iops - 1)
	if math.Abs(without) > boundPercent {
		return percent, fmt.Errorf("reported %.2f IOPS and %.1f %% of the time between operations, but the module "+
			"delivered %.2f: %+.1f %%", *figures.IOPS, 100*figures.OverheadShare, is.iops, without)
	}
	return percent, nil
}

// table collects a line of every case.
type table struct {
	mu    sync.Mutex
	lines []string
}

func (tb *table) add(format string, values ...any) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.lines = append(tb.lines, fmt.Sprintf(format, values...))
}

const heading = "module                                  |   model | delivered | reported |  error | " +
	"95 % interval     | KiB/op | overhead | memory  | ended     | took"

// caseName returns the name of the innermost subtest, with spaces.
func caseName(t *testing.T) string {
	return strings.ReplaceAll(t.Name()[strings.LastIndex(t.Name(), "/")+1:], "_", " ")
}

// hold measures and adds a line to the table. The test fails when the client is wrong.
func (tr trial) hold(t *testing.T, profile string, tb *table) outcome {
	start := time.Now()
	got := tr.measure(t, profile)
	test := got.doc.Test(result.RandWrite)
	is, err := delivered(got.writes, test.WarmupOps)
	if err != nil {
		t.Fatal(err)
	}
	percent, wrong := is.errorPercent(test)
	f := test.Figures()
	model, interval := "      -", "none"
	if tr.throttleIOPS > 0 {
		is.modelIOPS = float64(tr.throttleIOPS)
	}
	if !math.IsInf(is.modelIOPS, 0) {
		model = fmt.Sprintf("%7.2f", is.modelIOPS)
	}
	if f.IOPSLow != nil {
		interval = fmt.Sprintf("%.2f to %.2f", *f.IOPSLow, *f.IOPSHigh)
	}
	line := fmt.Sprintf("%-39s | %s | %9.2f | %8.2f | %+5.2f%% | %-17s | %6.2f | %7.2f%% | %4.1f MB | %-9s | %s",
		caseName(t), model, is.iops, *f.IOPS, percent, interval, *f.KiBPerOp, 100*f.OverheadShare,
		float64(got.peakBytes)/1e6, test.Ended, time.Since(start).Round(time.Second))
	tb.add("%s", line)
	t.Logf("\n%s\n%s", heading, line)
	if wrong != nil {
		t.Error(wrong)
	}
	if got.peakBytes > peakBound {
		t.Errorf("the client took %d bytes of memory, want at most %d", got.peakBytes, peakBound)
	}
	if found := plausible.Check(got.doc); found != nil {
		t.Errorf("the server would not take it as it is: %+v", found)
	}
	return got
}

// cheap is a card that keeps two allocation units open; almost every random write is a merge.
var cheap = cardModel{
	Open: 2, Hit: 2 * time.Millisecond, Merge: 150 * time.Millisecond, WriteMBPerS: 20, ReadMBPerS: 40,
}

// collecting is a card that is quick for a hundred writes, and then collects garbage for a while.
var collecting = cardModel{
	Open: 1 << 20, Hit: 4 * time.Millisecond, Merge: 4 * time.Millisecond,
	GCEvery: 100, GC: 200 * time.Millisecond, WriteMBPerS: 20, ReadMBPerS: 40,
}

// TestTruthInAMinute is one case of TestTruth, with the quick profile.
func TestTruthInAMinute(t *testing.T) {
	t.Parallel()
	got := trial{bus: sd, filesystem: "vfat", model: steadyCard(20)}.hold(t, result.ProfileQuick, &table{})
	checkPayload(t, got, "Standard PC (i440FX + PIIX, 1996)", sd.platform)
}

// TestTruth compares the client's figures with modules whose speed is known.
func TestTruth(t *testing.T) {
	if !*long {
		t.Skip("takes half an hour: make test-long")
	}
	type named struct {
		name string
		trial
		board string // the name that the client must give; "" where no card slot shows the whole payload
	}
	var cases []named
	for _, b := range []bus{sd, usb, cf} {
		for _, iops := range []float64{1, 5, 20, 100} {
			name := fmt.Sprintf("%s, %g IOPS", b.name, iops)
			cases = append(cases, named{name, trial{bus: b, filesystem: "vfat", model: steadyCard(iops)}, ""})
		}
	}
	cases = append(cases,
		named{"SD, 20 IOPS, ext4", trial{bus: sd, filesystem: "ext4", model: steadyCard(20)}, ""},
		named{"USB, 100 IOPS, ext4, by QEMU", trial{bus: usb, filesystem: "ext4", throttleIOPS: 100}, ""},
		named{"virtio, 500 IOPS, ext4, by QEMU", trial{bus: virtio, filesystem: "ext4", throttleIOPS: 500}, ""},
		named{"SD, allocation units and merges", trial{bus: sd, filesystem: "vfat", model: cheap}, ""},
		named{"SD, garbage collection", trial{bus: sd, filesystem: "vfat", model: collecting}, ""},
		named{"Raspberry Pi 2B, 20 IOPS", trial{bus: raspi2b, filesystem: "vfat", model: steadyCard(20)},
			"Raspberry Pi 2 Model B"},
		named{"Raspberry Pi 3B, 20 IOPS", trial{bus: raspi3b, filesystem: "vfat", model: steadyCard(20)},
			"Raspberry Pi 3 Model B"},
	)
	var tb table
	t.Run("guests", func(t *testing.T) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				got := c.hold(t, result.ProfileStandard, &tb)
				if c.board != "" {
					checkPayload(t, got, c.board, c.platform)
				}
			})
		}
	})
	t.Logf("\n%s\n%s", heading, strings.Join(tb.lines, "\n"))
}
