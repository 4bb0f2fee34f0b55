package page_test

import (
	"encoding/xml"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/ranking"
	"flashdex/result"
)

// A badge shows the figure that stands for the module, with its interval or as a range. It names a method that isn't
// ours.
func TestABadgeSaysHowSureItIs(t *testing.T) {
	t.Parallel()
	c := &catalogue.Catalogue{Methods: []catalogue.Method{
		{ID: result.MethodFlashdex1, Label: "Flashdex"}, {ID: "fio", Label: "fio"}, {ID: "evil", Label: "<script>"}}}
	row := func(method string, f figure.Figure) *ranking.Row {
		r := &ranking.Row{Method: method}
		r.Figures.Put(figure.RandWriteIOPS, f)
		return r
	}
	low, high := 390.0, 808.0
	span := row("fio", figure.Figure{Value: 161, To: 986})
	for name, of := range map[string]struct {
		rows []*ranking.Row
		want string
	}{
		"ours": {[]*ranking.Row{row(result.MethodFlashdex1, figure.Figure{Value: 561, Low: &low, High: &high})},
			">561 IOPS (390 to 808)<"},
		"others'": {[]*ranking.Row{row("fio", figure.Figure{Value: 12500})}, ">12,500 IOPS, fio<"},
		"a range": {[]*ranking.Row{span}, ">161 to 986 IOPS, fio<"},
		"a range beside a figure": {[]*ranking.Row{span, row(result.MethodFlashdex1, figure.Figure{Value: 561})},
			">561 IOPS<"},
		"no random write": {[]*ranking.Row{{Method: "fio"}}, ">not measured yet<"},
		"none":            {nil, ">not measured yet<"},
		"<b>\"&x":         {[]*ranking.Row{row("evil", figure.Figure{Value: 1})}, ">1 IOPS, &lt;script&gt;<"},
	} {
		text, err := page.Badge(catalogue.Module{Product: name}, of.rows, c)
		if err != nil || !strings.Contains(string(text), of.want) {
			t.Errorf("%s lacks %s: %v\n%s", name, of.want, err, text)
		}
		if err := xml.Unmarshal(text, new(struct{})); err != nil {
			t.Errorf("%s is no XML: %v\n%s", name, err, text)
		}
	}
}
