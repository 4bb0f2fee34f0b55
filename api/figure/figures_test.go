package figure_test

import (
	"testing"

	"flashdex/api/figure"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// Modules are compared by 4 KiB and 1 MiB alone, whatever other sizes a run tried, and never by a rewrite.
func TestFiguresOfManyBlockSizes(t *testing.T) {
	t.Parallel()
	iops := func(v float64) *float64 { return &v }
	got := figure.OfRun([]result.Figures{
		{Test: result.RandWrite, BlockBytes: 512, IOPS: iops(1)}, {Test: result.RandWrite, BlockBytes: 4096, IOPS: iops(2)},
		{Test: result.RandWrite, BlockBytes: 1 << 20, IOPS: iops(3)},
		{Test: result.RandRead, BlockBytes: 8192, IOPS: iops(4)},
		{Test: result.SeqWrite, BlockBytes: 4096, MBPerS: 5}, {Test: result.SeqWrite, BlockBytes: 1 << 20, MBPerS: 6},
		{Test: result.SeqWrite, BlockBytes: 2 << 20, MBPerS: 7}, {Test: result.SeqRewrite, BlockBytes: 1 << 20, MBPerS: 8},
		{Test: result.SeqReread, BlockBytes: 1 << 20, MBPerS: 9},
	})
	want := figure.Set{figure.RandWriteIOPS: {Value: 2}, figure.SeqWriteMBPerS: {Value: 6}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
