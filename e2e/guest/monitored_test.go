package guest

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// monitored follows the output of flashdex health --prometheus through a real node_exporter and a real Prometheus,
// which has our alert rules, to the panels of the dashboard. It returns the titles of the panels that show something.
func monitored(t *testing.T, textfiles map[string][]byte) (shown []string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range textfiles {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	exporter, prometheus := freeAddress(t), freeAddress(t)
	rules, err := filepath.Abs("../../packaging/monitoring/flashdex-health.rules.yml")
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, "prometheus.yml")
	text := fmt.Sprintf("global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files: [%q]\n"+
		"scrape_configs: [{job_name: node, static_configs: [{targets: [%q]}]}]\n", rules, exporter)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	background(t, "prometheus-node-exporter", "--collector.disable-defaults", "--collector.textfile",
		"--collector.textfile.directory="+dir, "--web.listen-address="+exporter)
	background(t, "prometheus", "--config.file="+config, "--storage.tsdb.path="+filepath.Join(dir, "data"),
		"--web.listen-address="+prometheus)

	values := func(expr string) (n int) {
		var answer struct {
			Data struct{ Result []json.RawMessage }
		}
		response, err := http.Get("http://" + prometheus + "/api/v1/query?query=" + url.QueryEscape(expr))
		if err == nil {
			defer response.Body.Close()
			err = json.NewDecoder(response.Body).Decode(&answer)
		}
		if err != nil {
			return 0 // it doesn't answer yet
		}
		return len(answer.Data.Result)
	}
	// Two scrapes, since a rate needs two.
	for begun := time.Now(); values("count_over_time(flashdex_health_success[1m]) >= 2") < len(textfiles); {
		if time.Since(begun) > 2*time.Minute {
			t.Fatal("Prometheus doesn't get what the client wrote")
		}
		time.Sleep(200 * time.Millisecond)
	}
	if values("ALERTS") > 0 {
		t.Error("new modules raise an alert")
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(read(t, "../../packaging/monitoring/flashdex-health.json"), &dashboard); err != nil {
		t.Fatal(err)
	}
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			if values(strings.ReplaceAll(target.Expr, "$instance", ".*")) > 0 && !slices.Contains(shown, panel.Title) {
				shown = append(shown, panel.Title)
			}
		}
	}
	return shown
}

// background starts a program of this machine, which ends with the test.
func background(t *testing.T, program string, arguments ...string) {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("%v (make tools, as root on Debian)", err)
	}
	command := exec.Command(path, arguments...)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
}

// freeAddress returns an address of this machine that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}
