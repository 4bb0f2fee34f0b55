package ingest

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"flashdex/api/store/cluster"

	"github.com/jackc/pgx/v5"
)

// TestALostPrimaryComesBack loses a primary that lives on: it is frozen, or cut off from the server. It keeps its
// connections, but answers nothing. The standby is promoted while uploads are under way. Then the old primary comes
// back, and the server is started again and connects to it first. The server must confirm nothing that only the old
// primary has.
func TestALostPrimaryComesBack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		start func(t *testing.T, p *pair) (s *server, lose, bring func())
	}{
		{"frozen", func(t *testing.T, p *pair) (*server, func(), func()) {
			return p.startPublishedServer(t), func() { p.signalPrimary(t, syscall.SIGSTOP) },
				func() { p.signalPrimary(t, syscall.SIGCONT) }
		}},
		{"cut off", startBehindLinks},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := startPair(t)
			s, lose, bring := c.start(t, p)
			uploads := startStream(t, 8, s)
			uploads.flows(t, "the start")
			lose()
			p.promote(t, uploads)
			bring()
			pid := s.pid()
			s.signal(syscall.SIGKILL)
			eventually(t, "the server is started again", func() bool { return s.pid() != pid && s.pid() != 0 })
			uploads.refused(t, 8) // by the old primary, which waits for its standby
			p.signalPrimary(t, syscall.SIGKILL)
			uploads.flows(t, "the old primary was stopped")
			complete(t, p.standby.URL(), uploads.end(t, s.site))
		})
	}
}

// startBehindLinks starts a server in a network namespace of its own, with a cable to the primary and another to the
// standby. The first can be unplugged.
func startBehindLinks(t *testing.T, p *pair) (s *server, unplug, plug func()) {
	if _, err := exec.LookPath("ip"); err != nil || os.Geteuid() != 0 {
		t.Skip("needs root and ip to make a network namespace")
	}
	call := func(program, args string) {
		if said, err := exec.Command(program, strings.Fields(args)...).CombinedOutput(); err != nil {
			t.Errorf("%s %s: %v\n%s", program, args, err, said)
		}
	}
	holder := strconv.Itoa(holdNetwork(t))
	inside := "--net --target " + holder
	call("nsenter", inside+" ip link set lo up")
	url := "postgres://flashdex@"
	var listen string
	for i, of := range []*cluster.Cluster{p.primary, p.standby} {
		link := fmt.Sprintf("fx%s-%d", holder, i)
		address := func(last int) string { return fmt.Sprintf("10.213.%d.%d", os.Getpid()%256, 4*i+last) }
		call("ip", fmt.Sprintf("link add %s type veth peer name db%d netns %s", link, i, holder))
		call("ip", fmt.Sprintf("address add %s/30 dev %s", address(1), link))
		call("nsenter", fmt.Sprintf("%s ip address add %s/30 dev db%d", inside, address(2), i))
		call("ip", "link set "+link+" up")
		call("nsenter", fmt.Sprintf("%s ip link set db%d up", inside, i))
		url += relay(t, address(1)+":0", of) + ","
		if i == 0 {
			unplug, plug = func() { call("ip", "link set "+link+" down") }, func() { call("ip", "link set "+link+" up") }
		}
		listen = address(2) + ":8080"
	}
	url = strings.TrimSuffix(url, ",") + "/flashdex?target_session_attrs=read-write"
	dir := t.TempDir()
	run(t, append([]string{"publish", "--data-dir", dir, "--database-url", p.url, "--public-url", "http://localhost"},
		programs...)...)
	s = supervisedAs(t, "nsenter", dir, slices.Concat(strings.Fields(inside), []string{filepath.Join(root, "bin/api"),
		"serve", "--no-publish", "--listen", listen, "--data-dir", dir, "--database-url", url}, unlimited)...)
	s.site = "http://" + listen
	s.ready(t)
	return s, unplug, plug
}

// holdNetwork starts a process that holds a network namespace of its own, and returns its id. The namespace and its
// cables end with the process. The process ends with the test, even if the test is killed.
func holdNetwork(t *testing.T) (pid int) {
	t.Helper()
	holder := exec.CommandContext(t.Context(), "sleep", "infinity")
	holder.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	started, ended := make(chan error), make(chan struct{})
	go func() {
		defer close(ended)
		runtime.LockOSThread() // Pdeathsig fires when the thread that started the process ends
		started <- holder.Start()
		_ = holder.Wait()
	}()
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { <-ended })
	return holder.Process.Pid
}

// relay passes connections at an address on to Postgres, which listens on a socket. It returns the address with a port.
func relay(t *testing.T, address string, of *cluster.Cluster) string {
	t.Helper()
	config, err := pgx.ParseConfig(of.URL())
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			from, err := listener.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			} else if err != nil {
				continue
			}
			to, err := net.Dial("unix", filepath.Join(config.Host, ".s.PGSQL.5432"))
			if err != nil {
				from.Close()
				continue
			}
			pass := func(to, from net.Conn) {
				_, _ = io.Copy(to, from) // ends when either does
				from.Close()
				to.Close()
			}
			go pass(to, from)
			go pass(from, to)
		}
	}()
	return listener.Addr().String()
}
