// Package cluster runs the program's own Postgres, for `make run` and for tests. A production server uses a database
// URL instead.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// role is the superuser, and the name of the database, of every cluster made here.
const role = "flashdex"

// Config configures a cluster.
type Config struct {
	Dir     string // holds the data, the log and, if they had to be fetched, the binaries
	Durable bool   // false: faster, but a crash loses data; for tests
	Log     func(message string)
	Follows *Cluster // a new cluster becomes a copy of it and follows it under the name standby; nil: it follows none
}

// Cluster is a running Postgres.
type Cluster struct {
	socketDir string
	process   *os.Process
	exited    chan struct{} // closed when the process is gone; exitErr is valid from then on
	exitErr   error
	logFile   string
}

// Start makes the cluster in c.Dir if there is none yet, and starts it. It listens on a Unix socket in a directory that
// only its owner can enter, so it needs neither a port nor a password.
func Start(ctx context.Context, c Config) (*Cluster, error) {
	a, err := accountFor(c.Dir, c.Log)
	if err != nil {
		return nil, err
	}
	var major string
	if a.binaries, major, err = findBinaries(a.dir, c.Log); err != nil {
		return nil, err
	}
	dataDir := filepath.Join(a.dir, "data")
	text, err := os.ReadFile(filepath.Join(dataDir, "PG_VERSION"))
	written := strings.TrimSpace(string(text))
	if errors.Is(err, os.ErrNotExist) {
		c.Log("making a Postgres cluster in " + dataDir)
		err = initialize(ctx, a, dataDir, c.Follows)
	} else if err == nil && written != major { // for example after an upgrade of the system
		err = fmt.Errorf("the data in %s was written by Postgres %s, but %s holds Postgres %s; install Postgres %[2]s "+
			"again, or delete the data (make clean-data)", dataDir, written, a.binaries, major)
	}
	if err == nil {
		err = awaitPredecessor(ctx, dataDir, c.Log)
	}
	if err != nil {
		return nil, err
	}
	return start(ctx, c, a, dataDir)
}

// patience is how long a Postgres may take to stop.
var patience = time.Minute // a variable for tests

// awaitPredecessor waits for a Postgres that is still stopping on the same data. That happens when the program was
// killed and a supervisor starts it again at once. Failing instead would be wrong, because a supervisor gives up after
// too many failed starts. If Postgres hangs, it is told to stop without tidying up, and gets the same time again. Then
// the next Postgres must recover from its log, but no data are lost.
func awaitPredecessor(ctx context.Context, dataDir string, log func(string)) error {
	told, hangs := false, false
	for begin := time.Now(); time.Since(begin) < 2*patience && ctx.Err() == nil; time.Sleep(50 * time.Millisecond) {
		// A line each: process, data folder, start, port, socket folder, address, shared memory, status.
		text, _ := os.ReadFile(filepath.Join(dataDir, "postmaster.pid"))
		lines := strings.Split(string(text), "\n")
		if len(lines) < 8 || strings.TrimSpace(lines[7]) != "stopping" {
			return nil
		}
		folder, err := os.Stat("/proc/" + lines[0] + "/cwd") // the data folder, unless the number is another process's
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		if !told {
			log("waiting for the last Postgres to stop")
			told = true
		}
		data, _ := os.Stat(dataDir)
		process, err := strconv.Atoi(lines[0])
		if !hangs && time.Since(begin) > patience && err == nil && os.SameFile(folder, data) {
			log("the last Postgres hangs: it is stopped without tidying up, and the next one recovers from its log")
			hangs = true
			_ = syscall.Kill(process, syscall.SIGQUIT) // if that fails, the start below says that the data are in use
		}
	}
	return ctx.Err()
}

func initialize(ctx context.Context, a account, dataDir string, follows *Cluster) error {
	// A half-made cluster, from a start that was interrupted, has no PG_VERSION in its final place.
	fresh := dataDir + ".new"
	if err := os.RemoveAll(fresh); err != nil {
		return err
	}
	cmd := a.command(ctx, "initdb", "-D", fresh, "-U", role, "-A", "trust", "-E", "UTF8", "--locale=C",
		"--no-instructions")
	if follows != nil { // this program is not among the fetched ones
		cmd = a.command(ctx, "pg_basebackup", "-D", fresh, "-R", "-X", "stream", "-c", "fast",
			"-d", "host="+follows.socketDir+" user="+role+" application_name=standby")
	}
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s failed: %w\n%s", filepath.Base(cmd.Path), err, output)
	}
	return os.Rename(fresh, dataDir)
}

