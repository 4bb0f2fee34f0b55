package e2e

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"flashdex/client/device"
	"flashdex/client/looptest"
	"flashdex/client/measure"
	"flashdex/result"
)

// TestServerStoresEveryProfile runs each profile with many tests under short limits and uploads to a real server. It
// finds each test in the answer, on the result's page and among all results.
func TestServerStoresEveryProfile(t *testing.T) {
	s := startServer(t, t.TempDir())
	const free = 1 << 30
	for _, plan := range []measure.Plan{
		measure.Sustained(free), measure.Sweep(free), measure.Iozone(free), measure.Startup(0), measure.Files(free),
	} {
		t.Run(plan.Profile, func(t *testing.T) {
			plan.AreaBytes, plan.Look = 64<<20, 0
			for i := range plan.Steps {
				plan.Steps[i].Limit = min(plan.Steps[i].Limit, 3*time.Second)
			}
			disk, name := looptest.Mount(t, 256<<20, ""), ""
			if plan.Profile == result.ProfileStartup {
				cat, err := os.ReadFile("/bin/cat")
				if err != nil {
					t.Fatal(err)
				}
				program := filepath.Join(disk.Dir, "program")
				if err := os.WriteFile(program, cat, 0o755); err != nil {
					t.Fatal(err)
				}
				plan.Command, name = []string{program}, "program"
			}
			if plan.Profile == result.ProfileSweep {
				for i := range plan.Steps {
					plan.Steps[i].Limit = 50 * time.Millisecond
				}
			}
			target, err := device.Running.Find(disk.Dir, 0)
			if err != nil {
				t.Fatal(err)
			}
			run := &measure.Run{Kernel: device.Running, Target: target, Plan: plan}
			tests, spoilers, err := run.Do(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			doc := result.Document{
				SchemaVersion: result.SchemaVersion, ID: result.NewID(),
				Client: result.Client{Name: "flashdex", Version: "0", Platform: "linux/amd64"},
				Method: plan.Method, Profile: plan.Profile, StartedAt: "2026-11-21T09:30:00Z",
				Module:   result.Module{Vendor: "Acme", Product: "Of profiles", CapacityGB: 1, Form: "microsd"},
				Identity: device.Running.Identity(target.Disk), Host: device.Running.Host(target.Disk),
				Target: result.Target{Kind: "directory", Filesystem: target.Filesystem, Program: name},
				Tests:  tests, Spoilers: append([]string{}, spoilers...),
			}
			module := upload(t, s.site, "0a", &doc)
			confirm := exec.Command("../bin/api", "moderate", "confirm", path.Base(module), "--as=carol",
				"--reason=So that it is listed.", "--database-url", s.database)
			if said, err := confirm.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, said)
			}
			answer, status := get(t, s.site+"/v1/results/"+doc.ID)
			var got struct {
				State string `json:"state"`
			}
			if err := json.Unmarshal([]byte(answer), &got); err != nil || status != http.StatusOK || got.State != "accepted" {
				t.Errorf("status %d, %v: %.300s", status, err, answer)
			}
			page, status := get(t, s.site+"/r/"+doc.ID)
			if named := strings.Count(page, `<th scope="row">Linear write</th>`); status != http.StatusOK ||
				named != count(tests, result.SeqWrite) || strings.Contains(page, `<th scope="row"></th>`) {
				t.Errorf("the result's page, status %d, doesn't name its tests", status)
			}
			eventually(t, "the module's page shows the result", func() bool {
				page, _ := get(t, module)
				return strings.Contains(page, doc.ID)
			})
			body, _ := get(t, s.site+"/v1/results.csv")
			records, err := csv.NewReader(strings.NewReader(body)).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			var rows []string
			for _, record := range records {
				if slices.Contains(record, doc.ID) {
					rows = append(rows, strings.Join(record, ","))
				}
			}
			if len(rows) != len(tests) {
				t.Errorf("%d rows in /v1/results.csv, want %d", len(rows), len(tests))
			}
			for _, test := range tests {
				name := fmt.Sprintf(",%s,%d,", test.Name, test.BlockBytes)
				if !slices.ContainsFunc(rows, func(row string) bool { return strings.Contains(row, name) }) {
					t.Errorf("/v1/results.csv has no%s", name)
				}
			}
		})
	}
}

func count(tests []result.Test, name string) (n int) {
	for _, t := range tests {
		if t.Name == name {
			n++
		}
	}
	return n
}
