package figure_test

import (
	"fmt"
	"strings"
	"testing"

	"flashdex/api/figure"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// If another tool wrote and read back a module, that is evidence like flashdex verify's. If less came back, the result
// has no place among published rates. A few lost sectors are an error of the medium.
func TestWhatAnImportFoundIsEvidenceOfItsCapacity(t *testing.T) {
	t.Parallel()
	doc := result.Document{Imported: &result.Imported{Tool: result.ToolH2testw}, Tests: []result.Test{{
		Name: result.SeqWrite, BlockBytes: 1 << 20, QueueDepth: 1, Sync: "none", Ops: 100, Bytes: 100 << 20, DurationNS: 1e9,
	}}}
	for name, c := range map[string]struct {
		checked  *result.Checked
		evidence string
		places   int
	}{
		"nobody looked":      {nil, "", 1},
		"all came back":      {&result.Checked{Bytes: 64e9, OKBytes: 64e9}, "capacity-checked no sign", 1},
		"all but a sector":   {&result.Checked{Bytes: 64e9, OKBytes: 64e9 - 512}, "capacity-checked no sign", 1},
		"99 % came back":     {&result.Checked{Bytes: 64e9, OKBytes: 63.36e9}, "capacity-checked no sign", 1},
		"less than 99 % did": {&result.Checked{Bytes: 64e9, OKBytes: 63.3e9}, "capacity-checked capacity suspicious", 0},
		"a part came back":   {&result.Checked{Bytes: 1e9, OKBytes: 1e9, OfBytes: 64e9}, "no sign", 1},
		"a spot of a part didn't": {&result.Checked{Bytes: 1e9, OKBytes: 0.9e9, OfBytes: 64e9},
			"capacity suspicious", 0},
		"a twentieth has changed bits": {&result.Checked{Bytes: 64e9, OKBytes: 60e9, ChangedBytes: 4e9},
			"capacity-checked no sign", 1},
		"0.69 of 41.5 GB did": {&result.Checked{Bytes: 41546678272, OKBytes: 687865856},
			"capacity-checked capacity almost certainly", 0},
	} {
		doc.Imported.Checked = c.checked
		evidence, places := strings.Join(figure.FactsOf(&doc, nil).Evidence, " "), len(figure.PublishedAs(&doc))
		if evidence != c.evidence || places != c.places {
			t.Errorf("%s: evidence %q and %d places, want %q and %d", name, evidence, places, c.evidence, c.places)
		}
	}
}

// A figure is compared with a published method's only if it was measured in the same way.
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
			[]string{"f3 seq_write_mb_per_s 0.4096"}},
		{result.ToolH2testw, []result.Test{test(linear, 1<<20, 1, "none", false, 0)},
			[]string{"h2testw seq_write_mb_per_s 104.9"}},
		{result.ToolAmorphousDiskMark, []result.Test{test(write, 4096, 64, "fsync", true, 0)},
			[]string{"crystaldiskmark-qd64 rand_write_iops 100"}},
		{result.ToolHdparm, []result.Test{test(result.SeqRead, 2<<20, 1, "none", false, 0)},
			[]string{"hdparm seq_read_mb_per_s 209.7"}},
		{result.ToolHdparm, []result.Test{test(result.SeqRead, 2<<20, 1, "none", true, 0)},
			[]string{"hdparm-direct seq_read_mb_per_s 209.7"}},
		{result.ToolImager, []result.Test{test(linear, 1<<20, 0, "none", true, 0)}, nil},
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
