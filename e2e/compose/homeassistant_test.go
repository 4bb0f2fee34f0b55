package compose

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"flashdex/client/looptest"
)

// TestHomeAssistantApp builds the app's image as packaging/homeassistant/README.md tells, but on a BusyBox built here
// instead of the official image. Then it runs the app as Supervisor does: in its network, with its init, with /data on
// the module and with its kind of options.json.
func TestHomeAssistantApp(t *testing.T) {
	e := start(t)
	const image, name, network = "flashdex-test-app", "flashdex-test-app", "flashdex-test-hassio"
	e.makeApp(image)
	disk := looptest.Mount(t, 1<<30, "")
	options := filepath.Join(disk.Dir, "options.json")
	if err := os.WriteFile(options, []byte("{\n  \"site\": \"https://flashdex.example\",\n"+
		"  \"health\": false,\n  \"watch\": true\n}"), 0o600); err != nil {
		t.Fatal(err)
	}
	// Home Assistant hasn't taken this notification yet.
	const untold = `{"message": "untold"}`
	if err := os.Mkdir(filepath.Join(disk.Dir, "told"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(disk.Dir, "told/health.untold"), []byte(untold), 0o600); err != nil {
		t.Fatal(err)
	}
	clean := func() {
		_, _ = e.try("docker", "rm", "--force", "--volumes", name) // fails if an earlier test was not interrupted
		_, _ = e.try("docker", "network", "rm", network)
	}
	clean()
	t.Cleanup(clean)
	// This machine asks in place of the ingress proxy, and answers in place of Supervisor.
	e.docker("network", "create", "--subnet", "172.30.32.0/23", "--gateway", "172.30.32.2", network)
	told := make(chan string, 1)
	supervise(t, told)
	e.docker("run", "--detach", "--init", "--name", name, "--network", network, "--ip", "172.30.33.1", "--tmpfs", "/tmp",
		"--add-host", "supervisor:172.30.32.2", "--env", "SUPERVISOR_TOKEN=secret", "--volume", disk.Dir+":/data", image)
	const app = "http://172.30.33.1:8099/"
	page := func(answer *http.Response, err error) string {
		if err != nil {
			return ""
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	token := func() string {
		found := regexp.MustCompile(`name="token" value="(\w{32})"`).FindStringSubmatch(page(http.Get(app)))
		if found == nil {
			return ""
		}
		return found[1]
	}
	measure := func() {
		said := page(http.PostForm(app, url.Values{"token": {token()}, "id": {""}, "action": {"measure"}}))
		if !strings.Contains(said, "Measuring.") {
			t.Fatalf("it is asked to measure, and says: %s", said)
		}
	}

	eventually(t, "the page is there", func() bool { return token() != "" })
	select {
	case said := <-told:
		if said != "/core/api/services/persistent_notification/create Bearer secret "+untold {
			t.Errorf("Supervisor is told %q", said)
		}
	case <-time.After(time.Minute):
		t.Fatalf("Supervisor is told nothing: %s", e.docker("logs", name))
	}
	// The app couldn't recognize this loop device next month.
	eventually(t, "it watches", func() bool { return strings.Contains(page(http.Get(app)), "no serial number") })
	if said, err := e.try("docker", "run", "--rm", "--network", network, image, "wget", "-q", "-O", "-", app); err == nil ||
		!strings.Contains(err.Error(), "403") {
		t.Errorf("another app is answered: %s, %v", said, err)
	}
	measure()
	result := regexp.MustCompile(`\?id=([0-9a-f-]{36})`)
	eventually(t, "there is a result", func() bool { return result.MatchString(page(http.Get(app))) })
	shown := page(http.Get(app + result.FindString(page(http.Get(app)))))
	for _, want := range []string{"rand-write", "to https://flashdex.example,"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the result lacks %q: %s", want, shown)
		}
	}

	measure()
	e.docker("stop", name)
	if status := e.docker("inspect", "--format", "{{.State.ExitCode}} {{.State.OOMKilled}}", name); status != "0 false" {
		t.Errorf("stopped while it measures, it ends with %s: %s", status, e.docker("logs", name))
	}
	if left, err := filepath.Glob(filepath.Join(disk.Dir, "flashdex/*.json")); err != nil || len(left) != 1 {
		t.Errorf("there is not one result: %v, %v", left, err)
	}
	e.docker("start", name)
	eventually(t, "the result is there after a start", func() bool { return result.MatchString(page(http.Get(app))) })
}

// supervise answers as Supervisor does, and passes on what the app tells it.
func supervise(t *testing.T, told chan<- string) {
	t.Helper()
	listener, err := net.Listen("tcp", "172.30.32.2:80")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, in *http.Request) {
		body, err := io.ReadAll(in.Body)
		if err != nil {
			t.Error(err)
		}
		told <- in.URL.Path + " " + in.Header.Get("Authorization") + " " + string(body)
	}))
	server.Listener.Close()
	server.Listener = listener
	server.Start()
	t.Cleanup(server.Close)
}

