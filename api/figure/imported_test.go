package figure_test

import (
	"fmt"
	"testing"

	"flashdex/api/figure"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// Only what a published method did, too, is compared with its figures.
func TestImportedFiguresAreComparedAsTheyWereMeasured(t *testing.T) {
	t.Parallel()
	test := func(name string, block int64, depth int, sync string, direct bool, area int64) result.Test {
		return result.Test{Name: name, BlockBytes: block, QueueDepth: depth, Sync: sync, Direct: direct, AreaBytes: area,
			Ops: 100, Bytes: 100 * block, DurationNS: 1e9}
	}
	const write, linear = result.RandWrite, result.SeqWrite
	type imported struct {
		tool  string
		tests []result.Test
		want  []string
	}
	check := func(options string, all []imported) {
		for _, c := range all {
			doc := result.Document{Imported: &result.Imported{Tool: c.tool, Options: options}, Tests: c.tests}
			var got []string
			for _, f := range figure.PublishedAs(&doc) {
				got = append(got, fmt.Sprintf("%s %s %.4g", f.Method, f.Key, f.Value))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.tool, diff)
			}
		}
	}
	check("size=1GiB passes=5", []imported{
		{result.ToolCrystalDiskMark, []result.Test{test(write, 4096, 1, "none", true, 0),
			test(write, 4096, 32, "none", true, 0), test(write, 4096, 16, "none", true, 0),
			test(linear, 1<<20, 8, "none", true, 0), test(linear, 128<<10, 32, "none", true, 0),
		}, []string{"crystaldiskmark rand_write_iops 100", "crystaldiskmark-qd32 rand_write_iops 100",
			"crystaldiskmark seq_write_mb_per_s 104.9"}},
		{result.ToolKDiskMark, []result.Test{test(write, 4096, 1, "none", false, 0)}, nil},
		{result.ToolIozone, []result.Test{test(write, 4096, 1, "fsync", true, 100<<20),
			test(write, 16384, 1, "fsync", true, 100<<20),
			test(linear, 16<<20, 1, "fsync", true, 100<<20), test(linear, 1<<20, 1, "fsync", true, 100<<20),
			test(write, 4096, 1, "none", true, 50<<20), test(write, 4096, 1, "fsync", true, 64<<20),
		}, []string{"iozone-direct-100m rand_write_iops 100", "iozone-direct-100m seq_write_mb_per_s 104.9"}},
		{result.ToolFio, []result.Test{test(write, 4096, 64, "none", true, 0), test(write, 4096, 32, "none", true, 0)},
			[]string{"fio-qd64 rand_write_iops 100"}},
		{result.ToolDD, []result.Test{test(linear, 1<<20, 1, "none", true, 0), test(linear, 1<<20, 1, "fsync", false, 0),
			test(linear, 1<<20, 1, "none", false, 0)},
			[]string{"dd-direct seq_write_mb_per_s 104.9", "dd seq_write_mb_per_s 104.9"}},
		{result.ToolF3, []result.Test{test(linear, 4096, 1, "fsync", false, 0)},
			[]string{"h2testw seq_write_mb_per_s 0.4096"}},
		{result.ToolAmorphousDiskMark, []result.Test{test(write, 4096, 64, "fsync", true, 0)},
			[]string{"crystaldiskmark-qd64 rand_write_iops 100"}},
		{result.ToolHdparm, []result.Test{test(result.SeqRead, 2<<20, 1, "none", false, 0)},
			[]string{"hdparm seq_read_mb_per_s 209.7"}},
		{result.ToolAgnostics, []result.Test{test(write, 4096, 32, "fsync", true, 256<<20)}, nil},
		{result.ToolPiBenchmarks, []result.Test{test(write, 4096, 64, "none", true, 0)}, nil},
		{result.ToolSdFat, []result.Test{test(linear, 1<<20, 1, "none", true, 0)}, nil},
		{result.ToolPX4, []result.Test{test(linear, 4096, 1, "fsync", true, 0)}, nil},
	})
	check("size=1GiB passes=5 data=zeros", []imported{
		{result.ToolCrystalDiskMark, []result.Test{test(write, 4096, 1, "none", true, 0),
			test(write, 4096, 32, "none", true, 0), test(linear, 1<<20, 8, "none", true, 0),
		}, []string{"crystaldiskmark-zeros rand_write_iops 100", "crystaldiskmark-zeros seq_write_mb_per_s 104.9"}},
	})
}
