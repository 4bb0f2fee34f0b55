package e2e

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"flashdex/api/store/cluster/clustertest"
	"flashdex/e2e/need"
	"flashdex/result"
)

// TestTables uses the tables in a browser, with the published figures and a module whose name is hostile.
func TestTables(t *testing.T) {
	need.Browser(t, root)
	s := startServer(t, t.TempDir())
	document, err := os.ReadFile("../result/testdata/valid/sd-card.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc result.Document
	if err := json.Unmarshal(document, &doc); err != nil {
		t.Fatal(err)
	}
	doc.ID, doc.Module.Vendor, doc.Module.Product = result.NewID(), `=HYPERLINK("x")`, "<img src=x onerror=alert(1)>"
	doc.Spoilers = []string{} // so that it counts
	page := upload(t, s.site, "0a", &doc)
	doc.ID, doc.UnitTag = result.NewID(), strings.Repeat("0b", 16)
	upload(t, s.site, "0b", &doc) // so that the module is listed

	// A ranked module, slower than the module with a single lucky run.
	doc.Module.Vendor, doc.Module.Product = "Acme", "Slow and Sure" // a brand that no registers contradict
	doc.Module.Price = &result.Price{Amount: 12, Currency: "EUR", On: "2026-10"}
	read := doc.Test(result.SeqRead)
	read.DurationNS *= 2
	for i := range read.Intervals {
		read.Intervals[i].NS *= 2
	}
	for _, contributor := range []string{"1a", "2b", "3c"} {
		doc.ID, doc.UnitTag = result.NewID(), strings.Repeat(contributor, 16)
		page = upload(t, s.site, contributor, &doc)
	}
	clustertest.Spread(t, s.database)
	eventually(t, "the module is published", func() bool {
		_, status := get(t, page)
		return status == http.StatusOK
	})
	if err := os.MkdirAll("screenshots", 0o755); err != nil {
		t.Fatal(err)
	}
	output, err := exec.Command("node", "tables.mjs", s.site, "screenshots").CombinedOutput()
	t.Logf("%s", output)
	if err != nil || !strings.Contains(string(output), "without JavaScript") {
		t.Errorf("the browser: %v", err)
	}
}

// BenchmarkTables measures sorting and filtering in Chromium: a page of a ranking, and the explorer with 10,000 rows.
func BenchmarkTables(b *testing.B) {
	s := startServer(b, b.TempDir())
	output, err := exec.Command("node", "tables-bench.mjs", s.site).CombinedOutput()
	var figures map[string]float64
	if err != nil || json.Unmarshal(output, &figures) != nil {
		b.Fatalf("%v\n%s", err, output)
	}
	b.ReportMetric(0, "ns/op")
	for name, value := range figures {
		b.ReportMetric(value, name)
	}
}
