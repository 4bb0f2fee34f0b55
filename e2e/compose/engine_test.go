// Package compose runs docker-compose.yml for real, with its own Docker engine, on images built from bases that the
// tests make.
package compose

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

var long = flag.Bool("long", false, "build the images and run them, which takes a quarter of an hour the first time")

// root is the checkout; `make build` has put the programs there.
const root = "../.."

// engine is a running Docker engine.
type engine struct {
	t       testing.TB
	env     []string
	dir     string // programs run in it
	clients string // signed by build
}

// start starts an engine that keeps its images in var/docker, so that they are built once.
func start(t testing.TB) *engine {
	t.Helper()
	if !*long {
		t.Skip("builds images for minutes: make test-long")
	}
	if os.Getuid() != 0 {
		t.Skip("starting a Docker engine needs root")
	}
	for _, program := range []string{"dockerd", "docker", "docker-compose", "debootstrap", "iptables"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%v (make tools, as root on Debian)", err)
		}
	}
	data, err := filepath.Abs(filepath.Join(root, "var/docker"))
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "flashdex-docker-") // t.TempDir's names are too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	socket := "unix://" + dir + "/docker.sock"
	daemon := exec.Command("dockerd", "--data-root", data, "--exec-root", dir+"/exec", "--pidfile", dir+"/pid",
		"--host", socket, "--experimental", "--ip6tables") // the last two are the default since Docker 27
	daemon.Stdout, daemon.Stderr = log, log
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- daemon.Wait() }()
	t.Cleanup(func() {
		_ = daemon.Process.Signal(syscall.SIGTERM) // fails if it has ended
		if err := <-ended; err != nil {
			t.Logf("dockerd ended with %v", err)
		}
		_ = log.Close()
		_ = os.RemoveAll(dir)
	})
	e := &engine{t: t, dir: root, env: append(os.Environ(), "DOCKER_HOST="+socket, "COMPOSE_PROJECT_NAME=flashdex-test")}
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(200 * time.Millisecond) {
		if _, err := e.try("docker", "info"); err == nil {
			return e
		}
		select {
		case err := <-ended:
			ended <- err
			said, _ := os.ReadFile(log.Name())
			t.Skipf("no engine can run on this machine: %v\n%s", err, said[max(0, len(said)-1000):])
		default:
		}
		if time.Now().After(deadline) {
			t.Fatal("the engine doesn't answer")
		}
	}
}

// try runs a program that talks to the engine, and returns its output.
func (e *engine) try(program string, args ...string) (string, error) {
	cmd := exec.CommandContext(context.Background(), program, args...)
	cmd.Dir, cmd.Env = e.dir, e.env
	var output, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &said
	err := cmd.Run()
	if err != nil {
		err = fmt.Errorf("%s %s: %w\n%s%s", program, strings.Join(args, " "), err, said.String(), output.String())
	}
	return strings.TrimSpace(output.String()), err
}

// run is like try, but fails the test on an error.
func (e *engine) run(program string, args ...string) string {
	e.t.Helper()
	output, err := e.try(program, args...)
	if err != nil {
		e.t.Fatal(err)
	}
	return output
}

func (e *engine) docker(args ...string) string { e.t.Helper(); return e.run("docker", args...) }
func (e *engine) compose(args ...string) string {
	e.t.Helper()
	return e.run("docker-compose", args...)
}

// set sets a variable of docker-compose.yml.
func (e *engine) set(name, value string) { e.env = append(e.env, name+"="+value) }

func eventually(t testing.TB, what string, true func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Minute); !true(); time.Sleep(500 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("after ten minutes still not: %s", what)
		}
	}
}
