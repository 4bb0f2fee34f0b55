package measure_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"flashdex/client/device"
	"flashdex/client/looptest"
	"flashdex/result"
)

// What the watch sees during a run is in its result.
func TestRunIsWatched(t *testing.T) {
	t.Parallel()
	disk := looptest.Mount(t, 64*mib, "")
	run := runOn(t, disk.Dir)
	run.Kernel = device.Kernel{Sys: "/sys", Proc: t.TempDir()}
	swaps := "Filename\tType\tSize\tUsed\tPriority\n" + disk.Device + " partition\t1\t0\t-2\n"
	if err := os.WriteFile(filepath.Join(run.Kernel.Proc, "swaps"), []byte(swaps), 0o644); err != nil {
		t.Fatal(err)
	}
	tests, spoilers, err := run.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(spoilers, result.Swap) {
		t.Errorf("spoilers %v of a disk that is swap space", spoilers)
	}
	mustBeValid(t, run.Plan, run.Target, tests, spoilers)
}
