package publish

import (
	"testing"

	"flashdex/api/figure"

	"github.com/google/go-cmp/cmp"
)

// A module's page tells what each unit endured, in order.
func TestWhatUnitsOfAModuleEndured(t *testing.T) {
	t.Parallel()
	s := newSite(t.TempDir(), &figure.Overview{}, nil, load(t), nil)
	for slug, want := range map[string][]enduredUnits{
		"sandisk-ultra-a1-32gb-microsd": {{Units: "3 units", FirstError: "395, 1,583 and 1,905", Failed: "2,209 and 4,035",
			By: "Matt Cole", Address: "https://www.bahjeez.com/the-great-microsd-card-survey/sandisk-ultra-32gb/",
			StudyPath: "/sources/what-died-when/"}},
		"samsung-evo-plus-32gb-microsd": {{Units: "1 unit", FirstError: "1,415", By: "Matt Cole",
			Address:   "https://www.bahjeez.com/the-great-microsd-card-survey/samsung-evo-plus-32gb/",
			StudyPath: "/sources/what-died-when/"}},
		"sandisk-ultra-32gb-microsd": nil,
	} {
		if diff := cmp.Diff(want, s.enduredUnits(slug)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", slug, diff)
		}
	}
}

// What a unit endured is new on its module's page.
func TestAPageIsMadeAnewWhenAnotherUnitDied(t *testing.T) {
	t.Parallel()
	s := newSite(t.TempDir(), &figure.Overview{}, nil, load(t), nil)
	m, _ := s.catalogue.Module("sandisk-ultra-a1-32gb-microsd")
	before, err := s.moduleInputs(m)
	if err != nil {
		t.Fatal(err)
	}
	of := s.told[m.Slug]
	of.endured = of.endured[1:]
	s.told[m.Slug] = of
	if after, err := s.moduleInputs(m); err != nil || after == before {
		t.Errorf("the page stays as it was: %v", err)
	}
}
