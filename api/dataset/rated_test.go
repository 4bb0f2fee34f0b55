package dataset_test

import (
	"slices"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/data"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// A promised rate without a stated direction has no measured rate beside it.
func TestARateWithoutADirectionHasNothingMeasured(t *testing.T) {
	t.Parallel()
	c, err := catalogue.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := c.Module("toshiba-class-10-uhs-i-8gb-microsd")
	rows := dataset.RatedOf(m, c, figure.SetOf(map[string]figure.Figure{
		figure.SeqReadMBPerS: {Value: 20, N: 3}, figure.SeqWriteMBPerS: {Value: 8, N: 3},
	}))
	if len(rows) != 1 {
		t.Fatalf("%v", rows)
	}
	got := cells(t, dataset.Rated, rows[0])
	if got["figure"] != "transfer_mb_per_s" || got["rated"] != "30" || got["unit"] != "MB/s" || got["measured"] != "" ||
		got["percent"] != "" {
		t.Errorf("%v", got)
	}
}

// A promised figure accompanies the measured one and changes no other figure.
func TestRatedStandsBesideWhatWasMeasured(t *testing.T) {
	t.Parallel()
	c, err := catalogue.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range catalogue.RatedKeys {
		if !slices.Contains(figure.FigureKeys, key) {
			t.Errorf("%s is no figure that is measured", key)
		}
	}
	m, ok := c.Module("swissbit-u-450-16gb-usb")
	if !ok {
		t.Fatal("the catalogue has no U-450")
	}
	figures := figure.SetOf(map[string]figure.Figure{
		figure.RandWriteIOPS: {Value: 700, N: 3}, figure.SeqReadMBPerS: {Value: 36, N: 3},
	})
	s := &figure.Overview{Modules: []catalogue.Module{m},
		Summaries: []figure.Summary{{ModuleSlug: m.Slug, Method: result.MethodFlashdex1, Figures: figures, Units: 3,
			Contributors: 3, Independent: 3, Days: 2}}}
	var rows []map[string]string
	if err := dataset.EachRated(s, c, func(r *dataset.RatedFigure) error {
		rows = append(rows, cells(t, dataset.Rated, *r))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 4 {
		t.Fatalf("%v", rows)
	}
	want := map[string]string{
		"module": m.Slug, "figure": "rand_write_iops", "source": "swissbit_u450_2021", "name": "Swissbit U-450 16 GB USB",
		"rated": "1400", "unit": "IOPS", "measured": "700", "percent": "50",
		"title": "Product Data Sheet: Industrial USB Flash Drive Module, U-450 Series, revision 1.01",
		"url":   "https://docslib.org/doc/10007148/industrial-usb-flash-drive-module-u-450-series",
		"date":  "2021-01-13",
		"note":  "up to, over the series of 1 to 16 GB; queue depth and block size are not stated in the summary",
	}
	if diff := cmp.Diff(want, rows[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if rows[1]["rated"] != "1900" || rows[1]["measured"] != "" || rows[1]["percent"] != "" || rows[3]["percent"] != "100" {
		t.Errorf("%v", rows)
	}
	seen := false
	if err := dataset.EachFigure(s, c, func(f *dataset.Figure) error {
		if f.Module.Slug == m.Slug {
			row := cells(t, dataset.Figures, *f)
			seen = row["rand_write_iops"] == "700" && row["rand_write_iops_rated"] == "1400" &&
				row["seq_write_mb_per_s"] == "" && row["seq_write_mb_per_s_rated"] == "26"
		}
		return nil
	}); err != nil || !seen {
		t.Errorf("the row of figures doesn't have both: %v", err)
	}
}
