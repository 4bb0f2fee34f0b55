package site_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The home page says how many units its results are of. A result that is shown before it counts is of no unit.
func TestStampSaysOfHowManyUnitsResultsAre(t *testing.T) {
	t.Parallel()
	hugo := program(t)
	const unit = `<a href="/glossary/#unit">`
	for _, c := range []struct {
		results, units int
		want           string
	}{
		{0, 0, "<dd>0 </dd>"},
		{2, 0, "<dd>2 <small>shown; none counts yet</small></dd>"},
		{2, 1, "<dd>2 <small>of 1 " + unit + "unit</a></small></dd>"},
		{1234, 56, "<dd>1,234 <small>of 56 " + unit + "units</a></small></dd>"},
	} {
		project := t.TempDir()
		partials := filepath.Join(project, "layouts/_partials")
		if err := os.CopyFS(partials, os.DirFS("layouts/_partials")); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{
			"hugo.toml":         "disableKinds = ['taxonomy', 'term', 'rss', 'sitemap', '404', 'section']\n",
			"layouts/home.html": `{{ partial "stamp.html" . }}`,
			"assets/data/meta.json": fmt.Sprintf(`{"Modules": 3, "Results": %d, "Units": %d, "PublishedFigures": 4,
				"BuiltAt": "2026-11-26T10:00:00Z"}`, c.results, c.units),
		} {
			file := filepath.Join(project, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.CommandContext(t.Context(), hugo, "--source", project, "--noBuildLock", "--panicOnWarning")
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		stamp, err := os.ReadFile(filepath.Join(project, "public/index.html"))
		if err != nil || !strings.Contains(string(stamp), c.want) {
			t.Errorf("%v: lacks %s:\n%s", err, c.want, stamp)
		}
	}
}
