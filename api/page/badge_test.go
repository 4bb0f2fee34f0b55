package page_test

import (
	"encoding/xml"
	"strings"
	"testing"

	"flashdex/api/figure"
	"flashdex/api/page"
)

func TestABadgeSaysHowSureItIs(t *testing.T) {
	t.Parallel()
	low, high := 390.0, 808.0
	figures := func(f figure.Figure) (s figure.Set) {
		s.Put(figure.RandWriteIOPS, f)
		return s
	}
	for name, c := range map[string]struct {
		method string
		shown  figure.Set
		want   string
	}{
		"ours":    {"", figures(figure.Figure{Value: 561, Low: &low, High: &high}), ">561 IOPS (390 to 808)<"},
		"others'": {"fio", figures(figure.Figure{Value: 12500}), ">12,500 IOPS, fio<"},
		"none":    {"", figure.Set{}, ">not measured yet<"},
		"<b>\"&x": {"<script>", figures(figure.Figure{Value: 1}), ">1 IOPS, &lt;script&gt;<"},
	} {
		text, err := page.Badge(name, c.method, c.shown)
		if err != nil || !strings.Contains(string(text), c.want) {
			t.Errorf("%s lacks %s: %v\n%s", name, c.want, err, text)
		}
		if err := xml.Unmarshal(text, new(struct{})); err != nil {
			t.Errorf("%s is no XML: %v\n%s", name, err, text)
		}
	}
}
