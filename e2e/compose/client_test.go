package compose

import (
	"encoding/json"
	"strings"
	"testing"

	"flashdex/client/looptest"
	"flashdex/result"
)

// TestClientInAContainer measures a module with the image of a release, by the commands of packaging/docker/README.md,
// and finds the result again in another container.
func TestClientInAContainer(t *testing.T) {
	e := start(t)
	const kept = "flashdex-test-results"
	e.load("flashdex")
	t.Cleanup(func() { e.docker("volume", "rm", kept) })
	flashdex := func(args ...string) string {
		command := []string{"run", "--rm", "--volume", kept + ":/results"}
		return e.docker(append(command, args...)...)
	}
	const size = 512 << 20
	disk := looptest.Mount(t, size, "")
	said := flashdex("--volume", disk.Dir+":/card", "flashdex:test", "/card", "--profile", "quick", "--yes", "--json",
		"--no-upload")
	var measured struct{ Result result.Document }
	if err := json.Unmarshal([]byte(said), &measured); err != nil {
		t.Fatalf("%v in %s", err, said)
	}
	r := measured.Result
	if len(r.Tests) != 4 || r.Identity.SizeBytes != size || r.Host.Kernel == "" {
		t.Errorf("%d tests of %+v in %+v", len(r.Tests), r.Identity, r.Host)
	}
	if listed := flashdex("flashdex:test", "list"); !strings.Contains(listed, r.ID) {
		t.Errorf("the result %s is not kept: %s", r.ID, listed)
	}
}