func start(ctx context.Context, c Config, a account, dataDir string) (*Cluster, error) {
	socketDir, err := makeSocketDir(a.dir)
	if err != nil {
		return nil, err
	}
	cl := &Cluster{socketDir: socketDir, exited: make(chan struct{}), logFile: filepath.Join(a.dir, "postgres.log")}
	if err := a.own(socketDir); err != nil {
		return nil, err
	}
	log, err := os.OpenFile(cl.logFile, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	args := []string{
		"-D", dataDir, "-k", socketDir, "-c", "listen_addresses=", "-c", "max_connections=200", "-c", "log_timezone=UTC",
		"-c", "timezone=UTC",
	}
	if !c.Durable {
		args = append(args, "-c", "fsync=off", "-c", "full_page_writes=off", "-c", "synchronous_commit=off")
	}
	cmd := a.command(context.WithoutCancel(ctx), "postgres", args...)
	cmd.Stdout, cmd.Stderr = log, log
	// Ctrl-C at the terminal reaches every process of the foreground group. Postgres gets a group of its own, because
	// it must outlive this program's shutdown. If this program is killed, Postgres gets a signal too.
	cmd.SysProcAttr.Setpgid = true
	cmd.SysProcAttr.Pdeathsig = syscall.SIGINT
	started := make(chan error)
	go func() {
		// The death signal comes when the thread that started the process ends, so that thread waits here.
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			cl.exitErr = cmd.Wait()
			close(cl.exited)
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	cl.process = cmd.Process
	if err := cl.ready(ctx); err != nil {
		return nil, errors.Join(err, cl.Stop())
	}
	return cl, nil
}

// makeSocketDir makes a directory below dir. If the path would be too long for a socket (107 bytes in all), it makes
// one for temporary files.
func makeSocketDir(dir string) (string, error) {
	const longest = 107 - len("/.s.PGSQL.5432.lock")
	socketDir := filepath.Join(dir, "socket")
	if len(socketDir) > longest {
		return os.MkdirTemp("", "flashdex-pg-")
	}
	return socketDir, os.MkdirAll(socketDir, 0o700)
}

// ready waits until the server answers, and makes the database.
func (cl *Cluster) ready(ctx context.Context) error {
	for {
		ok, err := cl.makeDatabase(ctx)
		if ok || err != nil {
			return err
		}
		select {
		case <-cl.exited:
			log, _ := os.ReadFile(cl.logFile)
			return fmt.Errorf("postgres did not start (%v); its log says:\n%s", cl.exitErr, log)
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// makeDatabase returns false while the server doesn't answer. It also returns false while another server on the same
// data answers; then ours is about to give up.
func (cl *Cluster) makeDatabase(ctx context.Context) (bool, error) {
	conn, err := pgx.Connect(ctx, cl.DatabaseURL("postgres"))
	if err != nil {
		return false, nil
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var postmaster int
	var exists bool
	err = conn.QueryRow(ctx, `select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int,
		exists (select from pg_database where datname = $1)`, role).Scan(&postmaster, &exists)
	if err != nil || postmaster != cl.process.Pid {
		return false, err
	}
	if !exists {
		_, err = conn.Exec(ctx, "create database "+role)
	}
	return err == nil, err
}

// URL is the connection string of the cluster's own database.
func (cl *Cluster) URL() string { return cl.DatabaseURL(role) }

// URLAs is URL for another role.
func (cl *Cluster) URLAs(user string) string { return cl.databaseURL(role, user) }

// DatabaseURL is the connection string of one of the cluster's databases.
func (cl *Cluster) DatabaseURL(database string) string { return cl.databaseURL(database, role) }

func (cl *Cluster) databaseURL(database, user string) string {
	return "postgres:///" + url.PathEscape(database) + "?" + url.Values{"host": {cl.socketDir}, "user": {user}}.Encode()
}

// Exited is closed when Postgres has ended, wanted or not.
func (cl *Cluster) Exited() <-chan struct{} { return cl.exited }

// Stop ends Postgres. Open transactions are rolled back; committed ones stay.
func (cl *Cluster) Stop() error {
	if filepath.Dir(cl.socketDir) != filepath.Dir(cl.logFile) { // a directory for temporary files
		defer os.RemoveAll(cl.socketDir)
	}
	if err := cl.process.Signal(syscall.SIGINT); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-cl.exited:
		return nil
	case <-time.After(time.Minute):
		late := errors.New("postgres did not stop within a minute and was killed; it will recover at the next start")
		return errors.Join(late, cl.process.Kill())
	}
}
