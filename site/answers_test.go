package site_test

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	reKey  = regexp.MustCompile(`<th scope="col"[^>]* data-key="([^"]+)"`)
	reCell = regexp.MustCompile(`<t[dh]\b[^>]*>`)
	reSort = regexp.MustCompile(` data-sort="([^"]+)"`)
)

// This test crawls the pages of questions and devices. Each figure on them is a figure of the same module in Explore,
// which has every row of the data.
func TestFiguresOfAnswersTraceToExplore(t *testing.T) {
	t.Parallel()
	tree := build(t)
	type column struct{ Key string }
	var explore struct {
		Columns []column
		Rows    [][]any
	}
	for path, text := range tree {
		if strings.HasPrefix(path, "data/explore.") {
			if err := json.Unmarshal([]byte(text), &explore); err != nil {
				t.Fatal(err)
			}
		}
	}
	known := map[string][]float64{} // by slug and key
	module := slices.IndexFunc(explore.Columns, func(c column) bool { return c.Key == "module" })
	for _, row := range explore.Rows {
		slug := row[module].([]any)[0].(string)
		for i, c := range explore.Columns {
			key := slug + " " + c.Key
			switch figure := row[i].(type) {
			case float64:
				known[key] = append(known[key], figure)
			case []any: // or its interval, or the least and the greatest
				for _, part := range figure {
					value, _ := part.(float64)
					known[key] = append(known[key], value)
				}
			}
		}
	}
	pages, traced := 0, 0
	for path, text := range tree {
		if !strings.HasPrefix(path, "for/") && !strings.HasPrefix(path, "device/") {
			continue
		}
		_, table, found := strings.Cut(text, `<table class="sortable`)
		if !found {
			continue
		}
		pages++
		keys := reKey.FindAllStringSubmatch(table, -1)
		for _, row := range strings.Split(table, "<tr><td class=\"rank\"")[1:] {
			_, after, _ := strings.Cut(row, `<a href="/modules/`)
			slug, _, _ := strings.Cut(after, "/")
			for i, cell := range reCell.FindAllString(row, len(keys)-1) { // without the first one, the rank
				key := keys[i+1][1]
				sort := reSort.FindStringSubmatch(cell)
				if sort == nil || !strings.Contains(key, "_") {
					continue
				}
				value, err := strconv.ParseFloat(sort[1], 64)
				if err != nil || !slices.ContainsFunc(known[slug+" "+key], func(k float64) bool {
					return math.Abs(k-value) <= 1e-3*math.Abs(value)
				}) {
					t.Errorf("%s: %s has %s of %s, and in Explore %v", path, slug, key, sort[1], known[slug+" "+key])
				}
				traced++
			}
		}
	}
	t.Logf("%d pages, %d figures", pages, traced)
	if pages < 70 || traced < 1000 {
		t.Errorf("%d figures of %d pages were traced", traced, pages)
	}
}
