package publish

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/result"
	"flashdex/result/sign"
)

// The 51 checks of capacity_checks.csv, 7 of them fakes, and 3 units that contributors checked, 1 of them surely a fake.
// A source has one voice for each print, and so has a contributor. Sums of prints have no voices: the 51 checks are of
// one source.
func TestFakesCountsEveryCheck(t *testing.T) {
	t.Parallel()
	c := load(t)
	print := c.CapacityChecks[0].ModuleSlug // a fake
	other := c.CapacityChecks[1].ModuleSlug
	// Named by its uploads.
	listed := catalogue.Module{Slug: "nobody-knows-64gb", Vendor: "Samsung", Product: "of nobody’s list", CapacityGB: 64}
	smi := figure.Variant{Bus: "sd", Manfid: "0x000000", OEMID: "0x0000", Name: "SMI"}.Key()
	sandisk := figure.Variant{Bus: "sd", Manfid: "0x000003", OEMID: "0x5344", Name: "SL16G"}.Key()
	sum := func(slug string, s figure.Summary) figure.Summary {
		s.ModuleSlug, s.Method = slug, result.MethodFlashdex1
		return s
	}
	overview := &figure.Overview{Modules: append(slices.Clone(c.Modules), listed), Summaries: []figure.Summary{
		sum(print, figure.Summary{AllUnits: 5, Identified: 4, OnlyVariant: smi, Shown: map[string]int{
			sign.SerialNearZero: 2, sign.CRCWrong: 1, figure.EvidenceIdentified: 4,
		}, ShownBy: map[string]int{
			sign.SerialNearZero: 2, sign.CRCWrong: 1, figure.EvidenceIdentified: 3}}),
		sum(other, figure.Summary{Variant: smi, AllUnits: 1, Identified: 1, Shown: map[string]int{
			sign.DateImpossible: 1, figure.EvidenceIdentified: 1}}),
		sum(other, figure.Summary{Variant: sandisk, AllUnits: 4, Identified: 4, Shown: map[string]int{
			figure.EvidenceIdentified: 4}}),
		sum(listed.Slug, figure.Summary{AllUnits: 4, Identified: 4, OnlyVariant: sandisk, Shown: map[string]int{
			sign.SerialNearZero: 2, sign.CRCWrong: 1, figure.EvidenceIdentified: 4}}),
	}, Checks: map[string]figure.Checks{
		print: {Units: 3, Lacking: 1, Contributors: 2, FoundBy: 1}, listed.Slug: {Units: 1, Contributors: 1},
	}}
	shown := newSite(t.TempDir(), overview, nil, c, nil).fakes()
	if shown.Checked != "55" || shown.Fake != "8" {
		t.Errorf("%s of %s are fakes", shown.Fake, shown.Checked)
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
	samsung := 1
	for _, check := range c.CapacityChecks {
		if m, _ := c.Module(check.ModuleSlug); m.Vendor == listed.Vendor {
			samsung++
		}
	}
	m, _ := c.Module(print)
	for id, want := range map[string][]string{
		"prints":     {m.Name(), "4", "2", "3", "2", "21 to 94 %"},
		"capacities": {"256\u00a0GB", "5", "2"},
		"brands":     {"Samsung", strconv.Itoa(samsung), "0"},
		"registers":  {m.Name(), "4", "2", "3", "2", "21 to 94 %"},
	} {
		if got := row(id, want[0]); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	if row("registers", listed.Name()) == nil {
		t.Error("a module that isn't in the catalogue has no name")
	}
	otherModule, _ := c.Module(other)
	const manfid, serial, made, checksum = 0, 4, 5, 6
	for label, of := range map[string]struct {
		odd  []int
		says string
	}{
		m.Name():           {[]int{serial, checksum}, "serial number near zero (2 of 4)"},
		otherModule.Name(): {[]int{made}, "impossible date of manufacture (1 of 1)"},
		listed.Name():      {[]int{manfid, serial, checksum}, "ids of another maker (4 of 4)"},
	} {
		i := slices.IndexFunc(shown.Suspicious, func(p registerPicture) bool { return p.Label == label })
		if len(shown.Suspicious) != 3 || i < 0 {
			t.Fatalf("%s isn't in %+v", label, shown.Suspicious)
		}
		p := shown.Suspicious[i]
		for _, field := range []int{manfid, serial, made, checksum} {
			suspected := field == manfid && label != listed.Name() // counterfeits often carry the ids of SMI
			if p.Fields[field].Odd != slices.Contains(of.odd, field) && !suspected {
				t.Errorf("%s, field %d: %+v", label, field, p)
			}
		}
		if !strings.HasPrefix(p.Evidence, "Units of this variant showed: ") || !strings.Contains(p.Evidence, of.says) {
			t.Errorf("%s: %q, want %q", label, p.Evidence, of.says)
		}
	}
	if len(shown.Known) != 11 || !strings.Contains(shown.Known[0].Text, "Made 07/2025") {
		t.Errorf("%d registers of known cards, the first %+v", len(shown.Known), shown.Known[0])
	}
}

// Two hundred units with tags of one sender's own are one voice, and three of as many senders are three.
func TestOneSenderOfManyFakesIsOneVoice(t *testing.T) {
	t.Parallel()
	for _, of := range []struct {
		sent figure.Checks
		want []string
	}{
		{figure.Checks{Units: 200, Lacking: 200, Contributors: 1, FoundBy: 1}, []string{"200", "200", "1", "1", "21 to 100"}},
		{figure.Checks{Units: 3, Lacking: 1, Contributors: 3, FoundBy: 1}, []string{"3", "1", "3", "1", "6 to 79"}},
	} {
		c := load(t)
		c.CapacityChecks = nil
		shown := newSite(t.TempDir(), &figure.Overview{Modules: []catalogue.Module{a1},
			Checks: map[string]figure.Checks{a1.Slug: of.sent}}, nil, c, nil).fakes()
		want := append([]string{a1.Name()}, of.want...)
		if got := shown.Tables.table(t, "prints")[1]; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
