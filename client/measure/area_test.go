package measure_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"flashdex/client/looptest"
)

// If a file system keeps the name of an open file, nothing is written to the file, and the error names it.
func TestNothingIsWrittenToAFileThatKeepsItsName(t *testing.T) {
	t.Parallel()
	disk := looptest.Mount(t, 64*mib, "")
	run := runOn(t, disk.Dir)
	if said, err := exec.Command("chattr", "+a",
		disk.Dir).CombinedOutput(); err != nil { // here files can be made, but not removed
		t.Fatalf("%v: %s", err, said)
	}
	_, _, err := run.Do(t.Context())
	if said, err := exec.Command("chattr", "-a", disk.Dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	entries, listErr := os.ReadDir(disk.Dir)
	if listErr != nil || len(entries) != 1 {
		t.Fatalf("%v, %v", entries, listErr)
	}
	if err == nil || !strings.Contains(err.Error(), "nothing was written to it") ||
		!strings.Contains(err.Error(), entries[0].Name()) {
		t.Errorf("Do: %v, want that nothing was written to %s", err, entries[0].Name())
	}
	if info, err := entries[0].Info(); err != nil || info.Size() != 0 {
		t.Errorf("%v, %v: it was written to", info, err)
	}
}
