// Package deploy holds the files that run and watch the server: images, a systemd unit, alerts and a dashboard. Its
// tests compare them with the program; e2e/compose runs the images.
package deploy

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"flashdex/api/metrics"
	"flashdex/api/rest"

	"github.com/prometheus/client_golang/prometheus"
)

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// run runs a program that make tools installs.
func run(t *testing.T, program string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("%s is not installed (make tools, as root on Debian)", program)
	}
	output, err := exec.Command(path, args...).CombinedOutput()
	if err != nil {
		t.Errorf("%s %s: %v\n%s", program, strings.Join(args, " "), err, output)
	}
	return string(output)
}

func TestAlertsHold(t *testing.T) {
	t.Parallel()
	run(t, "promtool", "check", "config", "prometheus.yml")
	run(t, "promtool", "test", "rules", "alerts_test.yml")
	var alerts []string
	for _, found := range regexp.MustCompile(`alert: (\w+)`).FindAllStringSubmatch(read(t, "alerts.yml"), -1) {
		alerts = append(alerts, found[1])
	}
	if len(alerts) < 10 {
		t.Fatalf("alerts: %v", alerts)
	}
	tests, operations := read(t, "alerts_test.yml"), read(t, "../../docs/operations.md")
	for _, alert := range alerts {
		if n := strings.Count(tests, "alertname: "+alert); n < 2 {
			t.Errorf("%s is tested %d times, and not both ways", alert, n)
		}
		if !strings.Contains(operations, "`"+alert+"`") {
			t.Errorf("docs/operations.md doesn't say what to do about %s", alert)
		}
	}
}

// Prometheus understands every query of the dashboard, and the program has every metric in it.
func TestDashboardAsksForWhatThereIs(t *testing.T) {
	t.Parallel()
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal([]byte(read(t, "dashboard.json")), &dashboard); err != nil {
		t.Fatal(err)
	}
	rules := "groups: [{name: dashboard, rules: ["
	var asked []string
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			asked = append(asked, target.Expr)
			rules += fmt.Sprintf("\n{record: r%d, expr: %q},", len(asked),
				strings.ReplaceAll(target.Expr, "$__rate_interval", "5m"))
		}
	}
	file := filepath.Join(t.TempDir(), "rules.yml")
	if err := os.WriteFile(file, []byte(rules+"]}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, "promtool", "check", "rules", file)

	known := names(t)
	if len(asked) < 20 || len(known) < 20 {
		t.Fatalf("%d questions, %d metrics", len(asked), len(known))
	}
	ours := regexp.MustCompile(`\b(flashdex|process|go)_\w+`)
	for _, name := range ours.FindAllString(strings.Join(asked, "\n")+read(t, "alerts.yml"), -1) {
		if !slices.Contains(known, strings.TrimSuffix(name, "_bucket")) {
			t.Errorf("the program has no metric %s", name)
		}
	}
	// Every metric that docs/operations.md explains is on the dashboard or in an alert.
	for _, name := range known {
		if strings.HasPrefix(name, "flashdex_") && !strings.Contains(strings.Join(asked, "\n")+read(t, "alerts.yml"), name) {
			t.Errorf("neither the dashboard nor an alert uses %s", name)
		}
	}
}

// systemd understands the unit, and the unit denies the service every right that it doesn't need.
func TestUnitIsSandboxed(t *testing.T) {
	t.Parallel()
	program, err := filepath.Abs("../../bin/api")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(program); err != nil {
		t.Fatalf("%v (make build)", err)
	}
	file := filepath.Join(t.TempDir(), "flashdex.service")
	unit := strings.Replace(read(t, "flashdex.service"), "/usr/lib/flashdex/api", program, 1)
	if err := os.WriteFile(file, []byte(unit), 0o600); err != nil {
		t.Fatal(err)
	}
	said := run(t, "systemd-analyze", "verify", "--man=no", "--recursive-errors=no", file)
	if strings.Contains(said, "flashdex.service") {
		t.Error(said)
	}
	// In tenths of its ten points; an unprotected service has 96.
	run(t, "systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=15", file)
}

// quiet is a database without uploads.
type quiet struct{ metrics.Database }

func (quiet) Waiting(context.Context) (submissions int, since time.Time, err error)  { return }
func (quiet) Connections() (busy, idle, most int, waits int64, waited time.Duration) { return }
func (quiet) ReplicaReads() (replica, primary int64)                                 { return }

// names returns the metrics that a server has. The registry describes the metrics of requests before the first request,
// and gathers the others when somebody asks.
func names(t *testing.T) (names []string) {
	t.Helper()
	published := metrics.Publication{PublishedAt: time.Now()}
	registry := metrics.Registry(quiet{}, func() metrics.Publication { return published })
	rest.New(rest.Config{Metrics: registry})
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		names = append(names, family.GetName())
	}
	descriptions := make(chan *prometheus.Desc, 1000)
	registry.Describe(descriptions)
	close(descriptions)
	for d := range descriptions {
		names = append(names, regexp.MustCompile(`fqName: "(\w+)"`).FindStringSubmatch(d.String())[1])
	}
	return names
}
