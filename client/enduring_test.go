package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"flashdex/client/looptest"
	"flashdex/client/spool"
	"flashdex/result"
)

// A run that wears a module out says so, is interrupted and goes on. When its owner ends it, it has one result, even
// without the module.
func TestEndureIsEndedByItsOwner(t *testing.T) {
	t.Parallel()
	const size = 64 << 20
	disk := looptest.Attach(t, size, "--direct-io=on")
	begun, dir := client(t, "--device", disk, "--erase", "--yes", "--profile", "endure", "--no-upload")
	said := until(t, begun, "endure-read")
	for _, want := range []string{"Erases  all of it", "written and read back, again and again, until it is dead",
		"Writes  0.1 GB in each pass", "until the module is dead, days to months", "flashdex resume continues it",
		"pass 1, 0 wrong, 0 failed"} {
		if !strings.Contains(strings.Join(strings.Fields(said), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("%q isn't in %s", want, said)
		}
	}
	interrupt(t, begun)
	again := resuming(t, dir)
	second := again()
	if said := until(t, second, "endure-read"); !strings.Contains(said, "GB in ") || !strings.Contains(said, "passes") {
		t.Errorf("it went on with %s", said)
	}
	kill(t, second)
	if err := os.WriteFile(disk, make([]byte, 4096), 0o600); err != nil { // as a module whose first MiB is lost
		t.Fatal(err)
	}
	if _, said, code := output(again()); code != exitUsage || !strings.Contains(said, "flashdex resume --end gone") {
		t.Errorf("without the run's mark: exit code %d, %s", code, said)
	}
	shown, said, code := output(again("--end", "stopped"))
	if code != 0 || !strings.Contains(shown, "It lasts longer than it was watched.") {
		t.Fatalf("exit code %d, %s%s", code, shown, said)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	if journals, _ := filepath.Glob(filepath.Join(dir, "*.unfinished")); len(files) != 1 || len(journals) > 0 {
		t.Fatalf("%q, %q", files, journals)
	}
	doc, _, err := spool.Read(files[0])
	if err != nil {
		t.Fatal(err)
	}
	life, _ := result.LifeOf(doc.Tests)
	if life.Cycles < 2 || life.Dead || life.WrongOps+life.FailedOps > 0 || doc.Resumed != 1 || doc.Check() != nil {
		t.Errorf("%+v, resumed %d times, %v", life, doc.Resumed, doc.Check())
	}
}
