package guest

import (
	"strings"
	"testing"
	"time"

	"flashdex/result"
)

// log returns the log of a module with 10 ms a write. A linear pass over 1,000 blocks comes first; the file system
// interrupts it, twice for long. Then come ops random writes to these blocks. After each tenth of them, the file system
// writes.
func log(ops int) []cardWrite {
	var writes []cardWrite
	var now time.Duration
	add := func(block int64, sequential bool, cost time.Duration) {
		now += cost
		writes = append(writes, cardWrite{Block: block, Sequential: sequential, Cost: cost, Done: now})
	}
	add(7, false, time.Second)
	for block := range int64(1000) {
		if block%100 == 50 { // the file system writes its tables meanwhile
			add(3, false, 0)
			add(4, true, 0)
		}
		if block == 420 || block == 480 {
			for other := range int64(between + 4) {
				add(9000+2*other, false, 0)
			}
		}
		add(5000+block, block > 0 && block%100 != 50, 100*time.Microsecond)
	}
	for op := range int64(ops) {
		add(5000+op*37%1000, false, 10*time.Millisecond)
		if op%10 == 9 {
			add(9, false, 0)
		}
	}
	return writes
}

// TestDelivered finds the client's operations, and no others, in a module's log.
func TestDelivered(t *testing.T) {
	t.Parallel()
	is, err := delivered(log(900), 100)
	about100 := func(iops float64) bool { return iops > 99.99 && iops < 100.01 }
	if err != nil || is.ops != 800 || !about100(is.iops) || !about100(is.modelIOPS) {
		t.Errorf("%+v, %v; want 800 operations at 100 IOPS", is, err)
	}
	if is, err := delivered(log(100), 100); err == nil {
		t.Errorf("a log without counted writes gave %+v", is)
	}
}

// TestWrongFigureFails feeds wrong figures to the comparison.
func TestWrongFigureFails(t *testing.T) {
	t.Parallel()
	is := truth{ops: 800, iops: 100}
	for _, c := range []struct {
		name string
		ops  int64
		ms   int64 // reported for an operation, in hundredths of a millisecond
		own  int64 // and between two of them, in the same unit
		want string
	}{
		{"true", 800, 1000, 0, ""},
		{"within the bound", 800, 1008, 0, ""},
		{"too slow", 800, 1040, 0, "-3.8 %"},
		{"too fast", 800, 960, 0, "+4.2 %"},
		{"own time is told", 800, 960, 40, ""},
		{"more own time than there was", 800, 960, 60, "-2.0 %"},
		{"an operation that never reached the module", 801, 1000, 0, "801 operations, the module 800"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			test := result.Test{Name: result.RandWrite, Ops: c.ops, DurationNS: 800 * c.ms * 10_000,
				OverheadNS: 800 * c.own * 10_000}
			for range 20 {
				test.Batches = append(test.Batches, result.Batch{Ops: 40, NS: 40 * c.ms * 10_000})
			}
			percent, err := is.errorPercent(&test)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%+.1f %%, %v; want %q", percent, err, c.want)
			}
		})
	}
}
