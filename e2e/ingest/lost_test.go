package ingest

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"flashdex/api/store/cluster"

	"github.com/jackc/pgx/v5"
)

// TestALostPrimaryComesBack loses a primary that lives on: frozen, or cut off from the server. It keeps its connections,
// but answers nothing. The standby is promoted while uploads are under way. Then the old primary is there again, and the
// server, which is started again, connects to it first. It must confirm nothing that only the old primary has.
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

var links atomic.Int64 // how many tests have made some

// startBehindLinks starts a server in a network namespace of its own, with a cable to the primary and another to the
// standby. The first can be unplugged.
func startBehindLinks(t *testing.T, p *pair) (s *server, unplug, plug func()) {
	if _, err := exec.LookPath("ip"); err != nil || os.Geteuid() != 0 {
		t.Skip("needs root and ip to make a network namespace")
	}
	ip := func(args string) {
		if said, err := exec.Command("ip", strings.Fields(args)...).CombinedOutput(); err != nil {
			t.Errorf("ip %s: %v\n%s", args, err, said)
		}
	}
	name := fmt.Sprintf("flashdex%d-%d", os.Getpid(), links.Add(1))
	ip("netns add " + name)
	t.Cleanup(func() { ip("netns delete " + name) })
	ip("-n " + name + " link set lo up")
	url := "postgres://flashdex@"
	subnet := 0
	for i, of := range []*cluster.Cluster{p.primary, p.standby} {
		link := fmt.Sprintf("fx%d-%d", os.Getpid()%100000, 2*links.Load()+int64(i))
		subnet = int(links.Load())*8 + i*4
		ip(fmt.Sprintf("link add %s type veth peer name db%d netns %s", link, i, name))
		t.Cleanup(func() { _ = exec.Command("ip", "link", "delete", link).Run() }) // went with the namespace
		ip(fmt.Sprintf("address add 10.213.77.%d/30 dev %s", subnet+1, link))
		ip(fmt.Sprintf("-n %s address add 10.213.77.%d/30 dev db%d", name, subnet+2, i))
		ip("link set " + link + " up")
		ip(fmt.Sprintf("-n %s link set db%d up", name, i))
		url += relay(t, fmt.Sprintf("10.213.77.%d:0", subnet+1), of) + ","
		if i == 0 {
			unplug, plug = func() { ip("link set " + link + " down") }, func() { ip("link set " + link + " up") }
		}
	}
	url = strings.TrimSuffix(url, ",") + "/flashdex?target_session_attrs=read-write"
	dir := t.TempDir()
	run(t, append([]string{"publish", "--data-dir", dir, "--database-url", p.url, "--public-url", "http://localhost"},
		programs...)...)
	address := fmt.Sprintf("10.213.77.%d:8080", subnet+2)
	s = supervisedAs(t, "ip", dir, append([]string{"netns", "exec", name, filepath.Join(root, "bin/api"), "serve",
		"--no-publish", "--listen", address, "--data-dir", dir, "--database-url", url}, unlimited...)...)
	s.site = "http://" + address
	s.ready(t)
	return s, unplug, plug
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
