package publish

import (
	"slices"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/result"
	"flashdex/result/sign"
)

// There are 51 checks in capacity_checks.csv, 7 of them fakes, and 3 units that contributors checked, 2 of them fakes.
// The source counts once for each print, and so does each of two contributors for one print.
func TestFakesCountsEveryCheck(t *testing.T) {
	t.Parallel()
	c := load(t)
	print := c.CapacityChecks[0].ModuleSlug // a fake
	estrella := func(s figure.Summary) figure.Summary {
		s.ModuleSlug, s.Method = print, result.MethodFlashdex1
		return s
	}
	other := c.CapacityChecks[1].ModuleSlug
	key := figure.Variant{Bus: "sd", Manfid: "0x000000", OEMID: "0x0000", Name: "SMI"}.Key()
	overview := &figure.Overview{Modules: c.Modules, Summaries: []figure.Summary{
		estrella(figure.Summary{AllUnits: 5, Identified: 4, Shown: map[string]int{
			figure.EvidenceCapacityChecked: 3, figure.EvidenceCapacity: 2, sign.SerialNearZero: 2, sign.CRCWrong: 1,
			figure.EvidenceIdentified: 4,
		}, ShownBy: map[string]int{figure.EvidenceCapacityChecked: 2, figure.EvidenceCapacity: 1,
			sign.SerialNearZero: 2, sign.CRCWrong: 1, figure.EvidenceIdentified: 3}}),
		estrella(figure.Summary{Variant: key, AllUnits: 4, Identified: 4, Shown: map[string]int{sign.SerialNearZero: 2}}),
		{ModuleSlug: other, Method: result.MethodFlashdex1, Variant: key, AllUnits: 1, Identified: 1,
			Shown: map[string]int{sign.DateImpossible: 1}},
		estrella(figure.Summary{HostClass: "usb", AllUnits: 5, Shown: map[string]int{figure.EvidenceCapacityChecked: 3}}),
	}}
	shown := newSite(t.TempDir(), overview, nil, c, nil).fakes()
	if shown.Checked != "54" || shown.Fake != "9" || shown.By != "53" || shown.FakeBy != "8" ||
		shown.Interval != "8 to 27 %" {
		t.Errorf("%s of %s are fakes, as %s of %s found: %s", shown.Fake, shown.Checked, shown.FakeBy, shown.By,
			shown.Interval)
	}
	row := func(id, name string) []string {
		for _, table := range shown.Tables {
			i := slices.IndexFunc(table.Numbers.Rows, func(row []string) bool { return row[0] == name })
			if table.ID == id && i >= 0 {
				return table.Numbers.Rows[i]
			}
		}
		return nil
	}
	m, _ := c.Module(print)
	for id, want := range map[string][]string{
		"prints":     {m.Name(), "4", "3", "3", "2", "21 to 94 %"},
		"capacities": {"256\u00a0GB", "5", "3", "4", "2", "15 to 85 %"},
		"registers":  {m.Name(), "4", "2", "3", "2", "21 to 94 %"},
	} {
		if got := row(id, want[0]); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	label := func(slug string) string {
		m, _ := c.Module(slug)
		return m.Name()
	}
	const serial, made = 4, 5
	for label, odd := range map[string]int{label(print): serial, label(other): made} {
		i := slices.IndexFunc(shown.Suspicious, func(p registerPicture) bool { return p.Label == label })
		if len(shown.Suspicious) != 2 || i < 0 {
			t.Fatalf("%s isn't in %+v", label, shown.Suspicious)
		}
		p := shown.Suspicious[i]
		if !strings.HasPrefix(p.Evidence, "Suspicious: ") || !strings.Contains(p.Text, "Name SMI; ") || !p.Fields[odd].Odd ||
			p.Fields[serial+made-odd].Odd {
			t.Errorf("%+v", p)
		}
	}
	if len(shown.Known) != 11 || !strings.Contains(shown.Known[0].Text, "Made 07/2025") {
		t.Errorf("%d registers of known cards, the first %+v", len(shown.Known), shown.Known[0])
	}
}

// Two hundred units with tags that one sender made up count once, even if they come by several methods.
func TestOneSenderOfManyFakesIsOneVoice(t *testing.T) {
	t.Parallel()
	const many = 200
	sent := func(method string) figure.Summary {
		return figure.Summary{ModuleSlug: a1.Slug, Method: method, AllUnits: many, Shown: map[string]int{
			figure.EvidenceCapacityChecked: many, figure.EvidenceCapacity: many,
		}, ShownBy: map[string]int{figure.EvidenceCapacityChecked: 1, figure.EvidenceCapacity: 1}}
	}
	c := load(t)
	c.CapacityChecks = nil
	shown := newSite(t.TempDir(), &figure.Overview{Modules: []catalogue.Module{a1}, Summaries: []figure.Summary{
		sent(result.MethodFlashdex1), sent(result.MethodOfImport(result.ToolF3)),
	}}, nil, c, nil).fakes()
	want := []string{a1.Name(), "200", "200", "1", "1", "21 to 100"}
	if got := shown.Tables.table(t, "prints")[1]; !slices.Equal(got, want) || shown.By != "1" ||
		shown.Interval != "21 to 100 %" {
		t.Errorf("%q, want %q; in all %s, %s", got, want, shown.By, shown.Interval)
	}
}
