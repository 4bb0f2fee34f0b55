package publish

import (
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
)

// Every reading is in one table, under the address of its report.
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
	if row := strings.Join(of.table(t, "harmful")[1], "|"); !strings.HasPrefix(row, "Transcend Ultimate 16 GB|16|microSD||2026-01-16|") {
		t.Errorf("harmful is %s", row)
	}
}
