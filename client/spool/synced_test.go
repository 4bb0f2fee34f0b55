package spool_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"flashdex/client/sitetest"
	"flashdex/client/spool"
)

var (
	// If another thread makes a call in between, strace writes a call as two lines: how it began, and what it returned.
	reBegun   = regexp.MustCompile(`^(\d+) +(.*?) <unfinished \.\.\.>`)
	reEnded   = regexp.MustCompile(`^(\d+) +<\.\.\. \w+ resumed>(.*)`)
	reSynced  = regexp.MustCompile(`fsync\(\d+<([^>]*)>\) += 0`)
	reRenamed = regexp.MustCompile(`renameat\([^"]*"([^"]*)",[^"]*"([^"]*)"\) += 0`)
	reSent    = regexp.MustCompile(`write\(\d+<(TCP|socket)`)
)

// A power failure may undo unsynced writes; a kill doesn't. So a file is synced before it gets its name by a rename,
// and its directory after, before anything else is sent.
func TestWhatIsKeptIsSynced(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("needs strace")
	}
	for what, c := range map[string]struct {
		ready   func(t *testing.T, s spool.Spool, site *sitetest.Site)
		renames int
	}{
		"save": {func(*testing.T, spool.Spool, *sitetest.Site) {}, 1}, "upload": {waiting, 1}, "delete": {confirmed, 1},
		"delete --all": {confirmed, 1}, "rotate": {confirmed, 3}, // the tag key, the new secret, its name
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s, site := spool.Spool{Dir: t.TempDir()}, sitetest.Start(t)
			c.ready(t, s, site)
			trace := filepath.Join(t.TempDir(), "trace")
			command := exec.Command("strace", "-f", "-y", "-qq", "-o", trace, "-e", "trace=fsync,renameat,write", os.Args[0])
			command.Env = append(os.Environ(), doInstead+"="+what, doAt+"="+site.URL, "FLASHDEX_DIR="+s.Dir,
				"GORACE=atexit_sleep_ms=0")
			if out, err := command.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			text, err := os.ReadFile(trace)
			if err != nil {
				t.Fatal(err)
			}
			synced, renames, unsynced := map[string]bool{}, 0, ""
			begun := map[string]string{} // by thread
			for line := range strings.Lines(string(text)) {
				sent := reSent.MatchString(line) // when it begins, and not again when it ends
				if found := reBegun.FindStringSubmatch(line); found != nil {
					begun[found[1]] = found[2]
				} else if found := reEnded.FindStringSubmatch(line); found != nil {
					line = begun[found[1]] + found[2]
				}
				if found := reSynced.FindStringSubmatch(line); found != nil {
					synced[found[1]] = true
					if found[1] == unsynced {
						unsynced = ""
					}
				} else if found := reRenamed.FindStringSubmatch(line); found != nil {
					renames++
					if !synced[found[1]] {
						t.Errorf("%s was renamed to %s and not synced before", found[1], found[2])
					}
					synced[found[2]], unsynced = synced[found[1]], filepath.Dir(found[2])
				} else if unsynced != "" && sent {
					t.Errorf("something was sent before %s was synced: %s", unsynced, line)
				}
			}
			if unsynced != "" {
				t.Errorf("%s was not synced at the end", unsynced)
			}
			if renames != c.renames {
				t.Errorf("%d renames, want %d:\n%s", renames, c.renames, text)
			}
		})
	}
}
