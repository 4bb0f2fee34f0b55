package publish

import (
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"

	gocmp "github.com/google/go-cmp/cmp"
)

// Every reading is in one table, under the address of its report. The titles count cards: one was asked on two days,
// and one row is of consumer cards in general.
func TestWhoTellsHealthHasEveryReading(t *testing.T) {
	t.Parallel()
	c := load(t)
	of := newSite(t.TempDir(), &figure.Overview{Modules: c.Modules}, nil, c, nil).whoTellsHealth()
	if len(c.HealthAnswers) < 29 || len(of) != 3 {
		t.Fatalf("%d readings in %d tables", len(c.HealthAnswers), len(of))
	}
	count := map[string]int{}
	for _, a := range c.HealthAnswers {
		count[a.Answers]++
	}
	for id, answers := range map[string]string{"answers": catalogue.HealthTold, "silent": catalogue.HealthSilent,
		"harmful": catalogue.HealthHarmful} {
		rows := of.table(t, id)
		if len(rows)-1 != count[answers] || count[answers] == 0 {
			t.Errorf("%s: %d rows of %d readings", id, len(rows)-1, count[answers])
		}
	}
	for i, title := range []string{"17 cards that tell it", "9 cards that tell nothing", "1 that vanished"} {
		if of[i].Numbers.Title != title {
			t.Errorf("%s is called %q, want %q", of[i].ID, of[i].Numbers.Title, title)
		}
	}
	for _, table := range of {
		if len(table.Numbers.Links) != len(table.Numbers.Rows) {
			t.Errorf("%s: %d links", table.ID, len(table.Numbers.Links))
		}
		for _, link := range table.Numbers.Links {
			if !strings.HasPrefix(link, "https://github.com/") {
				t.Errorf("a card of %s leads to %q", table.ID, link)
			}
		}
	}
	row := strings.Join(of.table(t, "harmful")[1], "|")
	if !strings.HasPrefix(row, "Transcend Ultimate 16 GB|16|microSD||2026-01-16|") {
		t.Errorf("harmful is %s", row)
	}
}

// Uploads add to the page, by registers. Each unit counts once, even if several methods measured it.
func TestWearOfUploadsIsCountedByRegisters(t *testing.T) {
	t.Parallel()
	c := load(t)
	told := func(n int) map[string]int { return map[string]int{figure.EvidenceWearTold: n} }
	not := map[string]int{figure.EvidenceWearNotTold: 1}
	one, other := figure.Variant{Bus: "sd", Manfid: "0x000003", OEMID: "0x5344", Name: "SD128"}.Key(),
		figure.Variant{Bus: "mmc", Manfid: "0x000015", OEMID: "0x0100", Name: "BJTD4R"}.Key()
	of := newSite(t.TempDir(), &figure.Overview{Summaries: []figure.Summary{
		// The only variant has no summary of its own.
		{ModuleSlug: "a", Method: "flashdex-1", OnlyVariant: one, Shown: told(3), ShownBy: told(1)},
		{ModuleSlug: "a", Method: "sweep-1", OnlyVariant: one, Shown: told(2), ShownBy: told(1)},
		{ModuleSlug: "b", Method: "flashdex-1", Variant: one, Shown: told(4), ShownBy: told(2)},
		{ModuleSlug: "b", Method: "flashdex-1", HostClass: "usb-2", OnlyVariant: one, Shown: told(9)},
		{ModuleSlug: "b", Method: "flashdex-1", Shown: told(5)}, // of several variants
		{ModuleSlug: "b", Method: "flashdex-1", Variant: other, Shown: not, ShownBy: not},
		{ModuleSlug: "c", Method: "flashdex-1", OnlyVariant: other},
	}}, nil, c, nil).whoTellsHealth()
	rows := of.table(t, "uploads")
	want := [][]string{{"Registers", "Told it", "Contributors of these", "Told nothing", "Contributors of those"},
		{figure.VariantOf(other).Label(), "0", "0", "1", "1"}, {figure.VariantOf(one).Label(), "7", "3", "0", "0"}}
	if diff := gocmp.Diff(want, rows); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
