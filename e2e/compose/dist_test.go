package compose

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const billFile = "usr/share/doc/flashdex/sbom.cdx.json"

// TestDistTwice runs `make dist` in two clones, the second as another user would: another umask, zone, language and
// number of processors, and with -long an empty build cache. Tarball and clients must be the same bytes. It then checks
// the bill of materials in the tarball with the reference library of CycloneDX.
func TestDistTwice(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		t.Skipf("this isn't a clone: %v", err)
	}
	var built [2]map[string][]byte
	for i := range built {
		dir := filepath.Join(t.TempDir(), strings.Repeat("folder", i+1))
		command(t, ".", nil, "git", "clone", "--quiet", root, dir)
		var env []string
		umask := "umask 022"
		if i == 1 {
			umask, env = "umask 077", []string{"TZ=Asia/Kolkata", "LC_ALL=C", "GOMAXPROCS=1", "GOFLAGS=-p=1"}
			if *long {
				env = append(env, "GOCACHE="+t.TempDir())
			}
		}
		command(t, dir, env, "sh", "-c", umask+" && exec make dist VERSION=v0.0.0-tested")
		built[i] = files(t, dir)
	}
	for name, content := range built[0] {
		if !bytes.Equal(content, built[1][name]) {
			t.Errorf("%s: %d bytes in one clone differ from %d in the other", name, len(content), len(built[1][name]))
		}
	}
	if len(built[0]) != len(built[1]) || len(built[0]) < 16 {
		t.Errorf("%d and %d files", len(built[0]), len(built[1]))
	}
	checkBill(t, unpacked(t, built[0]["flashdex-v0.0.0-tested-linux-"+runtime.GOARCH+".tar.gz"], billFile))
}

func command(t *testing.T, dir string, env []string, program string, args ...string) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, output)
	}
}

// files reads the clients and the tarball that were built in a clone, by name.
func files(t *testing.T, clone string) map[string][]byte {
	t.Helper()
	read := map[string][]byte{}
	for _, pattern := range []string{"var/clients/*", "var/dist/*"} {
		paths, err := filepath.Glob(filepath.Join(clone, pattern))
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
	}
	return read
}

// unpacked returns one file of a packed tarball.
func unpacked(t *testing.T, tarball []byte, name string) []byte {
	t.Helper()
	packed, err := gzip.NewReader(bytes.NewReader(tarball))
	if err != nil {
		t.Fatal(err)
	}
	for archive := tar.NewReader(packed); ; {
		header, err := archive.Next()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if header.Name != name {
			continue
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
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
