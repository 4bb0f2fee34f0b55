package dataset_test

import (
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/ranking"

	"github.com/google/go-cmp/cmp"
)

// Published figures that measured different things have ends and no value. A row of the table published says what it
// measured.
func TestRowsOfPublishedFigures(t *testing.T) {
	t.Parallel()
	of := cells(t, dataset.Figures, dataset.Figure{Row: ranking.Row{Method: "fio-qd32",
		Figures: figure.SetOf(map[string]figure.Figure{
			figure.RandWriteIOPS: {Value: 1140.75, To: 3066.5, N: 6}, figure.RandReadIOPS: {Value: 9, N: 1},
		})}})
	got := map[string]string{}
	for _, key := range []string{"rand_write_iops", "rand_write_iops_low", "rand_write_iops_high",
		"rand_write_iops_confidence", "rand_read_iops", "rand_read_iops_low"} {
		if value, ok := of[key]; ok {
			got[key] = value
		}
	}
	want := map[string]string{"rand_write_iops_low": "1140.75", "rand_write_iops_high": "3066.5", "rand_read_iops": "9"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("figures (-want +got):\n%s", diff)
	}
	row := cells(t, dataset.Published, dataset.PublishedFigure{Published: catalogue.Published{
		Kind: "iozone, direct I/O, 100 MB, Raspberry Pi 2", Contributor: "somebody", HostMBPerS: 19}})
	got = map[string]string{"kind": row["kind"], "measured_by": row["measured_by"], "host": row["host_mb_per_s"]}
	want = map[string]string{"kind": "iozone, direct I/O, 100 MB, Raspberry Pi 2", "measured_by": "somebody", "host": "19"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("published (-want +got):\n%s", diff)
	}
}
