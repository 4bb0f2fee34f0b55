package ingest

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"flashdex/api/store/cluster"

	"github.com/jackc/pgx/v5"
)

// fault is something that breaks, and is mended after a while.
type fault struct {
	what   string
	weight int // how often it happens, compared with the others
	happen func(c *city, e event)
}

var faults = []fault{
	{"a server is killed", 6, func(c *city, e event) { one(e, c.servers).signal(syscall.SIGKILL) }},
	{"a server is stopped in order", 3, func(c *city, e event) { one(e, c.servers).signal(syscall.SIGTERM) }},
	{"a server is frozen", 4, func(c *city, e event) { freeze(one(e, c.servers).pid(), e.lasts) }},
	{"a worker is killed", 6, func(c *city, e event) { one(e, c.workers).signal(syscall.SIGKILL) }},
	{"a worker is frozen", 6, func(c *city, e event) { freeze(one(e, c.workers).pid(), e.lasts) }},
	{"clients are killed", 4, func(c *city, e event) {
		r := e.rand()
		for _, i := range r.Perm(len(c.people))[:1+r.IntN(len(c.people))] {
			c.person(i).kill()
		}
	}},
	{"a connection's process of Postgres is killed", 4, func(c *city, e event) { c.killBackend(e) }},
	{"the primary is killed and started again", 3, func(c *city, e event) { c.restart(e, true, syscall.SIGKILL) }},
	{"the primary is stopped and started again", 2, func(c *city, e event) { c.restart(e, true, syscall.SIGINT) }},
	{"the primary is frozen", 2, func(c *city, e event) { c.freezePostgres(e, true) }},
	{"the standby is stopped and started again", 3, func(c *city, e event) { c.restart(e, false, syscall.SIGINT) }},
	{"the standby is frozen", 2, func(c *city, e event) { c.freezePostgres(e, false) }},
	{"the primary is lost, the standby takes over", 3, func(c *city, e event) { c.promote(e) }},
	{"the data folder's disk is full", 4, func(c *city, e event) { c.fillDisk(c.disks["data"], e) }},
	{"a disk of Postgres is full", 3, func(c *city, e event) { c.fillPostgres(e) }},
	{"the clocks are stepped", 4, func(c *city, e event) {
		c.clock.step(c, time.Duration(e.rand().Int64N(int64(12*time.Hour)))-6*time.Hour)
	}},
}

func one(e event, of []*server) *server { return of[e.rand().IntN(len(of))] }

// freeze stops processes, and lets them go on after a while.
func freeze(pid int, lasts time.Duration) {
	for _, signal := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGCONT} {
		for _, process := range append(children(pid), pid) {
			if process > 0 {
				_ = syscall.Kill(process, signal) // it may have ended
			}
		}
		if signal == syscall.SIGSTOP {
			time.Sleep(lasts)
		}
	}
}

func (c *city) killBackend(e event) {
	c.postgres.Lock()
	defer c.postgres.Unlock()
	backends := slices.DeleteFunc(children(postmasterOf(c.pair.primaryDir)), func(pid int) bool {
		return !named(pid, " [local] ")
	})
	if len(backends) > 0 {
		_ = syscall.Kill(backends[e.rand().IntN(len(backends))], syscall.SIGKILL) // it may have ended
	}
}

// restart ends the primary or the standby, and starts it again after a while.
func (c *city) restart(e event, primary bool, signal syscall.Signal) {
	c.postgres.Lock()
	defer c.postgres.Unlock()
	of, dir := c.pair.standby, c.pair.standbyDir
	if primary {
		of, dir = c.pair.primary, c.pair.primaryDir
	}
	_ = syscall.Kill(postmasterOf(dir), signal)
	<-of.Exited()
	time.Sleep(e.lasts / 2)
	c.revive()
}

// revive starts what has ended of the pair, and waits until commits reach the standby again.
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

func (c *city) freezePostgres(e event, primary bool) {
	c.postgres.Lock()
	defer c.postgres.Unlock()
	dir := c.pair.standbyDir
	if primary {
		dir = c.pair.primaryDir
	}
	freeze(postmasterOf(dir), e.lasts)
	c.revive()
}

// promote kills the primary, sometimes frozen before, and promotes the standby. A new standby is made in the folder of
// the old primary.
func (c *city) promote(e event) {
	c.postgres.Lock()
	defer c.postgres.Unlock()
	old := postmasterOf(c.pair.primaryDir)
	if e.rand().IntN(2) == 0 {
		freeze(old, e.lasts/2)
	}
	all := append(children(old), old)
	for _, pid := range all {
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended
	}
	<-c.pair.primary.Exited()
	c.pair.primary, c.pair.standby = c.pair.standby, c.pair.primary
	c.pair.primaryDir, c.pair.standbyDir = c.pair.standbyDir, c.pair.primaryDir
	promoted, err := query[bool](c.t.Context(), c.pair.primary.DatabaseURL("postgres"), "select pg_promote()")
	if err != nil || !promoted {
		c.t.Errorf("the standby was not promoted within a minute: %v", err)
		return
	}
	if err := c.pair.awaitStandby(c.t.Context()); err != nil {
		c.t.Errorf("commits can't be made to wait: %v", err)
	}
	eventually(c.t, "the lost primary's files are gone", func() bool {
		return os.RemoveAll(filepath.Join(c.pair.standbyDir, "data")) == nil
	})
	c.revive()
}

// fillDisk takes all room of a disk for a while.
func (c *city) fillDisk(disk string, e event) {
	name := filepath.Join(disk, "filler "+e.at.String()) // another may fill it at the same time
	take(c, name)
	time.Sleep(e.lasts)
	if err := os.Remove(name); err != nil {
		c.t.Error(err)
	}
}

// take makes a file of all the free room.
func take(c *city, name string) {
	file, err := os.Create(name)
	if err != nil && !errors.Is(err, syscall.ENOSPC) {
		c.t.Error(err)
		return
	}
	defer file.Close()
	var free syscall.Statfs_t
	if err := syscall.Statfs(filepath.Dir(name), &free); err != nil {
		c.t.Error(err)
		return
	}
	for size, end := int64(free.Bfree)*free.Bsize, int64(0); size >= 4096; {
		if err := syscall.Fallocate(int(file.Fd()), 0, end, size); err != nil {
			size /= 2
		} else {
			end += size
		}
	}
}

func (c *city) fillPostgres(e event) {
	c.postgres.Lock()
	defer c.postgres.Unlock()
	c.fillDisk([]string{c.disks["primary"], c.disks["standby"]}[e.rand().IntN(2)], e)
	// Postgres may be about to end for lack of room.
	time.Sleep(200 * time.Millisecond)
	c.revive()
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

// pick draws one of several things by their weights.
func pick(r *rand.Rand, of []action) action {
	var weights int
	for _, a := range of {
		weights += a.weight
	}
	draw, i := r.IntN(weights), 0
	for ; draw >= of[i].weight; i++ {
		draw -= of[i].weight
	}
	return of[i]
}
