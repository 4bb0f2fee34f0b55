package ingest

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"flashdex/api/store/cluster"

	"github.com/jackc/pgx/v5"
)

// fault is something that breaks, and is mended after a while.
type fault struct {
	what   string
	weight int // how often it happens, compared with the others
	// happen reports whether it hit anything.
	happen func(c *city, e event) bool
}

var faults = []fault{
	{"a server is killed", 6, func(c *city, e event) bool { return one(e, c.servers).replace(c.t, syscall.SIGKILL) }},
	{"a server is stopped in order", 3, func(c *city, e event) bool {
		return one(e, c.servers).replace(c.t, syscall.SIGTERM)
	}},
	{"a server is frozen", 4, func(c *city, e event) bool { return freeze(one(e, c.servers).pid(), e.lasts) }},
	{"a worker is killed", 6, func(c *city, e event) bool { return one(e, c.workers).replace(c.t, syscall.SIGKILL) }},
	{"a worker is frozen", 6, func(c *city, e event) bool { return freeze(one(e, c.workers).pid(), e.lasts) }},
	{"clients are killed", 4, func(c *city, e event) (hit bool) {
		r := e.rand()
		for _, i := range r.Perm(citizens)[:1+r.IntN(citizens)] {
			hit = c.person(i).kill() || hit
		}
		return hit
	}},
	{"a connection's process of Postgres is killed", 4, func(c *city, e event) bool { return c.killBackend(e) }},
	{"the primary is killed and started again", 3, func(c *city, e event) bool {
		return c.restart(e, true, syscall.SIGKILL)
	}},
	{"the primary is stopped and started again", 2, func(c *city, e event) bool {
		return c.restart(e, true, syscall.SIGINT)
	}},
	{"the primary is frozen", 2, func(c *city, e event) bool { return c.freezePostgres(e, true) }},
	{"the standby is stopped and started again", 3, func(c *city, e event) bool {
		return c.restart(e, false, syscall.SIGINT)
	}},
	{"the standby is frozen", 2, func(c *city, e event) bool { return c.freezePostgres(e, false) }},
	{"the primary is lost, the standby takes over", 3, func(c *city, e event) bool { return c.promote(e, false) }},
	{"the primary is lost while the standby is away, which takes over", 2, func(c *city, e event) bool {
		return c.promote(e, true)
	}},
	{"the data folder's disk is full", 4, func(c *city, e event) bool { return c.fillDisk(c.disks["data"], e) }},
	{"a disk of Postgres is full", 3, func(c *city, e event) bool { return c.fillPostgres(e) }},
	{"the clocks are stepped", 4, func(c *city, e event) bool {
		c.clock.step(c, time.Duration(e.rand().Int64N(int64(12*time.Hour)))-6*time.Hour)
		return true
	}},
}

func one(e event, of []*server) *server { return of[e.rand().IntN(len(of))] }

// replace ends a process, and waits until its supervisor has started another.
func (s *server) replace(t *testing.T, signal syscall.Signal) (ended bool) {
	pid := s.pid()
	if pid == 0 || syscall.Kill(pid, signal) != nil {
		return false // another fault has just ended it
	}
	eventually(t, "another process was started", func() bool { return s.pid() != pid })
	return true
}

// family lists a process, which may not be there, and its children.
func family(pid int) []int {
	if pid <= 0 {
		return nil
	}
	return append(children(pid), pid)
}

// stop stops a process, then its children, and returns all of them. The process has to be stopped before its children
// are listed, because it could start another one meanwhile. If a process of Postgres is missed when the others are
// killed, it waits for ever for one of their locks, and keeps the disk.
func stop(pid int) (all []int) {
	if pid <= 0 || syscall.Kill(pid, syscall.SIGSTOP) != nil {
		return nil // it has ended
	}
	for !slices.Contains([]string{"T", "Z", ""}, stateOf(pid)) { // Z: it has ended, and its parent hasn't noticed
		time.Sleep(time.Millisecond)
	}
	all = family(pid)
	for _, process := range all {
		_ = syscall.Kill(process, syscall.SIGSTOP)
	}
	return all
}

// freeze stops a process and its children, and lets them go on after a while.
func freeze(pid int, lasts time.Duration) (stopped bool) {
	all := stop(pid)
	time.Sleep(lasts)
	for _, process := range all {
		_ = syscall.Kill(process, syscall.SIGCONT)
	}
	return len(all) > 0
}

func (c *city) killBackend(e event) bool {
	c.postgres.Lock()
	defer c.postgres.Unlock()
	backends := slices.DeleteFunc(family(postmasterOf(c.pair.primaryDir)), func(pid int) bool {
		return !named(pid, " [local] ")
	})
	return len(backends) > 0 && syscall.Kill(backends[e.rand().IntN(len(backends))], syscall.SIGKILL) == nil
}

// restart ends the primary or the standby, and starts it again after a while.
func (c *city) restart(e event, primary bool, signal syscall.Signal) (ended bool) {
	c.postgres.Lock()
	defer c.postgres.Unlock()
	ended = c.endPostgres(primary, signal)
	time.Sleep(e.lasts / 2)
	c.revive()
	return ended
}

// endPostgres ends the primary or the standby.
func (c *city) endPostgres(primary bool, signal syscall.Signal) bool {
	of, dir := c.pair.standby, c.pair.standbyDir
	if primary {
		of, dir = c.pair.primary, c.pair.primaryDir
	}
	pid := postmasterOf(dir)
	ended := pid > 0 && syscall.Kill(pid, signal) == nil
	<-of.Exited()
	return ended
}

