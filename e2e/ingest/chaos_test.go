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
)

var (
	chaos     = flag.Duration("chaos", 0, "how long TestChaos lasts; 0: it is skipped")
	chaosSeed = flag.Uint64("seed", 0, "of TestChaos; 0: a random one, which is printed")
)

// city is what TestChaos runs: a primary and its synchronous standby, three servers and two workers in one data folder,
// and a balancer in front of them. The data folder and each Postgres have a disk of their own.
type city struct {
	t        *testing.T
	disks    map[string]string // where each is mounted
	servers  []*server
	workers  []*server
	balancer *balancer
	people   []*person
	gone     []*person // people who deleted everything
	operator string    // a token
	clock    *clock
	ledger   ledger

	postgres sync.Mutex // who does something to the pair
	pair     *pair
	over     atomic.Bool
}

// Sizes that leave room for an hour, and that a fault fills within a moment.
const (
	postgresDisk = 3 << 30
	dataDisk     = 2 << 30
	citizens     = 16
)

// TestChaos runs everything at once, breaks it at random, and then looks whether each promise was kept. The schedule of
// faults and what each client does follow from the seed; how they meet depends on the machine. docs/decisions/0017 says
// what the clocks do.
func TestChaos(t *testing.T) {
	if *chaos == 0 {
		t.Skip("takes an hour: make test-long (or go test ./e2e/ingest -run Chaos -chaos 2m)")
	}
	number := cmp.Or(*chaosSeed, rand.Uint64N(1_000_000)+1)
	t.Logf("to repeat: go test ./e2e/ingest -run 'TestChaos$' -v -timeout 3h -chaos %v -seed %d", *chaos, number)
	schedule := newSchedule(number, *chaos)
	for _, e := range schedule {
		t.Log(e)
	}
	c := newCity(t, number)
	start := time.Now()
	var faults, acts sync.WaitGroup
	for i := range c.people {
		acts.Go(func() { c.live(i, rand.New(rand.NewPCG(number, uint64(i)))) })
	}
	acts.Go(func() { c.moderate(rand.New(rand.NewPCG(number, 1000))) })
	for _, e := range schedule {
		time.Sleep(time.Until(start.Add(e.at)))
		t.Logf("%v after the start: %v", time.Since(start).Round(time.Second), e)
		faults.Go(func() { e.fault.happen(c, e) })
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
func newCity(t *testing.T, number uint64) *city {
	c := &city{t: t, disks: map[string]string{}, ledger: newLedger()}
	for name, bytes := range map[string]int64{"primary": postgresDisk, "standby": postgresDisk, "data": dataDisk} {
		c.disks[name] = looptest.Mount(t, bytes, "").Dir
	}
	c.clock = newClock(t)
	c.pair = startPairIn(t, c.disks["primary"], c.disks["standby"])
	run(t, "migrate", "--database-url", c.pair.url)
	c.clock.prepare(c)
	c.operator = strings.TrimSpace(run(t, "operator", "add", "judge", "--database-url", c.pair.url))
	shared := filepath.Join(c.disks["data"], "shared")
	for range 2 {
		c.workers = append(c.workers, supervisedAs(t, c.clock.program, t.TempDir(), "worker", "--data-dir", shared,
			"--database-url", c.pair.url, "--public-url", "http://localhost"))
	}
	for range 3 {
		address := freeAddress(t)
		s := supervisedAs(t, c.clock.program, t.TempDir(), "serve", "--no-publish", "--listen", address, "--data-dir", shared,
			"--database-url", c.pair.url, "--public-url", "http://localhost", "--trusted-proxies", "127.0.0.0/8")
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
	seed  uint64 // of what it chooses
}

func (e event) String() string {
	return fmt.Sprintf("at %v, for %v: %s", e.at.Round(time.Second), e.lasts.Round(100*time.Millisecond), e.fault.what)
}

func (e event) rand() *rand.Rand { return rand.New(rand.NewPCG(e.seed, 0)) }

// newSchedule draws faults by their weights, about every ten seconds, and each fault at least once in a long run. Those
// that last end before the run does.
func newSchedule(number uint64, length time.Duration) (schedule []event) {
	r := rand.New(rand.NewPCG(number, 2000))
	var weights int
	for _, f := range faults {
		weights += f.weight
	}
	for at := 5 * time.Second; at < length-length/10; at += time.Duration(2+r.IntN(16)) * time.Second {
		draw, i := r.IntN(weights), 0
		for ; draw >= faults[i].weight; i++ {
			draw -= faults[i].weight
		}
		lasts := time.Duration(r.ExpFloat64() * float64(10*time.Second))
		schedule = append(schedule, event{at, min(300*time.Millisecond+lasts, 50*time.Second, length-at), faults[i], r.Uint64()})
	}
	return slices.Clip(schedule)
}
