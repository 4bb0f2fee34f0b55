package publish

import (
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/result"
)

// The figures of a class are a host's own only if no other host of the class was used. Hosts whose model isn't known
// have no page.
func TestAHostsPageSaysWhoseFiguresItShows(t *testing.T) {
	t.Parallel()
	snapshot := &figure.Overview{Modules: []catalogue.Module{{Slug: "a", Product: "A"}, {Slug: "b", Product: "B"}},
		Summaries: []figure.Summary{
			{ModuleSlug: "a", HostClass: "pi-4", Method: result.MethodFlashdex1, Units: 3, Boards: 1, BusMBPerS: 50,
				Figures: estimate(100), ByBoard: []figure.BoardUnits{{Board: "Pi/4", Units: 3}}},
			{ModuleSlug: "b", HostClass: "pi-4", Method: result.MethodFlashdex1, Units: 5, Boards: 3, BusMBPerS: 25,
				Figures: estimate(900),
				ByBoard: []figure.BoardUnits{{Board: "Pi-4", Units: 3}, {Board: "x86_64", Units: 9}, {Board: "Pi/4", Units: 1},
					{Board: "Rare", Units: 1}}},
		}}
	hosts := newSite(t.TempDir(), snapshot, nil, load(t), nil).hosts()
	if len(hosts) != 2 || hosts[0].Name != "Pi/4" || hosts[0].Slug != "pi-4" || hosts[1].Name != "Pi-4" ||
		hosts[1].Slug == "pi-4" {
		t.Fatalf("hosts: %+v", hosts)
	}
	h := hosts[0]
	if h.Units != 4 || h.Classes[0].MBPerS != "50" || len(h.Modules) != 2 ||
		h.Modules[0].Cells[5].Value != "5 units of the class" || h.Modules[1].Cells[5].Value != "this host" {
		t.Errorf("%+v", h)
	}
	if best := h.Best[0]; best.Slug != "a" || best.Value != "100" {
		t.Errorf("the best is another host's: %+v", best)
	}
	if best := h.Best[2]; best.Key != figure.SeqWriteMBPerS || best.BusPercent != "40 %" {
		t.Errorf("20 MB/s of 50 are %v", best.BusPercent)
	}
	if other := hosts[1]; len(other.Best) != 0 || other.Classes[0].MBPerS != "" {
		t.Errorf("figures of a class pass for a host's: %+v", other)
	}
}
