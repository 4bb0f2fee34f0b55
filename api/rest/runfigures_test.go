package rest_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flashdex/api/dataset"
	"flashdex/result"
)

var (
	reTestTable = regexp.MustCompile(`(?s)id="figures".*?<thead><tr>(.*?)</tr></thead>\s*<tbody>(.*?)</tbody>`)
	reHeadCell  = regexp.MustCompile(`<th scope="col"[^>]*>(.*?)</th>`)
	reBodyCell  = regexp.MustCompile(`<t[hd] ?[^>]*>(.*?)</t[hd]>`)
)

// The JSON of a result, the data set's CSV and the page of the run have the same columns for each test.
func TestResultPageAndDataSetHaveTheSameColumns(t *testing.T) {
	t.Parallel()
	for _, c := range result.TestColumns {
		if !slices.ContainsFunc(dataset.Results.Fields, func(f dataset.Field) bool { return f.Name == c.Key }) {
			t.Errorf("the data set has no column %s", c.Key)
		}
		if schema, _ := agreed().at("components", "schemas", "Figures", "properties", c.Key); schema == nil {
			t.Errorf("openapi.json has no property %s", c.Key)
		}
		if with := c.With; c.Label == "" &&
			!slices.ContainsFunc(result.TestColumns, func(c result.TestColumn) bool { return c.Key == with && c.Label != "" }) {
			t.Errorf("the page has no column %s, nor shows it within another", c.Key)
		}
	}
	b := start(t)
	seen := map[string]bool{}
	for _, name := range []string{
		"", "sustained-1", "imported-fio", "imported-h2testw", "iozone-1", "files-1", "reference-2", "startup-1",
		"structure-1", "structure-2", "recorder-1", "queue-1",
	} {
		id, body := example(t)
		if name != "" {
			id, body = exampleOf(t, name)
		}
		if a := b.do(b.upload(id, body)); a.status != http.StatusCreated {
			t.Fatalf("%d %s", a.status, a.body)
		}
		var answer struct{ Figures []map[string]any }
		if err := json.Unmarshal(b.get("/v1/results/"+id).body, &answer); err != nil {
			t.Fatal(err)
		}
		rows := rowsOf(t, b.get("/v1/results.csv").body)
		csv := map[string]func(key string) string{} // by test and block size
		for _, row := range rows[1:] {
			cell := func(key string) string { return row[slices.Index(rows[0], key)] }
			if cell("result") == id {
				csv[cell("test")+cell("block_bytes")] = cell
			}
		}
		page := string(b.get("/r/" + id).body)
		if name == "imported-h2testw" && !strings.Contains(page, "only 0.688 of 41.5 GB came back as written") {
			t.Errorf("the page doesn't say what came back")
		}
		table := reTestTable.FindStringSubmatch(page)
		if len(table) == 0 || len(csv) != len(answer.Figures) {
			t.Fatalf("%s: the page has no table, or the CSV has %d tests and the JSON %d", name, len(csv), len(answer.Figures))
		}
		heads, lines := reHeadCell.FindAllStringSubmatch(table[1], -1), strings.Split(strings.TrimSpace(table[2]), "\n")
		for i, test := range answer.Figures {
			inCSV := csv[test["test"].(string)+text(test["block_bytes"])]
			cells := reBodyCell.FindAllStringSubmatch(lines[i], -1)
			for _, c := range result.TestColumns {
				known := test[c.Key] != nil
				seen[c.Key] = seen[c.Key] || known
				if got, want := inCSV(c.Key), text(test[c.Key]); got != want {
					t.Errorf("%s, %s: %s in CSV %q, in JSON %q", name, test["test"], c.Key, got, want)
				}
				at := slices.IndexFunc(heads, func(head []string) bool {
					label, _, _ := strings.Cut(head[1], " <small>")
					return label == c.Label
				})
				if c.Label != "" && (at < 0 || known && cells[at][1] == "") {
					t.Errorf("%s, %s: the page doesn't show %s", name, test["test"], c.Key)
				}
			}
		}
	}
	for _, c := range result.TestColumns {
		if !seen[c.Key] {
			t.Errorf("no example has %s: this tests nothing", c.Key)
		}
	}
}

// For some imported tests nobody knows how much was in flight: neither answer, file nor page calls it 0. For our own
// tests it is known.
func TestAnUnknownQueueDepthIsNotShownAsNone(t *testing.T) {
	t.Parallel()
	b := start(t)
	unknown := []string{`"queue_depth":1`, `"queue_depth":0`}
	id, body := exampleOf(t, "imported-h2testw", unknown...)
	if a := b.do(b.upload(id, body)); a.status != http.StatusCreated {
		t.Fatalf("%d %s", a.status, a.body)
	}
	var answer struct{ Figures []map[string]any }
	if err := json.Unmarshal(b.get("/v1/results/"+id).body, &answer); err != nil {
		t.Fatal(err)
	}
	rows := rowsOf(t, b.get("/v1/results.csv").body)
	at, page := slices.Index(rows[0], "queue_depth"), string(b.get("/r/"+id).body)
	if len(answer.Figures) != 2 || answer.Figures[0]["queue_depth"] != nil || rows[1][at] != "" ||
		strings.Count(page, "the page cache, in flight: not known") != 2 {
		t.Errorf("JSON %v, CSV %q, page %t", answer.Figures, rows[1][at], strings.Contains(page, "in flight: not known"))
	}
	id, body = exampleOf(t, "sustained-1", unknown...)
	if a := b.do(b.upload(id, body)); a.status != http.StatusUnprocessableEntity {
		t.Errorf("a test of our own: %d %s", a.status, a.body)
	}
}

// text returns a value of a JSON answer as CSV writes it.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}
