package packaging

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const profile = "phoronix/flashdex-1.0.0"

func TestPhoronixFilesAreXML(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"test-definition.xml", "results-definition.xml"} {
		decoder := xml.NewDecoder(strings.NewReader(read(t, filepath.Join(profile, name))))
		for {
			if _, err := decoder.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Errorf("%s: %v", name, err)
				break
			}
		}
	}
}

// The launcher turns a report of the client into lines. Each result of the definition reads one of these lines.
func TestPhoronixReadsTheReport(t *testing.T) {
	t.Parallel()
	_, wide, _ := strings.Cut(read(t, "../client/testdata/show.txt"), "-- shown --\n")
	const narrow = "\nCard\n\nrand-write 1,234 IOPS\n  95 % INTERVAL: 1,200 to 1,300\n  p50: 10 ms\n  p99: 11 ms\n" +
		"  MAX: 12.5 ms\n  ENDED: settled\nseq-write 20 MB/s\n  ENDED: all 256 MiB\n"
	const sustained = "\nTEST       MEAN       VARIATION  WORST SECOND  CLIFF      MOVED  TIME\n" +
		"seq-write  12.5 MB/s  3 %        4.25 MB/s     none seen  3 GB   300 s\n" +
		"seq-read   30 MB/s    1 %        29.5 MB/s     none seen  3 GB   120 s\n"
	known := map[string]bool{} // lines, up to their figures
	for _, c := range []struct {
		report string
		lines  []string
	}{
		{wide, []string{"rand-read figure in IOPS: 2000", "rand-write MAX in ms: 10.4", "rand-write figure in IOPS: 100",
			"seq-read figure in MB/s: 40", "seq-write figure in MB/s: 20"}},
		{narrow, []string{"rand-write MAX in ms: 12.5", "rand-write figure in IOPS: 1234", "rand-write p99 in ms: 11",
			"seq-write figure in MB/s: 20"}},
		{sustained, []string{"seq-write WORST SECOND in MB/s: 4.25", "seq-write figure in MB/s: 12.5",
			"seq-read WORST SECOND in MB/s: 29.5", "seq-read figure in MB/s: 30"}},
	} {
		log, err := launch(t, "cat <<'END'\n"+c.report+"\nKept in /home/somebody/x.json\nEND")
		if err != nil || strings.Contains(log, "Kept in") {
			t.Fatalf("%v\n%s", err, log)
		}
		for _, line := range c.lines {
			if !strings.Contains(log, "\nPTS "+line+"\n") {
				t.Errorf("no line %q in\n%s", line, log)
			}
			hint, _, _ := strings.Cut(line, ": ")
			known["PTS "+hint+":"] = true
		}
	}
	definition := read(t, filepath.Join(profile, "results-definition.xml"))
	hints := regexp.MustCompile("<LineHint>(.*)</LineHint>").FindAllStringSubmatch(definition, -1)
	for _, hint := range hints {
		if !known[hint[1]] || !strings.Contains(definition, "<OutputTemplate>"+hint[1]+" #_RESULT_#</OutputTemplate>") {
			t.Errorf("no line has %q, or its template differs", hint[1])
		}
	}
	if len(hints) != len(known) {
		t.Errorf("%d results are read of %d", len(hints), len(known))
	}
}

func TestPhoronixSaysWhyNothingWasMeasured(t *testing.T) {
	t.Parallel()
	log, err := launch(t, "echo 'flashdex: /mnt/card is memory, not a module' >&2; exit 2")
	if err == nil || !strings.Contains(log, "ERROR: /mnt/card is memory, not a module") {
		t.Errorf("%v: %s", err, log)
	}
}

// launch installs the profile with a client that is a script, runs it once, and returns the log.
func launch(t *testing.T, client string) (log string, err error) {
	t.Helper()
	home, programs := t.TempDir(), t.TempDir()
	client = "#!/bin/sh\n[ \"$1\" != version ] || exec echo flashdex 1 linux\n" + client + "\n"
	if err := os.WriteFile(filepath.Join(programs, "flashdex"), []byte(client), 0o700); err != nil {
		t.Fatal(err)
	}
	install, err := filepath.Abs(filepath.Join(profile, "install.sh"))
	if err != nil {
		t.Fatal(err)
	}
	environment := append(os.Environ(), "HOME="+home, "LOG_FILE="+home+"/log", "PATH="+programs+":"+os.Getenv("PATH"))
	for _, arguments := range [][]string{{"sh", install}, {"./flashdex-pts", "standard", "/mnt/card"}} {
		command := exec.Command(arguments[0], arguments[1:]...)
		command.Dir, command.Env = home, environment
		said, failed := command.CombinedOutput()
		if err = failed; err != nil && arguments[0] == "sh" {
			t.Fatalf("%v: %s", err, said)
		}
	}
	return read(t, home+"/log"), err
}
