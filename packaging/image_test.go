package packaging

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Parts of the OCI image format 1.0: the list of images, or one image; and how an image is run.
type (
	part  struct{ Digest string }
	image struct {
		Manifests []struct {
			part
			Platform struct{ OS, Architecture string }
		}
		Config part
		Layers []part
	}
	settings struct {
		OS, Architecture string
		Config           struct {
			Entrypoint, Env []string
			Volumes         map[string]struct{}
		}
	}
)

// lookIntoImage checks that the image has each platform and nothing but the client, and runs that.
func lookIntoImage(t *testing.T, dir string) {
	found, err := filepath.Glob(filepath.Join(dir, "flashdex_*.oci.tar"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	files := unpack(t, []byte(read(t, found[0])))
	blob := func(p part) []byte {
		f := files["/blobs/"+strings.Replace(p.Digest, ":", "/", 1)]
		if f == nil {
			t.Fatalf("it lacks %q", p.Digest)
		}
		return f.content
	}
	fill := func(into any, content []byte) {
		if err := json.Unmarshal(content, into); err != nil {
			t.Fatalf("%v in %s", err, content)
		}
	}
	var index, list image
	fill(&index, files["/index.json"].content)
	fill(&list, blob(index.Manifests[0].part))
	var platforms []string
	for _, listed := range list.Manifests {
		platform := listed.Platform.Architecture
		platforms = append(platforms, platform)
		var one image
		fill(&one, blob(listed.part))
		var run settings
		fill(&run, blob(one.Config))
		if run.OS != "linux" || listed.Platform.OS != "linux" || run.Architecture != platform {
			t.Errorf("%s: the image is for %s %s", platform, run.OS, run.Architecture)
		}
		if !slices.Equal(run.Config.Entrypoint, []string{"/flashdex"}) || len(run.Config.Volumes) != 1 ||
			!slices.Contains(run.Config.Env, "FLASHDEX_DIR=/results") {
			t.Errorf("%s: it is run with %+v", platform, run.Config)
		}
		got := map[string]string{}
		for _, layer := range one.Layers {
			for path, f := range unpack(t, gunzip(t, blob(layer))) {
				if f.regular {
					got[path] = f.mode
				}
				switch path {
				case "/flashdex":
					compare(t, path, f.content, "../var/clients/flashdex-linux-"+platform)
					if platform == runtime.GOARCH {
						runAlone(t, f.content)
					}
				case "/etc/ssl/certs/ca-certificates.crt":
					compare(t, path, f.content, path)
				case "/copyright":
					compare(t, path, f.content, "../LICENSE")
				}
			}
		}
		want := map[string]string{"/flashdex": "0755", "/etc/ssl/certs/ca-certificates.crt": "0644", "/copyright": "0644"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: files and their modes (-want +got):\n%s", platform, diff)
		}
	}
	if !slices.Equal(platforms, []string{native, foreign}) {
		t.Errorf("it is for %v", platforms)
	}
}

// runAlone runs the client where there is nothing else.
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
