package publish

import (
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"

	"github.com/google/go-cmp/cmp"
)

// A module's page says what each unit endured, in order.
func TestWhatUnitsOfAModuleEndured(t *testing.T) {
	t.Parallel()
	s := newSite(t.TempDir(), &figure.Overview{}, nil, load(t), nil)
	for slug, want := range map[string][]enduredUnits{
		"sandisk-ultra-a1-32gb-microsd": {{Units: "3 units", FirstError: "395, 1,583 and 1,905", Failed: "2,209 and 4,035",
			By: "Matt Cole", Address: "https://www.bahjeez.com/the-great-microsd-card-survey/sandisk-ultra-32gb/",
			StudyPath: "/sources/what-died-when/"}},
		"samsung-evo-plus-32gb-microsd": {{Units: "3 units", FirstError: "1,415",
			Alive: "11,614, 13,876 and 17,222", By: "Matt Cole",
			Address:   "https://www.bahjeez.com/the-great-microsd-card-survey/samsung-evo-plus-32gb/",
			StudyPath: "/sources/what-died-when/"}},
		"sandisk-ultra-32gb-microsd": nil,
	} {
		if diff := cmp.Diff(want, s.enduredUnits(slug)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", slug, diff)
		}
	}
}

// If another unit dies, its module's page is made again.
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

// The figures of one source stand together, with the first ones in sight. If there are too many, the ones that compare
// with others stay.
func TestPublishedFiguresStandBySource(t *testing.T) {
	t.Parallel()
	s := site{catalogue: new(catalogue.Catalogue)}
	iops, rate := 768.0, 3.1457
	var published []catalogue.Published
	for i, source := range []string{"a", "a", "b", "a", "a", "a", "b", "b", "b"} {
		p := catalogue.Published{Source: source, Line: i, Test: "rand-write", BlockBytes: 512, QueueDepth: 4,
			IOPS: &iops, MBPerS: &rate, ValueText: "3.00", Unit: "MB/s"}
		if published = append(published, p); i == 8 {
			published[i] = catalogue.Published{Source: source, ValueText: "768", Unit: "IOPS", IOPS: &iops}
		}
	}
	sources, left := s.publishedSources(published)
	if len(sources) != 2 || left != 0 {
		t.Fatalf("%d left, of %+v", left, sources)
	}
	a, b := sources[0], sources[1]
	if len(a.Rows) != 3 || len(a.More) != 2 || a.More[0].Line != 4 || len(b.Rows) != 4 || b.More != nil ||
		a.SourcePath != "/sources/#a" {
		t.Errorf("%d and %d, %d and %d: %+v", len(a.Rows), len(a.More), len(b.Rows), len(b.More), sources)
	}
	for _, of := range []struct{ row, want publishedRow }{
		{a.Rows[0], publishedRow{Conditions: "0.5 KiB, depth 4", Value: "768 IOPS",
			Beside: "3.15 MB/s, printed as 3.00 MB/s"}},
		{b.Rows[3], publishedRow{Value: "768 IOPS"}},
	} {
		got := publishedRow{Conditions: of.row.Conditions, Value: of.row.Value, Beside: of.row.Beside}
		if got != of.want {
			t.Errorf("got  %+v\nwant %+v", got, of.want)
		}
	}
	for range maxPublishedRows {
		published = append(published, catalogue.Published{Source: "c", Contributor: "c"})
	}
	if sources, left := s.publishedSources(published); left != 9 || len(sources) != 1 || len(sources[0].More) != 197 {
		t.Errorf("%d left, %d sources", left, len(sources))
	}
}
