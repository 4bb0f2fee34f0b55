package catalogue_test

import (
	"encoding/csv"
	"os"
	"strconv"
	"testing"
)

// Each row of testdata/spellings.csv is a name that somebody wrote, its source, and the module that it means: a slug;
// "none" if the catalogue has no such module; or "ambiguous" if it may mean several modules or generations, or is too
// vague for a guess. For "none" and "ambiguous", only a provisional module is right. The test fails if Resolve takes
// one product for another. A provisional module in place of a listed one is no failure, but the test prints the share
// of names that Resolve finds, and it must not fall.
func TestSpellings(t *testing.T) {
	t.Parallel()
	c := load(t)
	f, err := os.Open("testdata/spellings.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) < 301 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	var named, right, missed, wrong int
	for _, r := range rows[1:] {
		capacity := 0.0
		if r[2] != "" {
			if capacity, err = strconv.ParseFloat(r[2], 64); err != nil {
				t.Fatal(err)
			}
		}
		expect := r[5]
		if _, known := c.Module(expect); !known && expect != "none" && expect != "ambiguous" {
			t.Errorf("%q: the catalogue has no module %q", r[1], expect)
		}
		got := resolve(c, typed(r[0], r[1], capacity, r[3]))
		_, listed := c.Module(got.Slug)
		if expect != "none" && expect != "ambiguous" {
			named++
		}
		switch {
		case listed && got.Slug == expect:
			right++
		case listed:
			wrong++
			t.Errorf("%q %q, %g GB, form %q is taken for %s, but means %s", r[0], r[1], capacity, r[3], got.Slug, expect)
		case expect != "none" && expect != "ambiguous":
			missed++
			t.Logf("%q %q, %g GB, form %q is not found, but means %s", r[0], r[1], capacity, r[3], expect)
		}
	}
	precision, recall := float64(right)/float64(right+wrong), float64(right)/float64(named)
	t.Logf("%d spellings, %d of modules in the catalogue: %d found, %d left provisional, %d taken for another; "+
		"precision %.1f %%, recall %.1f %%",
		len(rows)-1, named, right, missed, wrong, 100*precision, 100*recall)
	if recall < 0.9 {
		t.Errorf("recall %.3f, want at least 0.9", recall)
	}
}