// makeApp makes the app's image.
func (e *engine) makeApp(image string) {
	e.t.Helper()
	work := e.t.TempDir()
	const busybox = "var/docker/busybox" // kept, as the images are
	if _, err := os.Stat(filepath.Join(root, busybox)); err != nil {
		e.run("sh", "-euc", `. e2e/apt.sh
			private_apt "$1" "$(dpkg --print-architecture)" bookworm
			sed 's/^deb /deb-src /' "$1/sources.list" >"$1/sources" && cat "$1/sources" >>"$1/sources.list"
			here=$PWD && cd "$1"
			apt-get -qq update
			apt-get -qq source --download-only busybox
			tar -xjf busybox_*.orig.tar.bz2 && cd busybox-*
			make -s defconfig
			sed -i 's/.*CONFIG_STATIC is not set/CONFIG_STATIC=y/' .config
			make -s -j2
			cp busybox "$here/$2"`, "sh", e.t.TempDir(), busybox)
	}
	e.run("cp", "-a", "packaging/homeassistant/flashdex/.", work)
	e.run("cp", "var/clients/SHA256SUMS", "var/clients/flashdex-linux-"+runtime.GOARCH,
		"/etc/ssl/certs/ca-certificates.crt", work)
	base := e.t.TempDir()
	e.run("cp", busybox, base)
	const text = "FROM scratch\nCOPY busybox /bin/\nRUN [\"/bin/busybox\", \"--install\", \"/bin\"]\n"
	if err := os.WriteFile(filepath.Join(base, "Dockerfile"), []byte(text), 0o600); err != nil {
		e.t.Fatal(err)
	}
	storage := e.t.TempDir()
	buildah := func(args ...string) {
		e.t.Helper()
		args = append([]string{
			"--root", storage + "/root", "--runroot", storage + "/run", "--storage-driver", "vfs",
		}, args...)
		// buildah copies itself into memory and seals the copy. On a busy machine the kernel may refuse the seal, and
		// buildah doesn't try again.
		const busy = "sealing memfd copy: Device or resource busy"
		for tries := 1; ; tries++ {
			if _, err := e.try("buildah", args...); err == nil {
				return
			} else if tries == 3 || !strings.Contains(err.Error(), busy) {
				e.t.Fatal(err)
			}
		}
	}
	buildah("build", "--isolation", "chroot", "--tag", "docker.io/library/busybox:1.37-musl", base)
	buildah("build", "--isolation", "chroot", "--tag", image, "--build-arg", "BUILD_ARCH=amd64",
		"--build-arg", "BUILD_VERSION=0.1.0", work)
	archive := filepath.Join(storage, "archive")
	buildah("push", image, "docker-archive:"+archive+":"+image+":latest")
	e.docker("load", "--input", archive)
	e.t.Cleanup(func() { e.docker("image", "rm", image) })
}
