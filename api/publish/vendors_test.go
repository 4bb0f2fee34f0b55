package publish

import (
	"encoding/json"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
)

// Contributors can make up makers, but not pages of makers.
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

// A module without a figure that a table compares is listed with what is known of it. Otherwise no page would link to
// it.
func TestEachListedModuleIsLinkedFromItsMakersPage(t *testing.T) {
	t.Parallel()
	s := publishedSite(t)
	if _, err := s.writeVendorPages(); err != nil {
		t.Fatal(err)
	}
	links := map[string]string{} // text of the files of a maker
	for _, name := range filesBelow(t, s.input) {
		dir, file, _ := strings.Cut(strings.TrimSuffix(name, ".json"), "/")
		if maker, isRanking := strings.CutPrefix(file, "vendor-"); isRanking {
			file = maker[:strings.LastIndexByte(maker, '-')]
		} else if dir != "vendors" {
			continue
		}
		links[file] += read(t, s.input, name)
	}
	for _, m := range s.snapshot.Modules {
		if !strings.Contains(strings.ReplaceAll(links[s.vendor[m.Slug]], `"slug":"`, `"Slug":"`), `"Slug":"`+m.Slug+`"`) {
			t.Errorf("/vendors/%s/ has no link to %s", s.vendor[m.Slug], m.Slug)
		}
	}
	for maker, want := range map[string]vendorModule{
		"innodisk": {"innodisk-minidom-u-usb", s.moduleName("innodisk-minidom-u-usb"),
			"rated 30 IOPS, 4K random write; rated 1,440 IOPS, 4K random read"},
		"estrella": {},
	} {
		var page vendorPage
		if err := json.Unmarshal([]byte(read(t, s.input, "vendors/"+maker+".json")), &page); err != nil {
			t.Fatal(err)
		}
		if want.Slug != "" && (len(page.Others) != 1 || page.Others[0] != want) || want.Slug == "" && page.Others != nil {
			t.Errorf("%s: %+v, want %+v", maker, page.Others, want)
		}
	}
}
