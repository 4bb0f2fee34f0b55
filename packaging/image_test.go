package packaging

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"flashdex/packaging/packagetest"

	"github.com/google/go-cmp/cmp"
)

// lookIntoImage checks that the client's image has each platform and only the client, and runs the client.
func lookIntoImage(t *testing.T, dir string) {
	found, err := filepath.Glob(filepath.Join(dir, "flashdex_*.oci.tar"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	var platforms []string
	for _, image := range packagetest.Images(t, []byte(read(t, found[0]))) {
		platforms = append(platforms, image.Platform)
		run := image.Config
		if !slices.Equal(run.Entrypoint, []string{"/flashdex"}) || len(run.Volumes) != 1 ||
			!slices.Contains(run.Env, "FLASHDEX_DIR=/results") {
			t.Errorf("%s: it is run with %+v", image.Platform, run)
		}
		got := map[string]string{}
		for path, f := range image.Files {
			if f.Regular {
				got[path] = f.Mode
			}
			switch path {
			case "/flashdex":
				compare(t, path, f.Content, "../var/clients/flashdex-linux-"+image.Platform)
				if image.Platform == runtime.GOARCH {
					runAlone(t, f.Content)
				}
			case "/etc/ssl/certs/ca-certificates.crt":
				compare(t, path, f.Content, path)
			case "/copyright":
				compare(t, path, f.Content, "../LICENSE")
			}
		}
		want := map[string]string{"/flashdex": "0755", "/etc/ssl/certs/ca-certificates.crt": "0644", "/copyright": "0644"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: files and their modes (-want +got):\n%s", image.Platform, diff)
		}
	}
	if !slices.Equal(platforms, []string{native, foreign}) {
		t.Errorf("it is for %v", platforms)
	}
}

// runAlone runs the client in a root without any other file.
func runAlone(t *testing.T, program []byte) {
	t.Helper()
	if os.Getuid() != 0 {
		return // chroot needs root
	}
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "flashdex"), program, 0o755); err != nil {
		t.Fatal(err)
	}
	said, err := exec.Command("chroot", root, "/flashdex", "version").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(said), "flashdex ") {
		t.Errorf("%v: it says %q", err, said)
	}
}
