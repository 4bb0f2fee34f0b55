package publish

import (
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/ranking"
)

// A name is text, whatever it contains, and only the link contains the site's address.
func TestMarkdownRowHoldsNamesAsText(t *testing.T) {
	t.Parallel()
	r := &ranking.Row{Module: catalogue.Module{Slug: "evil", Vendor: "SITE",
		Product: "](https://example.org) | <b>&_*`x`"}}
	low, high := 80.0, 120.0
	r.Figures.Put(figure.RandWriteIOPS, figure.Figure{Value: 100, Low: &low, High: &high})
	want := `| Module | 4K random write, IOPS | 4K random read, IOPS | Linear write, MB/s | Linear read, MB/s | Behind it |
|---|---|---|---|---|---|
| [SIT&#69; \](https://example.org) \| \<b\>\&\_\*` + "\\`x\\`" + `](SITE/modules/evil/) | 100 (80–120) |  |  |  | 3 units, a\_b |`
	if got := markdownRow(r, "3 units", "a_b"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
