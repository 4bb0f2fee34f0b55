package publish

import (
	"encoding/json"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
)

// Whoever uploads can make up makers, but no pages of makers.
func TestEveryModuleIsOnAMakersPage(t *testing.T) {
	t.Parallel()
	snapshot := &figure.Overview{Modules: []catalogue.Module{
		{Slug: "known", Vendor: "Samsung", Product: "EVO", Form: "microsd"}, {Slug: "typed", Vendor: "Samsung",
			Product: "NEW", Form: "sd", Provisional: true},
		{Slug: "hostile", Vendor: "../../<b>", Product: "x", Form: "sd", Provisional: true}, {Slug: "kernel",
			Product: "SD card 0x00", Form: "sd", Provisional: true},
	}}
	for i, m := range snapshot.Modules {
		snapshot.Summaries = append(snapshot.Summaries, figure.Summary{ModuleSlug: m.Slug, Method: "flashdex-1",
			Units: 1 + i, AllUnits: 1 + i, Contributors: 3, Independent: 3, Days: 2, Figures: estimate(float64(1 + i))})
	}
	s := newSite(t.TempDir(), snapshot, nil, load(t), nil)
	pages, err := s.writeVendorPages()
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, p := range pages {
		paths = append(paths, p.Path)
	}
	if got := strings.Join(paths, " "); got != "/vendors/samsung/ /vendors/not-in-the-catalogue/" {
		t.Errorf("pages: %s", got)
	}
	var samsung, rest vendorPage
	for slug, into := range map[string]*vendorPage{"samsung": &samsung, unlisted: &rest} {
		if err := json.Unmarshal([]byte(read(t, s.input, "vendors/"+slug+".json")), into); err != nil {
			t.Fatal(err)
		}
	}
	if samsung.Modules != 2 || samsung.Units != 3 || samsung.Best == nil || samsung.Best.Slug != "typed" ||
		len(samsung.IDs) == 0 || rest.Modules != 2 || len(rest.IDs) != 0 {
		t.Errorf("%+v\n%+v", samsung, rest)
	}
	if s.vendor["hostile"] != unlisted || s.vendor["typed"] != "samsung" {
		t.Errorf("makers' pages of modules: %v", s.vendor)
	}
}
