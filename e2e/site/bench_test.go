package site_test

import (
	"flag"
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

var lighthouseRuns = flag.Int("lighthouse", 5, "how often Lighthouse scores each page")

// BenchmarkLighthouse scores one page of each kind that search engines may list, as a phone on a slow line sees it:
// the medians of performance, accessibility, best practices and SEO.
func BenchmarkLighthouse(b *testing.B) {
	install := exec.Command("npm", "ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir = "../lighthouse"
	if output, err := install.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, output)
	}
	s := serve(b, build(b))
	arguments := []string{"../lighthouse/run.mjs", s.URL, fmt.Sprint(*lighthouseRuns)}
	for _, p := range s.find(b) {
		if p.Model && p.listed || p.Path == *only {
			arguments = append(arguments, p.Path)
		}
	}
	output, err := exec.Command("node", arguments...).Output()
	if err != nil {
		b.Fatalf("%v\n%s", err, output)
	}
	least := [4]float64{100, 100, 100, 100}
	for line := range strings.Lines(string(output)) {
		fmt.Print(line)
		var path string
		var scores [4]float64
		if _, err := fmt.Sscan(line, &path, &scores[0], &scores[1], &scores[2], &scores[3]); err != nil {
			b.Fatalf("%q: %v", line, err)
		}
		for i, score := range scores {
			least[i] = min(least[i], score)
		}
	}
	b.ReportMetric(0, "ns/op")
	for i, name := range []string{"performance", "accessibility", "best-practices", "SEO"} {
		b.ReportMetric(least[i], "least-"+name)
	}
}
