package store_test

import (
	"testing"

	"flashdex/api/figure"

	gocmp "github.com/google/go-cmp/cmp"
)

// However small the parts of an export are, together they are complete, and no result is split.
func TestTestsComeInParts(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	for speed := range int64(7) {
		add(t, s, alice, evo, "", speed+1)
		add(t, s, alice, ultra, "", speed+1)
	}
	var whole []figure.Test
	if err := s.Dataset(t.Context(), func(_ *figure.Overview, m figure.Records) error {
		return m.Tests(t.Context(), figure.Filter{}, func(test *figure.Test) error {
			whole = append(whole, *test)
			return nil
		})
	}); err != nil {
		t.Fatal(err)
	}
	most := value[int](t, url, "select max(n) from (select count(*) n from measurement group by submission_id) m")
	for rows := most + 1; rows <= len(whole)+1; rows++ {
		picked, err := s.Pick(t.Context(), func(*figure.Overview) (figure.Filter, int, error) {
			return figure.Filter{}, 0, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []figure.Test
		last := ""
		for more := true; more; more = picked.From != "" {
			var part []figure.Test
			if part, picked.From, err = s.TestsFrom(t.Context(), picked, rows); err != nil {
				t.Fatal(err)
			}
			if len(part) > 0 && part[0].Result == last || len(part) > rows || picked.From != "" && len(part) == 0 {
				t.Fatalf("in parts of %d rows: one of %d, from %q on, after %q", rows, len(part), part[0].Result, last)
			}
			if got = append(got, part...); len(part) > 0 {
				last = part[len(part)-1].Result
			}
		}
		if diff := gocmp.Diff(whole, got); diff != "" {
			t.Fatalf("in parts of %d rows (-whole +parts):\n%s", rows, diff)
		}
	}
	picked := figure.Picked{}
	if part, _, err := s.TestsFrom(t.Context(), picked, most); err == nil {
		t.Errorf("a part that holds no result: %v", part)
	}
}

// A module's former names pick its results too.
func TestPickKnowsFormerNames(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	add(t, s, alice, evo, "", 1)
	add(t, s, alice, ultra, "", 1)
	if err := s.MergeModules(t.Context(), evo.Slug, ultra.Slug, "They are the same.", by("operator")); err != nil {
		t.Fatal(err)
	}
	fold(t, s)
	picked, err := s.Pick(t.Context(), func(at *figure.Overview) (figure.Filter, int, error) {
		return figure.Filter{Modules: []string{ultra.Slug}}, 0, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	tests, next, err := s.TestsFrom(t.Context(), picked, 1000)
	results := map[string]bool{}
	for _, test := range tests {
		results[test.Result] = true
		if test.Module != ultra.Slug || test.ModuleName != ultra.Name() {
			t.Errorf("%s is of %s, %q", test.Result, test.Module, test.ModuleName)
		}
	}
	if err != nil || next != "" || len(results) != 2 {
		t.Errorf("%d results, next %q, %v", len(results), next, err)
	}
}
