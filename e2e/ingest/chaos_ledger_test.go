package ingest

import (
	"context"
	"regexp"
	"sync"
	"time"
)

var reID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)

// ledger holds requests to the site and its acknowledgements, except those in the people's own folders: there, a
// receipt shows an upload, a mark a deletion, and the secret its last change.
type ledger struct {
	*sync.Mutex
	deletions map[string]bool   // were asked for, by id
	verdicts  map[string]string // the operator's last decision that was acknowledged, by id
	merges    map[string]string // acknowledged: which module was merged into which
	tried     map[string]int    // how often people and faults tried something, by its name
	happened  map[string]int    // how often that succeeded: a kill hit a process, a deletion was confirmed
}

func newLedger() ledger {
	return ledger{&sync.Mutex{}, map[string]bool{}, map[string]string{}, map[string]string{}, map[string]int{},
		map[string]int{}}
}

// count notes that something was tried, and whether it happened.
func (l ledger) count(what string, happened bool) {
	l.Lock()
	defer l.Unlock()
	l.tried[what]++
	if happened {
		l.happened[what]++
	}
}

func (l ledger) merge(from, into string) {
	l.Lock()
	defer l.Unlock()
	l.merges[from] = into
}

// ask notes that somebody is about to ask for a deletion. It may happen at any time from now on.
func (l ledger) ask(id string) {
	l.Lock()
	defer l.Unlock()
	l.deletions[id] = true
}

func (l ledger) asked(id string) bool {
	l.Lock()
	defer l.Unlock()
	return l.deletions[id]
}

func (l ledger) judge(id, verdict string) {
	l.Lock()
	defer l.Unlock()
	l.verdicts[id] = verdict
}

func (l ledger) verdict(id string) string {
	l.Lock()
	defer l.Unlock()
	return l.verdicts[id]
}

// everybody returns all people, also those who left.
func (c *city) everybody() []*person {
	c.ledger.Lock()
	defer c.ledger.Unlock()
	return append(append([]*person{}, c.people...), c.gone...)
}

// deleted returns the results whose deletion was acknowledged.
func (c *city) deleted() map[string]bool {
	ids := map[string]bool{}
	for _, p := range c.everybody() {
		for _, id := range p.marked(".deleted.json") {
			ids[id] = true
		}
	}
	return ids
}

// briefly waits for less time than the site asks for.
func briefly(_ context.Context, delay time.Duration) error {
	time.Sleep(min(delay, 200*time.Millisecond))
	return nil
}
