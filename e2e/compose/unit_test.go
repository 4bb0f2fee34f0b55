package compose

import (
	"bytes"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

const (
	systemdImage = "flashdex-test-systemd"
	machine      = "flashdex-test-machine"
	machineSite  = "http://localhost:18082"
)

// TestUnit installs the tarball of `make dist` on a Debian with systemd and Postgres, with the commands of
// docs/operations.md.
func TestUnit(t *testing.T) {
	e := start(t)
	e.makeDebian(systemdImage, "systemd-sysv,dbus,libnss-systemd,postgresql")
	e.run("sh", "api/deploy/dist.sh", "tested")
	_, _ = e.try("docker", "rm", "--force", "--volumes", machine) // left by a test that was interrupted
	// systemd needs these privileges. A sandbox may be unable to give all of --privileged.
	e.docker("run", "--detach", "--name", machine, "--cap-add", "SYS_ADMIN", "--cap-add", "SYS_PTRACE",
		"--security-opt", "seccomp=unconfined", "--security-opt", "systempaths=unconfined",
		"--cgroupns", "host", "--volume", "/sys/fs/cgroup:/sys/fs/cgroup",
		"--tmpfs", "/run", "--tmpfs", "/run/lock", "--tmpfs", "/tmp",
		"--publish", "127.0.0.1:18082:8080", systemdImage, "/lib/systemd/systemd")
	t.Cleanup(func() {
		if t.Failed() {
			log, _ := e.try("docker", "exec", machine, "journalctl", "--no-pager", "--lines", "100")
			t.Log(log)
		}
		e.docker("rm", "--force", "--volumes", machine)
	})
	inside := func(args ...string) string { return e.docker(append([]string{"exec", machine}, args...)...) }
	ready := func() bool { return get(t, machineSite+"/readyz").status == http.StatusOK }
	eventually(t, "Postgres runs", func() bool {
		_, err := e.try("docker", "exec", machine, "runuser", "-u", "postgres", "--", "psql", "-c", "select 1")
		return err == nil
	})

	tarball := "flashdex-tested-linux-" + runtime.GOARCH + ".tar.gz"
	e.docker("cp", "var/dist/"+tarball, machine+":/root/"+tarball)
	commands := strings.ReplaceAll(documented(t), "flashdex-VERSION-linux-amd64.tar.gz", tarball)
	e.docker("exec", "--workdir", "/root", machine, "sh", "-exc", commands)
	eventually(t, "the unit is ready", func() bool {
		_, err := e.try("docker", "exec", machine, "/usr/lib/flashdex/api", "health", "http://127.0.0.1:8080/readyz")
		return err == nil
	})

	// Listen where this test reaches it.
	inside("sh", "-c", `echo "FLASHDEX_LISTEN=:8080
FLASHDEX_PUBLIC_URL=`+machineSite+`" >>/etc/flashdex.env; systemctl restart flashdex`)
	eventually(t, "it is ready after a restart", ready)
	id := e.upload(machineSite)
	module := regexp.MustCompile(`/modules/[^/"]+/`)
	address := module.FindString(string(get(t, machineSite+"/r/"+id).body))
	published := func() bool { return bytes.Contains(get(t, machineSite+address).body, []byte(id)) }
	eventually(t, "an upload is published", published)

	before := inside("systemctl", "show", "--property", "MainPID", "--value", "flashdex")
	if user := inside("stat", "--format", "%U", "/proc/"+before); user != "flashdex" {
		t.Errorf("it runs as %q", user)
	}
	inside("systemctl", "kill", "--signal", "KILL", "flashdex")
	eventually(t, "it is started again", func() bool {
		now := inside("systemctl", "show", "--property", "MainPID", "--value", "flashdex")
		return now != "0" && now != before && ready()
	})
	if a := get(t, machineSite+"/v1/results/"+id); a.status != http.StatusOK || !published() {
		t.Errorf("the upload after that: %d %s", a.status, a.body)
	}
	changed := inside("find", "/", "-xdev", "-newer", "/etc/flashdex.env", "-user", "flashdex",
		"-not", "-path", "/var/lib/private/flashdex*")
	if changed != "" {
		t.Errorf("files outside its data folder:\n%s", changed)
	}
	inside("systemctl", "stop", "flashdex")
	if ended := inside("systemctl", "show", "--property", "Result", "--value", "flashdex"); ended != "success" {
		t.Errorf("stopped with %q", ended)
	}
}

// documented returns the commands of docs/operations.md that install without containers.
func documented(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(root + "/docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n## Install without containers\n")
	var commands []string
	for line := range strings.Lines(section) {
		if strings.HasPrefix(line, "## ") {
			break
		}
		if command, is := strings.CutPrefix(line, "    "); is {
			commands = append(commands, command)
		}
	}
	if !found || len(commands) < 4 {
		t.Fatalf("docs/operations.md has %d commands", len(commands))
	}
	return strings.Join(commands, "")
}
