package compose

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"flashdex/packaging/packagetest"
)

// TestReleaseTwice runs `make release` in two clones. The second is like another user's: it has another umask, zone,
// language and number of processors, and an empty build cache. All files must be the same bytes. The test then checks a
// release as docs/operations.md tells users to. It also checks the server's image, and the bill of materials with
// CycloneDX's reference library.
func TestReleaseTwice(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("builds two releases: make test-release")
	}
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		t.Skipf("this isn't a clone: %v", err)
	}
	for _, program := range []string{"openssl", "minisign"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%v (make tools, as root on Debian)", err)
		}
	}
	if said, err := exec.Command("buildah", "info").CombinedOutput(); err != nil {
		t.Skipf("buildah can't make images here: %v\n%s", err, said)
	}
	key := filepath.Join(t.TempDir(), "key.pem")
	command(t, ".", nil, "openssl", "genpkey", "-algorithm", "ed25519", "-out", key)
	platforms := []string{"amd64", "arm64"}
	var released string
	var built [2]map[string][]byte
	for i := range built {
		dir := filepath.Join(t.TempDir(), strings.Repeat("folder", i+1))
		command(t, ".", nil, "git", "clone", "--quiet", root, dir)
		var env []string
		umask := "umask 022"
		if i == 1 {
			umask, env = "umask 077", []string{"TZ=Asia/Kolkata", "LC_ALL=C", "GOMAXPROCS=1", "GOFLAGS=-p=1",
				"GOCACHE=" + t.TempDir()}
		}
		command(t, dir, env, "sh", "-c", umask+" && exec make release VERSION=v0.0.0-tested KEY="+key+
			" SERVER_PLATFORMS='"+strings.Join(platforms, " ")+"'")
		released = filepath.Join(dir, "var/release")
		built[i] = files(t, released)
	}
	kinds := map[string]int{}
	for name, content := range built[0] {
		if !bytes.Equal(content, built[1][name]) {
			t.Errorf("%s: %d bytes in one clone differ from %d in the other", name, len(content), len(built[1][name]))
		}
		kinds[filepath.Ext(name)]++
	}
	// The client makes 13, 14, 9 and 28 packages and an image. The others are 14 clients, CHANGELOG and the sums.
	n := len(platforms)
	want := map[string]int{".deb": 13 + n, ".rpm": 14 + n, ".apk": 9, ".ipk": 28, ".tar": 2, ".gz": n, ".json": n,
		".sh": 1, ".sig": 1, ".pub": 1, "": 16}
	if len(built[0]) != len(built[1]) || !maps.Equal(kinds, want) {
		t.Errorf("%d and %d files: %v, want %v", len(built[0]), len(built[1]), kinds, want)
	}
	command(t, released, nil, "sh", "-c",
		"minisign -V -p flashdex.pub -m SHA256SUMS -x SHA256SUMS.sig && sha256sum --strict -c SHA256SUMS")
	images, err := filepath.Glob(filepath.Join(released, "flashdex-server_*.oci.tar"))
	if err != nil || len(images) != 1 {
		t.Fatal(images, err)
	}
	var inside []string
	for _, image := range packagetest.Images(t, built[1][filepath.Base(images[0])]) {
		inside = append(inside, image.Platform)
		t.Run("server for "+image.Platform, func(t *testing.T) {
			packed := "flashdex-v0.0.0-tested-linux-" + image.Platform
			files := packagetest.Unpack(t, built[1][packed+".tar.gz"])
			bill := built[1][packed+".cdx.json"]
			if in := files["/usr/share/doc/flashdex/sbom.cdx.json"]; in == nil || !bytes.Equal(in.Content, bill) {
				t.Errorf("its bill of materials is not the one beside it")
			}
			checkServer(t, image, files)
			checkBill(t, bill)
		})
	}
	if !slices.Equal(inside, platforms) {
		t.Errorf("the server's image is for %v, want %v", inside, platforms)
	}
}

func command(t *testing.T, dir string, env []string, program string, args ...string) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, output)
	}
}

// files reads the files of a folder, by name.
func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	read := map[string][]byte{}
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		read[filepath.Base(path)] = content
	}
	return read
}

func checkBill(t *testing.T, bill []byte) {
	t.Helper()
	var content struct {
		Components []struct{ Name, Version string }
	}
	if err := json.Unmarshal(bill, &content); err != nil {
		t.Fatal(err)
	}
	versions := map[string]string{}
	for _, component := range content.Components {
		versions[component.Name] = component.Version
	}
	for _, name := range []string{"github.com/jackc/pgx/v5", "stdlib", "datatables.net", "hugo", "flashdex-linux-armv6"} {
		if versions[name] == "" {
			t.Errorf("the bill of materials lacks %s: it has %v", name, versions)
		}
	}
	if versions["api"] != "v0.0.0-tested" || versions["hugo"] != "v0.165.0" {
		t.Errorf("versions of api and hugo: %s, %s", versions["api"], versions["hugo"])
	}

	python := filepath.Join(root, "var/python/bin/python")
	if _, err := os.Stat(python); err != nil {
		t.Skipf("the schema of the bill of materials isn't checked: %v (make tools)", err)
	}
	cmd := exec.Command(python, "-c", `import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(sys.stdin.read())
sys.exit(str(fault) if fault else 0)`)
	cmd.Stdin = bytes.NewReader(bill)
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("the bill of materials isn't CycloneDX 1.6: %v\n%s", err, output)
	}
}
