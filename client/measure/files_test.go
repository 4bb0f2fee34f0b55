package measure_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"flashdex/client/looptest"
	"flashdex/client/measure"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// Each record size writes and reads whole files of each size, through the page cache and past it. Every byte passes the
// device: no read is answered from memory.
func TestFilesAreWrittenAndReadAsAWhole(t *testing.T) {
	t.Parallel()
	disk := looptest.Mount(t, 64*mib, "")
	run := runOn(t, disk.Dir)
	run.Plan = measure.Files(1 << 30)
	run.Plan.Look = 0
	run.Plan.Steps = slices.Clone(run.Plan.Steps)
	for i := range run.Plan.Steps {
		run.Plan.Steps[i].Limit = 3 * time.Millisecond
	}
	tests, spoilers, err := run.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for record := 512; record <= 128<<10; record *= 2 {
		for _, name := range []string{"buffered-write", "buffered-read", "seq-write", "seq-read"} {
			want = append(want, fmt.Sprint(name, " ", record))
		}
	}
	if diff := cmp.Diff(want, named(tests)); diff != "" {
		t.Errorf("(-want +got):\n%s%v", diff, run.Notes)
	}
	for _, test := range tests {
		if direct := test.Name == result.SeqWrite || test.Name == result.SeqRead; test.Direct != direct {
			t.Errorf("%s: direct %v", test.Name, test.Direct)
		}
		var sizes []int64
		for _, v := range test.Intervals {
			sizes = append(sizes, v.FileBytes>>10)
			if files := v.Bytes / v.FileBytes; v.Ops != files*((v.FileBytes+test.BlockBytes-1)/test.BlockBytes) {
				t.Errorf("%s %d: %d records for %d files of %d bytes", test.Name, test.BlockBytes, v.Ops, files, v.FileBytes)
			}
		}
		if diff := cmp.Diff([]int64{100, 250, 500}, sizes); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.Name, diff)
		}
		if test.DeviceBytes < test.Bytes {
			t.Errorf("%s %d: the device moved %d bytes of %d", test.Name, test.BlockBytes, test.DeviceBytes, test.Bytes)
		}
	}
	doc := mustBeValid(t, run.Plan, run.Target, tests, spoilers)
	if !result.NeverRanked(doc.Method) {
		t.Errorf("%s is ranked", doc.Method)
	}
	mustBeEmpty(t, disk.Dir)
	if p := measure.Files(1 << 30); p.WriteBytes() != 18*101*850<<10 {
		t.Errorf("it says that it writes %d bytes", p.WriteBytes())
	}
}
