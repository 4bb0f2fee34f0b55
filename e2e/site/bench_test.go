package site_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
)

var lighthouseRuns = flag.Int("lighthouse", 1, "how often Lighthouse scores each page; the medians are shown")

// BenchmarkLighthouse scores the largest page of each kind, and the pages of a fresh start, as a phone on a slow line
// sees them. Accessibility, best practices and SEO must be 100. Performance depends on the machine, and is only shown.
func BenchmarkLighthouse(b *testing.B) {
	install := exec.Command("npm", "ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir = "../lighthouse"
	if output, err := install.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, output)
	}
	b.Run("fixture", func(b *testing.B) {
		s := serve(b, build(b))
		var pages []*page
		for _, same := range kinds(s.find(b)) {
			pages = append(pages, same[0])
		}
		s.score(b, pages)
	})
	fresh := freshStart(b)
	b.Run("fresh", func(b *testing.B) { fresh.score(b, fresh.freshPages(b)) })
	b.Run("fresh without scripts", func(b *testing.B) { fresh.score(b, fresh.freshPages(b), "*.js") })
}

// score prints a line for each page as soon as Lighthouse has its scores, and reports the lowest. The pages get nothing
// from blocked addresses.
func (s *served) score(b *testing.B, pages []*page, blocked ...string) {
	b.Helper()
	type asked struct {
		Path string   `json:"path"`
		Skip []string `json:"skip"` // audits of things that the page lacks on purpose
	}
	var all []asked
	for _, p := range pages {
		one := asked{Path: p.Path}
		if !p.listed { // head holds such pages to noindex, or to an address that search engines take instead
			one.Skip = append(one.Skip, "is-crawlable")
		}
		if p.status == http.StatusNotFound {
			one.Skip = append(one.Skip, "http-status-code")
		}
		if p.status == http.StatusNotFound || len(blocked) > 0 { // Chromium's console names what it doesn't get
			one.Skip = append(one.Skip, "errors-in-console")
		}
		all = append(all, one)
	}
	list, err := json.Marshal(all)
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.CommandContext(b.Context(), "node",
		append([]string{"../lighthouse/run.mjs", s.URL, fmt.Sprint(*lighthouseRuns)}, blocked...)...)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(list), os.Stderr
	output, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	least := [4]float64{100, 100, 100, 100}
	lines := bufio.NewScanner(output)
	for i := 0; lines.Scan(); i++ {
		line := lines.Text()
		var path string
		var scores [4]float64
		if _, err := fmt.Sscan(line, &path, &scores[0], &scores[1], &scores[2], &scores[3]); err != nil {
			b.Fatalf("%q: %v", line, err)
		}
		if skip := all[i].Skip; len(skip) > 0 {
			line += " (on purpose without " + strings.Join(skip, ", ") + ")"
		}
		fmt.Println(line)
		for k, score := range scores {
			least[k] = min(least[k], score)
		}
		if min(scores[1], scores[2], scores[3]) < 100 {
			b.Errorf("accessibility, best practices and SEO must be 100, and the page lost audits: %s", line)
		}
	}
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(0, "ns/op")
	for i, name := range []string{"performance", "accessibility", "best-practices", "SEO"} {
		b.ReportMetric(least[i], "least-"+name)
	}
}
