package measure_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"flashdex/client/device"
	"flashdex/client/looptest"
	"flashdex/client/measure"
	"flashdex/result"
	"flashdex/result/schema"
)

func busyboxDD(t *testing.T) string {
	t.Helper()
	busybox, err := exec.LookPath("busybox")
	if err != nil {
		t.Skip("needs busybox")
	}
	path := filepath.Join(t.TempDir(), "dd")
	if err := os.Symlink(busybox, path); err != nil {
		t.Fatal(err)
	}
	return path
}

func scriptDD(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "dd")
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// ofDebian is the dd of another release of Debian. e2e/dds.sh has fetched it.
func ofDebian(release, version string) func(t *testing.T) string {
	return func(t *testing.T) string {
		t.Helper()
		path, err := filepath.Abs(filepath.Join("../../var/dds", release, "dd"))
		if err != nil {
			t.Fatal(err)
		}
		said, err := exec.Command(path, "--version").CombinedOutput()
		if errors.Is(err, fs.ErrNotExist) {
			t.Skipf("make tools fetches the dd of Debian %s", release)
		}
		if !strings.Contains(string(said), version) {
			t.Skipf("Debian %s has no longer %s: %s", release, version, said)
		}
		return path
	}
}

// forgetsDirect does what uutils 0.8 and 0.12 do: it accepts the flag, but writes to the page cache. Unlike them, it
// always does so, and also reads through the page cache.
const forgetsDirect = `#!/bin/sh
for argument; do
  shift
  case $argument in oflag=direct | iflag=direct) ;; *) set -- "$@" "$argument" ;; esac
done
exec /bin/dd "$@"
`

// Every dd ends in a complete, confirmed, schema-valid result, and the test file is gone. Only the writing engine
// differs.
func TestEveryDDMeasures(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, write, read, version string // the engines of the linear tests, and its own version
		dd                         func(t *testing.T) string
	}{
		{"machine's own", "dd", "dd", "coreutils", func(*testing.T) string { return "" }},
		{"busybox", "dd", "dd", "BusyBox", busyboxDD},
		{"BusyBox 1.30 knows no direct I/O", "flashdex", "flashdex", "", ofDebian("bullseye", "1.30")},
		{"uutils 0.0.17 fails", "flashdex", "flashdex", "", ofDebian("bookworm", "0.0.17")},
		{"uutils 0.0.30 fails", "flashdex", "flashdex", "", ofDebian("trixie", "0.0.30")},
		{"uutils 0.12 drops direct I/O of writes", "flashdex", "dd", "", ofDebian("sid", "0.12.")},
		{"drops direct I/O", "flashdex", "flashdex", "", func(t *testing.T) string { return scriptDD(t, forgetsDirect) }},
		{"does nothing", "flashdex", "flashdex", "", func(t *testing.T) string { return scriptDD(t, "#!/bin/sh\n") }},
		{"missing", "flashdex", "flashdex", "", func(t *testing.T) string { return filepath.Join(t.TempDir(), "dd") }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			disk := looptest.Mount(t, 64*mib, "")
			run := runOn(t, disk.Dir)
			run.DD = c.dd(t)
			last := map[string]measure.Progress{}
			run.Progress = func(p measure.Progress) { last[p.Test] = p }
			tests, spoilers, err := run.Do(t.Context())
			// If another program syncs the page cache in time, the device gets all bytes.
			for try := 1; try < 10 && err == nil && c.write == "flashdex" && tests[0].Engine == "dd"; try++ {
				tests, spoilers, err = run.Do(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
			mustBeEmpty(t, disk.Dir)
			for i, name := range []string{result.SeqWrite, result.RandWrite, result.SeqRead, result.RandRead} {
				if tests[i].Name != name || tests[i].Ended != result.Complete || !last[name].Done {
					t.Errorf("test %d is %s, %s, progress seen to its end: %v; want %s, complete", i, tests[i].Name, tests[i].Ended,
						last[name].Done, name)
				}
				// The last line of the progress has the report's figure.
				shown := float64(last[name].Bytes) / float64(last[name].Elapsed.Nanoseconds()) * 1e3
				if figure := tests[i].Figures().MBPerS; math.Abs(shown/figure-1) > 1e-9 {
					t.Errorf("%s: the progress ends with %g MB/s, and the figure is %g", name, shown, figure)
				}
				if total := (tests[i].Ops + tests[i].WarmupOps) * tests[i].BlockBytes; total != 16*mib {
					t.Errorf("%s moved %d bytes, want the whole area", name, total)
				}
				if least := int64(16*mib) * 95 / 100; tests[i].DeviceBytes < least {
					t.Errorf("%s: the device counted %d bytes", name, tests[i].DeviceBytes)
				}
			}
			if tests[0].Engine != c.write || !strings.Contains(tests[0].EngineVersion, c.version) {
				t.Errorf("linear write by %q %q, want %q %q", tests[0].Engine, tests[0].EngineVersion, c.write, c.version)
			}
			if tests[2].Engine != c.read {
				t.Errorf("linear read by %q, want %q", tests[2].Engine, c.read)
			}
			for _, i := range []int{1, 3} {
				var wall int64
				for _, interval := range tests[i].Intervals {
					wall += interval.NS
				}
				if got := tests[i].DurationNS + tests[i].WarmupNS + tests[i].OverheadNS; got != wall || tests[i].OverheadNS < 0 {
					t.Errorf("%s: time counted, left out and lost is %d ns, the intervals %d ns", tests[i].Name, got, wall)
				}
			}
			mustBeValid(t, run.Plan, run.Target, tests, spoilers)
		})
	}
}

func mustBeValid(t *testing.T, plan measure.Plan, target device.Target, tests []result.Test,
	spoilers []string) *result.Document {
	t.Helper()
	kind := "directory"
	if target.Device != nil {
		kind = "device"
	}
	doc := result.Document{
		SchemaVersion: 1, ID: "0198f2c4-7a3b-7c11-9d5e-3f2a1b0c9d8e", Method: plan.Method, Profile: plan.Profile,
		StartedAt: "2026-11-21T09:30:00Z", Client: result.Client{Name: "flashdex", Version: "0", Platform: "linux/amd64"},
		Identity: device.Running.Identity(target.Disk), Host: device.Running.Host(target.Disk), Tests: tests,
		Target:   result.Target{Kind: kind, Filesystem: target.Filesystem},
		Spoilers: append([]string{}, spoilers...),
	}
	data, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := schema.Read(data); err != nil {
		t.Error(err)
	}
	return &doc
}