// revive starts whichever of the pair has ended, and waits until commits reach the standby again.
func (c *city) revive() {
	ended := func(of *cluster.Cluster) bool {
		select {
		case <-of.Exited():
			return true
		default:
			return false
		}
	}
	eventually(c.t, "Postgres is back", func() bool {
		var err error
		if ended(c.pair.primary) {
			started, failed := cluster.Start(context.WithoutCancel(c.t.Context()), quiet(c.pair.primaryDir))
			if err = failed; err == nil {
				c.pair.primary = started
			}
		}
		if err == nil && ended(c.pair.standby) {
			config := quiet(c.pair.standbyDir)
			config.Follows = c.pair.primary
			started, failed := cluster.Start(context.WithoutCancel(c.t.Context()), config)
			if err = failed; err == nil {
				c.pair.standby = started
			}
		}
		if err != nil {
			c.t.Logf("Postgres doesn't start yet: %v", err)
		}
		return err == nil
	})
	eventually(c.t, "the standby is synchronous", func() bool {
		state, err := query[string](c.t.Context(), c.pair.primary.URL(),
			"select coalesce(max(sync_state), '') from pg_stat_replication")
		return err == nil && state == "sync"
	})
}

func (c *city) freezePostgres(e event, primary bool) (stopped bool) {
	c.postgres.Lock()
	defer c.postgres.Unlock()
	dir := c.pair.standbyDir
	if primary {
		dir = c.pair.primaryDir
	}
	stopped = freeze(postmasterOf(dir), e.lasts)
	c.revive()
	return stopped
}

// promote kills the primary, sometimes after a freeze, and promotes the standby. If the standby was away before, it
// lacks commits that the primary made meanwhile and confirmed to nobody. A new standby is made in the folder of the old
// primary.
func (c *city) promote(e event, away bool) (promoted bool) {
	c.postgres.Lock()
	defer c.postgres.Unlock()
	old := postmasterOf(c.pair.primaryDir)
	if away {
		c.endPostgres(false, syscall.SIGINT)
		time.Sleep(10*time.Second + e.lasts/2) // longer than requests wait, so that clients send some again
	} else if e.rand().IntN(2) == 0 {
		freeze(old, e.lasts/2)
	}
	for _, pid := range stop(old) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	<-c.pair.primary.Exited()
	if away {
		eventually(c.t, "the standby is back", func() bool {
			started, err := cluster.Start(context.WithoutCancel(c.t.Context()), quiet(c.pair.standbyDir))
			if err == nil {
				c.pair.standby = started
			}
			return err == nil
		})
	}
	c.pair.primary, c.pair.standby = c.pair.standby, c.pair.primary
	c.pair.primaryDir, c.pair.standbyDir = c.pair.standbyDir, c.pair.primaryDir
	promoted, err := query[bool](c.t.Context(), c.pair.primary.DatabaseURL("postgres"), "select pg_promote()")
	if err != nil || !promoted {
		c.t.Errorf("the standby was not promoted within a minute: %v", err)
		return false
	}
	if err := c.pair.awaitStandby(c.t.Context()); err != nil {
		c.t.Errorf("commits can't be made to wait: %v", err)
	}
	eventually(c.t, "the lost primary's files are gone", func() bool {
		return os.RemoveAll(filepath.Join(c.pair.standbyDir, "data")) == nil
	})
	c.revive()
	return true
}

// fillDisk takes up all the room of a disk for a while.
func (c *city) fillDisk(disk string, e event) (filled bool) {
	name := filepath.Join(disk, "filler "+e.at.String()) // another may fill it at the same time
	filled = take(c, name)
	time.Sleep(e.lasts)
	if err := os.Remove(name); err != nil && filled {
		c.t.Error(err)
	}
	return filled
}

// take makes a file of all the free room, and reports whether there was any.
func take(c *city, name string) bool {
	file, err := os.Create(name)
	if err != nil {
		if !errors.Is(err, syscall.ENOSPC) {
			c.t.Error(err)
		}
		return false
	}
	defer file.Close()
	var free syscall.Statfs_t
	if err := syscall.Statfs(filepath.Dir(name), &free); err != nil {
		c.t.Error(err)
		return false
	}
	var end int64
	for size := int64(free.Bfree) * free.Bsize; size >= 4096; {
		if err := syscall.Fallocate(int(file.Fd()), 0, end, size); err != nil {
			size /= 2
		} else {
			end += size
		}
	}
	return end > 0
}

func (c *city) fillPostgres(e event) (filled bool) {
	c.postgres.Lock()
	defer c.postgres.Unlock()
	filled = c.fillDisk([]string{c.disks["primary"], c.disks["standby"]}[e.rand().IntN(2)], e)
	// Postgres may be about to end for lack of room.
	time.Sleep(200 * time.Millisecond)
	c.revive()
	return filled
}

// query reads one value from a database that may be away.
func query[T any](ctx context.Context, url, sql string, args ...any) (v T, err error) {
	ctx, cancel := context.WithTimeout(ctx, 70*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return v, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return v, conn.QueryRow(ctx, sql, args...).Scan(&v)
}

// person returns client i, who may have been replaced by another.
func (c *city) person(i int) *person {
	c.ledger.Lock()
	defer c.ledger.Unlock()
	return c.people[i]
}

// draw draws one of several things, by weight.
func draw[T any](r *rand.Rand, of []T, weight func(T) int) T {
	var weights int
	for _, each := range of {
		weights += weight(each)
	}
	drawn, i := r.IntN(weights), 0
	for ; drawn >= weight(of[i]); i++ {
		drawn -= weight(of[i])
	}
	return of[i]
}
