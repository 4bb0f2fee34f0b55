package ingest

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"flashdex/client/looptest"
	"flashdex/client/spool"
	"flashdex/migrations"
)

var (
	chaos     = flag.Duration("chaos", 0, "how long TestChaos lasts; 0: it is skipped")
	chaosSeed = flag.Uint64("seed", 0, "of TestChaos; 0: a random one, which is printed")
)

// city is what TestChaos runs: a primary and its synchronous standby, three servers and two workers in one data folder,
// and a balancer in front of them. The data folder and each Postgres have a disk of their own.
type city struct {
	t        *testing.T
	seed     uint64
	disks    map[string]string // where each disk is mounted
	servers  []*server
	workers  []*server
	balancer *balancer
	people   []*person
	gone     []*person // people who deleted everything
	operator string    // a token
	clock    *clock
	ledger   ledger

	postgres sync.Mutex // held while somebody does something to the pair
	pair     *pair
	over     atomic.Bool
}

// These sizes leave room for an hour, but a fault can fill them within a moment.
const (
	postgresDisk = 3 << 30
	dataDisk     = 2 << 30
	citizens     = 16
)

// The operator and the faults take turns, too. Clients have the numbers 0 to 15.
const operator, nature = citizens, citizens + 1

// turn returns the random numbers of somebody's nth turn. Each turn has its own numbers, so they are the same whatever
// happened in the turns before.
func turn(seed uint64, who, n int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(who)<<32|uint64(n)))
}

// wholeRun is how long a run must be for each kind of fault and work to happen in it.
const wholeRun = 10 * time.Minute

// TestChaos runs everything at once, breaks it at random, and then checks whether each promise was kept. The seed
// decides the schedule of faults and what each client does. How these meet depends on the machine. docs/decisions/0017
// says more.
func TestChaos(t *testing.T) {
	if *chaos == 0 {
		t.Skip("takes fifteen minutes: make test-long (or go test ./e2e/ingest -run Chaos -chaos 2m)")
	}
	seed := cmp.Or(*chaosSeed, rand.Uint64N(1_000_000)+1)
	t.Logf("to repeat: go test ./e2e/ingest -run 'TestChaos$' -v -timeout 3h -chaos %v -seed %d", *chaos, seed)
	c := newCity(t, seed)
	start := time.Now()
	var faults, acts sync.WaitGroup
	for i := range c.people {
		acts.Go(func() { c.live(i) })
	}
	acts.Go(c.moderate)
	for _, e := range newSchedule(seed, *chaos) {
		time.Sleep(time.Until(start.Add(e.at)))
		t.Log(e)
		faults.Go(func() { c.ledger.count(e.fault.what, e.fault.happen(c, e)) })
	}
	time.Sleep(time.Until(start.Add(*chaos)))
	c.over.Store(true)
	faults.Wait()
	t.Log("the last fault is over")
	c.clock.step(c, 0)
	acts.Wait()
	c.settle()
	c.check()
}

// newCity starts everything.
func newCity(t *testing.T, seed uint64) *city {
	c := &city{t: t, seed: seed, disks: map[string]string{}, ledger: newLedger()}
	for name, bytes := range map[string]int64{"primary": postgresDisk, "standby": postgresDisk, "data": dataDisk} {
		c.disks[name] = looptest.Mount(t, bytes, "").Dir
	}
	c.clock = newClock(t)
	c.pair = startPairIn(t, c.disks["primary"], c.disks["standby"])
	run(t, "migrate", "--database-url", c.pair.url)
	c.clock.prepare(c)
	c.operator = strings.TrimSpace(run(t, "operator", "add", "judge", "--database-url", c.pair.url))
	shared := filepath.Join(c.disks["data"], "shared")
	as := func(role string) string { return strings.Replace(c.pair.url, "user=flashdex", "user="+role, 1) }
	for range 2 {
		c.workers = append(c.workers, supervisedAs(t, c.clock.program, t.TempDir(), "worker", "--data-dir", shared,
			"--database-url", as(migrations.WorkerRole), "--public-url", "http://localhost"))
	}
	for range 3 {
		address := freeAddress(t)
		s := supervisedAs(t, c.clock.program, t.TempDir(), "serve", "--no-publish", "--listen", address, "--data-dir", shared,
			"--database-url", as(migrations.ServerRole), "--public-url", "http://localhost", "--trusted-proxies", "127.0.0.0/8",
			"--read-rate", "10", "--read-burst", "200") // so that a flood of this machine is one
		s.site = "http://" + address
		c.servers = append(c.servers, s)
	}
	c.balancer = newBalancer(t, c.servers)
	for range citizens {
		c.people = append(c.people, c.newPerson())
	}
	for _, s := range c.servers {
		s.ready(t)
	}
	return c
}

// person is a client behind an address of their own.
type person struct {
	client
	number int
}

func (c *city) newPerson() *person {
	p := &person{number: c.balancer.newSender()}
	p.spool, p.site = spool.Spool{Dir: c.t.TempDir()}, fmt.Sprintf("%s/as/%d", c.balancer.site, p.number)
	return p
}

// event is a fault at a time of the schedule.
type event struct {
	at    time.Duration // since the start
	lasts time.Duration
	fault fault
	seed  uint64 // of its random choices
}

func (e event) String() string {
	return fmt.Sprintf("at %v, for %v: %s", e.at.Round(time.Second), e.lasts.Round(100*time.Millisecond), e.fault.what)
}

func (e event) rand() *rand.Rand { return rand.New(rand.NewPCG(e.seed, 0)) }

// newSchedule draws faults, about one every ten seconds: first each kind once, in any order, and then by their weights.
// Faults that last end before the run does.
func newSchedule(seed uint64, length time.Duration) (schedule []event) {
	r := turn(seed, nature, 0)
	first := r.Perm(len(faults))
	for at := 5 * time.Second; at < length-length/10; at += time.Duration(2+r.IntN(16)) * time.Second {
		f := draw(r, faults, func(f fault) int { return f.weight })
		if n := len(schedule); n < len(first) {
			f = faults[first[n]]
		}
		lasts := 300*time.Millisecond + time.Duration(r.ExpFloat64()*float64(10*time.Second))
		schedule = append(schedule, event{at, min(lasts, 50*time.Second, length-at), f, r.Uint64()})
	}
	return schedule
}

// TestASeedRepeatsItsSchedule compares the schedules of two runs with one seed, and with another.
func TestASeedRepeatsItsSchedule(t *testing.T) {
	t.Parallel()
	plan := func(seed uint64) (all []string) {
		for _, e := range newSchedule(seed, wholeRun) {
			all = append(all, fmt.Sprint(e, e.seed))
		}
		for who := range citizens {
			for n := range 100 {
				r := turn(seed, who, n)
				all = append(all, fmt.Sprint(draw(r, actions, func(a action) int { return a.weight }).what, r.Uint64()))
			}
		}
		return all
	}
	for seed := range uint64(100) {
		if !slices.Equal(plan(seed), plan(seed)) || slices.Equal(plan(seed), plan(seed+1)) {
			t.Errorf("the schedule of the seed %d isn't the same twice, or is that of the next seed", seed)
		}
		kinds := map[string]bool{}
		for _, e := range newSchedule(seed, wholeRun) {
			kinds[e.fault.what] = true
		}
		if len(kinds) != len(faults) {
			t.Errorf("the schedule of the seed %d has %d of %d kinds of faults", seed, len(kinds), len(faults))
		}
	}
}
