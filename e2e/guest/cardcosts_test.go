package guest

import (
	"os/exec"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestCardCosts writes to a card with QEMU's own NBD client and compares the cost of each block with the model.
func TestCardCosts(t *testing.T) {
	t.Parallel()
	const hit, merge, collect = 2 * time.Millisecond, 5 * time.Millisecond, 20 * time.Millisecond
	const linear = 102400 * time.Nanosecond // 4 KiB at 40 MB/s
	for _, c := range []struct {
		name     string
		model    cardModel
		commands []string
		want     []time.Duration
	}{
		{"steady", steadyCard(200),
			[]string{"write 0 4k", "write 64k 4k", "write 32k 4k"}, []time.Duration{merge, merge, merge}},
		{"linear", steadyCard(200),
			[]string{"write 0 12k", "write 12k 4k"}, []time.Duration{merge, linear, linear, linear}},
		{"pieces of a block cost once", steadyCard(200),
			[]string{"write 4k 512", "write 4608 512", "write 5k 3k"}, []time.Duration{merge}},
		{"two units stay open, the least recent is closed", cardModel{Open: 2, Hit: hit, Merge: merge},
			[]string{"write 0 4k", "write 8M 4k", "write 64k 4k", "write 16M 4k", "write 128k 4k", "write 9M 4k"},
			[]time.Duration{merge, merge, hit, merge, hit, merge}},
		{"every third collects garbage", cardModel{Merge: merge, GCEvery: 3, GC: collect},
			[]string{"write 0 4k", "write 8k 4k", "write 16k 4k", "write 24k 4k"},
			[]time.Duration{merge, merge, merge + collect, merge}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			card, address := insertCard(t, "", 64<<20, c.model, nil)
			qemuIO(t, address, c.commands...)
			var got []time.Duration
			var total time.Duration
			for _, w := range card.Writes() {
				got = append(got, w.Cost)
				total += w.Cost
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("costs (-want +got):\n%s", diff)
			}
			// pay doesn't wait for less than half a millisecond.
			if w := card.Writes(); w[len(w)-1].Done < total-time.Millisecond {
				t.Errorf("writes that cost %v were done after %v", total, w[len(w)-1].Done)
			}
		})
	}
}

// TestCardKeepsData writes data and reads them back.
func TestCardKeepsData(t *testing.T) {
	t.Parallel()
	_, address := insertCard(t, "", 64<<20, cardModel{}, nil)
	qemuIO(t, address, "write -P 90 12345 70000", "flush", "read -P 90 12345 70000",
		"read -P 0 0 12345", "read -P 0 82345 512")
}

func qemuIO(t *testing.T, address string, commands ...string) {
	t.Helper()
	if _, err := exec.LookPath("qemu-io"); err != nil {
		t.Skipf("%v (make tools, as root on Debian)", err)
	}
	args := []string{"-f", "raw", "-t", "none"}
	for _, c := range commands {
		args = append(args, "-c", c)
	}
	output, err := exec.Command("qemu-io", append(args, "nbd+unix:///?socket="+address)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}
