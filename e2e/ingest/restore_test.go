package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"flashdex/api/publish"
	"flashdex/api/store/cluster"
)

// TestRestore is the drill of docs/operations.md. It takes a base backup during uploads and streams the log to an
// archive; each commit waits for the archive. Then it destroys the cluster during uploads and restores it. No
// acknowledged upload is missing, the same server goes on, and old links work. A second restore ends before an
// accident.
func TestRestore(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "flashdex-drill-") // Postgres' account can't enter t.TempDir
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	home, base, archive := filepath.Join(dir, "postgres"), filepath.Join(dir, "base"), filepath.Join(dir, "archive")
	c, s := outside(t, home)
	first := receive(t, c, archive)
	execute(t, c.URL(), "alter system set synchronous_standby_names = 'archive'")
	execute(t, c.URL(), "select pg_reload_conf()")
	eventually(t, "commits wait for the archive", func() bool {
		return value[int](t, c.URL(), `select count(*) from pg_stat_replication
			where application_name = 'archive' and sync_state = 'sync'`) == 1
	})

	uploads := startStream(t, 16, s)
	uploads.flows(t, "the start")
	backup := exec.Command(postgresProgram(t, "pg_basebackup"), "--dbname", c.DatabaseURL("postgres"), "--pgdata", base,
		"--wal-method=none", "--checkpoint=fast")
	if output, err := backup.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	uploads.flows(t, "the backup")
	before := uploads.confirmed()
	execute(t, c.URL(), "select pg_create_restore_point('before_the_accident')")
	accident := time.Now()
	execute(t, c.URL(), "create table accident ()")
	uploads.flows(t, "the accident")
	generation, _, _ := publish.CurrentGeneration(filepath.Join(s.dir, "site"))
	acknowledged := len(uploads.confirmed())

	// The machine is lost: Postgres dies, and all its files are gone.
	owner := ownerOf(t, filepath.Join(home, "data"))
	postmaster := value[int](t, c.URL(), `select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int`)
	if err := syscall.Kill(postmaster, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-c.Exited()
	uploads.refused(t, 1)
	first()
	eventually(t, "the last of Postgres is gone", func() bool { return os.RemoveAll(filepath.Join(home, "data")) == nil })

	restore(t, base, filepath.Join(home, "data"), archive, owner)
	c = startRestored(t, home)
	defer receive(t, c, filepath.Join(dir, "archive 2"))()
	uploads.flows(t, "the restore")
	ids := uploads.end(t, s.site)
	t.Logf("%d uploads were acknowledged before the loss", acknowledged)
	complete(t, c.URL(), ids)
	if value[*string](t, c.URL(), "select to_regclass('accident')::text") == nil {
		t.Error("the end of the log was not replayed")
	}
	if s.starts != 1 {
		t.Errorf("the server ended %d times", s.starts-1)
	}
	eventually(t, "the site is published again", func() bool {
		now, _, _ := publish.CurrentGeneration(filepath.Join(s.dir, "site"))
		return now > generation
	})
	for _, id := range ids {
		answer, err := http.Get(s.site + "/r/" + id)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Errorf("the link of %s gives %d", id, answer.StatusCode)
		}
	}

	// Restore the same base and log again, up to the restore point.
	pastHome := filepath.Join(dir, "past")
	if err := os.Mkdir(pastHome, 0o755); err != nil {
		t.Fatal(err)
	}
	restore(t, base, filepath.Join(pastHome, "data"), archive, owner,
		"recovery_target_name = 'before_the_accident'", "recovery_target_action = 'promote'")
	p := startRestored(t, pastHome)
	if table := value[*string](t, p.URL(), "select to_regclass('accident')::text"); table != nil {
		t.Error("the restore went past the restore point")
	}
	past := storedIDs(t, p.URL())
	complete(t, p.URL(), past)
	for _, id := range before {
		if !slices.Contains(past, id) {
			t.Errorf("%s was confirmed before the restore point, and is missing", id)
		}
	}
	for _, id := range past {
		if uploads.begun[id].After(accident) {
			t.Errorf("%s was sent after the restore point, and is there", id)
		}
	}
	s.stop(t)
	if err := errors.Join(p.Stop(), c.Stop()); err != nil {
		t.Error(err)
	}
}

// receive streams the log into a folder until the returned function is called.
func receive(t *testing.T, c *cluster.Cluster, into string) (stop func()) {
	t.Helper()
	if err := os.Mkdir(into, 0o755); err != nil {
		t.Fatal(err)
	}
	address := c.DatabaseURL("postgres") + "&application_name=archive"
	program := postgresProgram(t, "pg_receivewal")
	create := exec.Command(program, "--dbname", address, "--slot=archive", "--create-slot", "--if-not-exists")
	if output, err := create.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	cmd := exec.Command(program, "--dbname", address, "--slot=archive", "--synchronous", "--directory", into)
	cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	stop = func() {
		if !ended {
			ended = true
			_ = cmd.Process.Signal(syscall.SIGINT)
			_ = cmd.Wait()
		}
	}
	t.Cleanup(stop)
	return stop
}

// restore makes a data folder from a base backup and the archive, with additional settings.
func restore(t *testing.T, base, data, archive string, owner int, settings ...string) {
	t.Helper()
	if err := os.CopyFS(data, os.DirFS(base)); err != nil {
		t.Fatal(err)
	}
	// The last segment is incomplete and ends in .partial.
	settings = append(settings, fmt.Sprintf(
		`restore_command = 'cp "%[1]s/%%f" "%%p" 2>/dev/null || cp "%[1]s/%%f.partial" "%%p"'`, archive))
	file, err := os.OpenFile(filepath.Join(data, "postgresql.auto.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.WriteString(strings.Join(settings, "\n") + "\n")
	err = errors.Join(err, file.Close(), os.WriteFile(filepath.Join(data, "recovery.signal"), nil, 0o600))
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{filepath.Dir(data), archive} {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || path == filepath.Dir(data) {
				return err
			}
			if d.IsDir() {
				err = os.Chmod(path, 0o700)
			}
			return errors.Join(err, os.Lchown(path, owner, -1))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// startRestored starts a Postgres on restored data, and returns when Postgres takes writes.
func startRestored(t *testing.T, dir string) *cluster.Cluster {
	t.Helper()
	c, err := cluster.Start(context.WithoutCancel(t.Context()), logged(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	eventually(t, "the log is replayed", func() bool {
		return !value[bool](t, c.DatabaseURL("postgres"), "select pg_is_in_recovery()")
	})
	t.Logf("replayed after %v", time.Since(start))
	return c
}

func ownerOf(t *testing.T, path string) int {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	of, _ := info.Sys().(*syscall.Stat_t)
	return int(of.Uid)
}

// postgresProgram returns the path of a program that comes with Postgres. Without it the test is skipped.
func postgresProgram(t testing.TB, name string) string {
	t.Helper()
	candidates, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if len(candidates) > 0 {
		return slices.Max(candidates)
	}
	program, err := exec.LookPath(name)
	if err != nil {
		t.Skip("needs " + name + " from Debian's package postgresql")
	}
	return program
}
