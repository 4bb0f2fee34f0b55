package packaging

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// promtool runs promtool, with a text on its stdin.
func promtool(t *testing.T, stdin string, arguments ...string) {
	t.Helper()
	command := exec.Command("promtool", arguments...)
	command.Stdin = strings.NewReader(stdin)
	if said, err := command.CombinedOutput(); errors.Is(err, exec.ErrNotFound) {
		t.Skipf("%v (make tools, as root on Debian)", err)
	} else if err != nil {
		t.Errorf("promtool %q: %v\n%s", arguments, err, said)
	}
}

// Prometheus accepts the client's output. The alerts come when they should, and not before. The dashboard asks for
// metrics that the client writes.
func TestMonitoringOfHealth(t *testing.T) {
	t.Parallel()
	rules, dashboardText := read(t, "monitoring/flashdex-health.rules.yml"), read(t, "monitoring/flashdex-health.json")
	promtool(t, "", "test", "rules", "monitoring/flashdex-health_test.yml")
	tests, readme := read(t, "monitoring/flashdex-health_test.yml"), read(t, "monitoring/README.md")
	for _, alert := range regexp.MustCompile(`alert: (\w+)`).FindAllStringSubmatch(rules, -1) {
		if strings.Count(tests, "alertname: "+alert[1]) < 2 || !strings.Contains(readme, "`"+alert[1]+"`") {
			t.Errorf("%s isn't tested both ways, or not explained", alert[1])
		}
	}

	var dashboard struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	if err := json.Unmarshal([]byte(dashboardText), &dashboard); err != nil {
		t.Fatal(err)
	}
	asked := "groups: [{name: dashboard, rules: ["
	for i, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			asked += fmt.Sprintf("\n{record: r%d, expr: %q},", i, target.Expr)
		}
	}
	file := filepath.Join(t.TempDir(), "rules.yml")
	if err := os.WriteFile(file, []byte(asked+"]}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	promtool(t, "", "check", "rules", "--lint=none", file)

	// The client's transcript holds files that the client wrote.
	written := regexp.MustCompile(`(?m)^(# (HELP|TYPE) )?flashdex_health_.*\n`)
	transcript := read(t, "../client/testdata/health.txt")
	_, sd, _ := strings.Cut(transcript, "-- sd.want --\n")
	sd, _, _ = strings.Cut(sd, "-- ")
	if lines := strings.Join(written.FindAllString(sd, -1), ""); strings.Count(lines, "\n") < 10 {
		t.Errorf("the transcript holds no file: %q", lines)
	} else {
		promtool(t, lines, "check", "metrics")
	}
	known := regexp.MustCompile(`write\("(\w+)"`).FindAllStringSubmatch(read(t, "../client/healthwords.go"), -1)
	names := regexp.MustCompile(`flashdex_health_(\w+)`)
	for _, used := range names.FindAllStringSubmatch(rules+dashboardText, -1) {
		if !slices.ContainsFunc(known, func(name []string) bool { return name[1] == used[1] }) {
			t.Errorf("the client writes no flashdex_health_%s", used[1])
		}
	}
	for _, name := range known {
		if !strings.Contains(rules+dashboardText, "flashdex_health_"+name[1]) {
			t.Errorf("neither the dashboard nor an alert uses flashdex_health_%s", name[1])
		}
	}
}
