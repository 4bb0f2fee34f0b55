package ingest

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"
)

// The operator's deeds, as the counts name them.
const rejects, accepts, merges = "reject a result", "accept a rejected result", "merge two modules"

// moderate is the operator's work until the end: reject results, accept some of them again, and merge modules.
func (c *city) moderate() {
	desk := c.newPerson()
	for n := 0; !c.over.Load(); n++ {
		r := turn(c.seed, operator, n)
		time.Sleep(time.Duration(r.ExpFloat64() * float64(3*time.Second)))
		if r.IntN(8) == 0 {
			c.mergeSome(desk, r)
			continue
		}
		of := c.person(r.IntN(citizens)).kept()
		if len(of) == 0 {
			continue
		}
		id := of[r.IntN(len(of))]
		if c.ledger.verdict(id) == "" && c.decide(desk, rejects, id, "reject") == 1 && r.IntN(3) == 0 {
			c.decide(desk, accepts, id, "accept")
		}
	}
}

// decide decides on a result, and returns how often the request was sent. Nobody decides otherwise after a request
// without an answer, since that may arrive late.
func (c *city) decide(desk *person, what, id, verdict string) (attempts int) {
	status, attempts := c.order(desk, "submissions/"+id+"/"+verdict, `{"reason":"a test of everything"}`)
	if status == http.StatusOK {
		c.ledger.judge(id, verdict)
	} else if status != http.StatusGone || !c.ledger.asked(id) {
		c.t.Errorf("the decision to %s %s is answered with %d", verdict, id, status)
	}
	c.ledger.count(what, status == http.StatusOK)
	return attempts
}

// mergeSome merges one of the measured modules into another.
func (c *city) mergeSome(desk *person, r *rand.Rand) {
	slugs, err := query[[]string](c.t.Context(), c.pair.url, `
		select coalesce(array_agg(slug order by slug), '{}') from module
		where slug like '%chaos%' and slug not in (select from_slug from module_alias)`)
	if err != nil || len(slugs) < mergesEnd {
		return
	}
	order := r.Perm(len(slugs))
	from, into := slugs[order[0]], slugs[order[1]]
	status, _ := c.order(desk, "modules/merge",
		fmt.Sprintf(`{"from":%q,"into":%q,"reason":"a test of everything"}`, from, into))
	if status == http.StatusNoContent {
		c.ledger.merge(from, into)
	} else if status != http.StatusNotFound { // its last result may have been deleted meanwhile
		c.t.Errorf("merging %s into %s is answered with %d", from, into, status)
	}
	c.ledger.count(merges, status == http.StatusNoContent)
}

// order sends an operator's order until it is answered.
func (c *city) order(desk *person, path, body string) (status, attempts int) {
	for {
		attempts++
		status, err := ask(c.t, http.MethodPost, desk.site+"/v1/moderation/"+path, []byte(body), c.operator)
		if err == nil && status != http.StatusServiceUnavailable && status != http.StatusTooManyRequests {
			return status, attempts
		}
		time.Sleep(500 * time.Millisecond)
	}
}
