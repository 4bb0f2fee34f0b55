package catalogue_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Each row of testdata/spellings.csv is a name that somebody wrote, its source, and the module that it means: a slug;
// "none" if the catalogue has no such module; or "ambiguous" if it may mean several modules or generations, or is too
// vague for a guess. For "none" and "ambiguous", only a provisional module is right. The test fails if Resolve takes
// one product for another. A provisional module in place of a listed one is no failure, but the test prints the share
// of names that Resolve finds, and it must not fall.
func TestSpellings(t *testing.T) {
	t.Parallel()
	rows := readTable(t, "spellings.csv")
	if len(rows) < 300 {
		t.Fatalf("%d rows", len(rows))
	}
	named, right, wrong := resolveAll(t, rows)
	for _, said := range wrong {
		t.Error(said)
	}
	if recall := float64(right) / float64(named); recall < 0.9 {
		t.Errorf("recall %.3f, want at least 0.9", recall)
	}
}

// testdata/collected_spellings.csv has names from public threads, in two halves that a hash drew. Rules are made by
// the half "tuning". Nobody looks at how the half "aside" is resolved until they are made, so that it tells how good
// they are for names that nobody has seen. Behind the half, rows are as in TestSpellings. No more names may be taken for
// another module than are today.
func TestCollectedSpellings(t *testing.T) {
	t.Parallel()
	const wrongToday = 10
	var tuning [][]string
	for _, r := range readTable(t, "collected_spellings.csv") {
		if r[0] == "tuning" {
			tuning = append(tuning, r[1:])
		}
	}
	if len(tuning) < 300 {
		t.Fatalf("%d rows", len(tuning))
	}
	if _, _, wrong := resolveAll(t, tuning); len(wrong) > wrongToday {
		t.Errorf("%d names are taken for another module, %d were:\n%s", len(wrong), wrongToday, strings.Join(wrong, "\n"))
	}
}

// resolveAll resolves names: rows of vendor, product, capacity in GB, form, source and the module that is meant. It
// counts the spellings of listed modules and how many it finds, and says which are taken for another module.
func resolveAll(t *testing.T, rows [][]string) (named, right int, wrong []string) {
	t.Helper()
	c := load(t)
	for _, r := range rows {
		capacity, expect := 0.0, r[5]
		if r[2] != "" {
			var err error
			if capacity, err = strconv.ParseFloat(r[2], 64); err != nil {
				t.Fatal(err)
			}
		}
		means := expect != "none" && expect != "ambiguous"
		if _, known := c.Module(expect); means && !known {
			t.Errorf("%q: the catalogue has no module %q", r[1], expect)
		}
		got := resolve(c, typed(r[0], r[1], capacity, r[3]))
		_, listed := c.Module(got.Slug)
		if means {
			named++
		}
		switch {
		case listed && got.Slug == expect:
			right++
		case listed:
			wrong = append(wrong, fmt.Sprintf("%q %q, %g GB, form %q is taken for %s, but means %s", r[0], r[1], capacity, r[3],
				got.Slug, expect))
		case means:
			t.Logf("%q %q, %g GB, form %q is not found, but means %s", r[0], r[1], capacity, r[3], expect)
		}
	}
	t.Logf("%d spellings, %d of modules in the catalogue: %d found, %d names taken for another", len(rows), named, right,
		len(wrong))
	return named, right, wrong
}

// readTable reads a table of testdata without its head.
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
	return rows[1:]
}
