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
	rows := readTable(t, "spellings.csv")
	if len(rows) < 301 {
		t.Fatalf("%d rows", len(rows))
	}
	var named, right, missed, wrong int
	for _, r := range rows[1:] {
		capacity, expect := capacityOf(t, r[2]), r[5]
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

// readTable reads a table of testdata, its head included.
func readTable(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func capacityOf(t *testing.T, text string) (capacityGB float64) {
	t.Helper()
	if text != "" {
		var err error
		if capacityGB, err = strconv.ParseFloat(text, 64); err != nil {
			t.Fatal(err)
		}
	}
	return capacityGB
}

// testdata/collected_spellings.csv has names from public threads, in two halves that a hash drew. Rules are made by
// the half "tuning". Nobody looks at how the half "aside" is resolved until they are made, so that it tells how good
// they are for names that nobody has seen. Rows are as in TestSpellings. No more names may be taken for another module
// than are today.
func TestCollectedSpellings(t *testing.T) {
	t.Parallel()
	const wrongToday = 10
	c := load(t)
	var decided, found, wrong int
	for _, r := range readTable(t, "collected_spellings.csv")[1:] {
		half, vendor, product, form, expect := r[0], r[1], r[2], r[4], r[6]
		if _, known := c.Module(expect); !known && expect != "none" && expect != "ambiguous" {
			t.Errorf("%q: the catalogue has no module %q", product, expect)
		}
		if half != "tuning" {
			continue
		}
		got := resolve(c, typed(vendor, product, capacityOf(t, r[3]), form))
		_, listed := c.Module(got.Slug)
		if expect != "none" && expect != "ambiguous" {
			decided++
		}
		switch {
		case listed && got.Slug == expect:
			found++
		case listed:
			wrong++
			t.Logf("%q, %q, form %q is taken for %s, but means %s: %s", vendor, product, form, got.Slug, expect, r[7])
		}
	}
	t.Logf("%d of %d names are found, %d are taken for another", found, decided, wrong)
	if wrong > wrongToday {
		t.Errorf("%d names are taken for another module, %d were", wrong, wrongToday)
	}
}
