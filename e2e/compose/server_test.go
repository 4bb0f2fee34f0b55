package compose

import (
	"bytes"
	"debug/elf"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"flashdex/api/store/cluster/clustertest"
	"flashdex/packaging/packagetest"

	"github.com/google/go-cmp/cmp"
)

const (
	serverContainer = "flashdex-test-server"
	serverSite      = "http://localhost:18083"
)

// TestServerInAContainer runs the server's image by the command of packaging/docker/README.md until the server has
// published, and stops it. Its Postgres is outside the container.
func TestServerInAContainer(t *testing.T) {
	e := start(t)
	e.run("sh", "api/deploy/dist.sh", "tested")
	e.set("VERSION", "tested")
	e.set("SERVER_PLATFORMS", runtime.GOARCH)
	e.load("flashdex-server")

	database, err := url.Parse(clustertest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	parameters := database.Query()
	socket := parameters.Get("host")
	if !filepath.IsAbs(socket) {
		t.Skip("the tests' Postgres has no socket to hand into a container")
	}
	parameters.Set("host", "/run/postgresql")
	database.RawQuery = parameters.Encode()
	// Only the folder's owner could enter it. Now the container's group can, too.
	if err := os.Chown(socket, -1, 10001); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(socket, 0o710); err != nil {
		t.Fatal(err)
	}

	_, _ = e.try("docker", "rm", "--force", "--volumes", serverContainer) // left by a test that was interrupted
	_, _ = e.try("docker", "volume", "rm", serverContainer)
	e.docker("run", "--detach", "--name", serverContainer, "--stop-timeout", "60", "--publish", "127.0.0.1:18083:8080",
		"--volume", serverContainer+":/var/lib/flashdex", "--volume", socket+":/run/postgresql",
		"--env", "FLASHDEX_DATABASE_URL="+database.String(), "--env", "FLASHDEX_PUBLIC_URL="+serverSite,
		"flashdex-server:test")
	t.Cleanup(func() {
		if t.Failed() {
			log, _ := e.try("sh", "-c", "docker logs --tail 40 "+serverContainer+" 2>&1")
			t.Log(log)
		}
		e.docker("rm", "--force", serverContainer)
		e.docker("volume", "rm", serverContainer)
	})
	state := func(name string) string {
		return e.docker("inspect", "--format", "{{.State."+name+"}}", serverContainer)
	}
	eventually(t, "the server is ready", func() bool {
		if state("Running") != "true" {
			t.Fatalf("it ended with %s", state("ExitCode"))
		}
		return get(t, serverSite+"/readyz").status == http.StatusOK
	})
	eventually(t, "it has published", func() bool {
		home := get(t, serverSite+"/")
		return home.status == http.StatusOK && bytes.Contains(home.body, []byte("/for/camera/"))
	})
	const client = "flashdex-linux-riscv64"
	want, err := os.ReadFile(filepath.Join(root, "var/clients", client))
	if err != nil {
		t.Fatal(err)
	}
	if a := get(t, serverSite+"/client/"+client); !bytes.Equal(a.body, want) {
		t.Errorf("it hands out a client of %d bytes with status %d", len(a.body), a.status)
	}
	e.docker("stop", serverContainer)
	if status := state("ExitCode"); status != "0" {
		t.Errorf("after docker stop, it ended with %s", status)
	}
}

// checkServer compares the server's image with the tarball for the same platform, and checks the files that only the
// image has.
func checkServer(t *testing.T, image packagetest.Image, tarball map[string]*packagetest.File) {
	t.Helper()
	want := packagetest.Config{
		User: "10001:10001", Entrypoint: []string{"/usr/lib/flashdex/api"}, Cmd: []string{"serve"},
		Env: []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
			"FLASHDEX_HUGO=/usr/lib/flashdex/hugo", "FLASHDEX_CLIENTS=/usr/lib/flashdex/clients",
			"FLASHDEX_SITE_PROJECT=/usr/lib/flashdex/site", "FLASHDEX_DATA_DIR=/var/lib/flashdex",
			"FLASHDEX_METRICS_LISTEN=:9464"},
		Volumes: map[string]struct{}{"/var/lib/flashdex": {}},
	}
	if diff := cmp.Diff(want, image.Config); diff != "" {
		t.Errorf("how it is run (-want +got):\n%s", diff)
	}
	machines := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}
	for _, program := range []string{"api", "hugo"} {
		f := image.Files["/usr/lib/flashdex/"+program]
		if f == nil || f.Mode != "0755" {
			t.Fatalf("%s is missing, or can't be started", program)
		}
		file, err := elf.NewFile(bytes.NewReader(f.Content))
		if err != nil {
			t.Fatal(err)
		}
		if machine, known := machines[image.Platform]; known && file.Machine != machine {
			t.Errorf("%s is for %s", program, file.Machine)
		}
	}
	own := map[string]string{}
	for path, f := range image.Files {
		packed := tarball[path]
		if packed == nil {
			own[path] = f.Mode + " " + f.Owner
		} else if f.Mode != packed.Mode || f.Owner != "0:0" || !bytes.Equal(f.Content, packed.Content) {
			t.Errorf("%s has mode %s, owner %s and %d bytes, unlike that of the tarball", path, f.Mode, f.Owner, len(f.Content))
		}
	}
	const copyright = "/usr/share/doc/flashdex-server/copyright"
	wanted := map[string]string{"/etc": "0755 0:0", "/etc/ssl": "0755 0:0", "/etc/ssl/certs": "0755 0:0",
		"/etc/ssl/certs/ca-certificates.crt": "0644 0:0", "/tmp": "1777 0:0", "/var": "0755 0:0", "/var/lib": "0755 0:0",
		"/var/lib/flashdex": "0755 10001:10001", filepath.Dir(copyright): "0755 0:0", copyright: "0644 0:0"}
	if diff := cmp.Diff(wanted, own); diff != "" {
		t.Fatalf("what is not of the tarball (-want +got):\n%s", diff)
	}
	for path := range tarball {
		if image.Files[path] == nil && !strings.HasPrefix(path, "/usr/lib/systemd") {
			t.Errorf("it lacks %s", path)
		}
	}
	// The last two are authors of pgx and Hugo.
	for _, author := range []string{"The Flashdex contributors", "The Go Authors", "Jack Christensen", "Bjørn Erik"} {
		if !bytes.Contains(image.Files[copyright].Content, []byte(author)) {
			t.Errorf("it lacks the notice of %s", author)
		}
	}
}
