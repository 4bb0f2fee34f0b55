package ingest

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// TestNothingIsConfirmedThatTheStandbyLacks changes things while the synchronous standby is away. The primary has each
// change, but if it were lost, so would the change be. So the server confirms neither the first nor the second sending
// before the standby is back. What it then confirms is there after the primary is lost.
func TestNothingIsConfirmedThatTheStandbyLacks(t *testing.T) {
	t.Parallel()
	p := startPair(t)
	s := p.startPublishedServer(t)
	operator := strings.TrimSpace(run(t, "operator", "add", "judge", "--database-url", p.url))
	var ids, bodies []string // result i is contributor i's
	for i := range 5 {
		id, body := document()
		ids, bodies = append(ids, id), append(bodies, string(body))
		if i == 0 {
			continue // is uploaded later
		}
		if status, err := put(t, s.site, id, body, secretOf(i)); err != nil || status != http.StatusCreated {
			t.Fatalf("%d, %v", status, err)
		}
	}
	state := func(i int, is string) string {
		return fmt.Sprintf("select exists (select from submission where id = '%s' and state = '%s')", ids[i], is)
	}
	changes := []struct {
		what, method, path, secret, body string
		confirmed                        int    // the status of a change that was made before
		made                             string // asks the database
	}{
		{"an upload", "PUT", "/v1/results/" + ids[0], secretOf(0), bodies[0], 200, state(0, "accepted")},
		{"a deletion", "DELETE", "/v1/results/" + ids[1], secretOf(1), "", 204, state(1, "deleted")},
		{"a rejection", "POST", "/v1/moderation/submissions/" + ids[4] + "/reject", operator, `{"reason":"a test"}`, 200,
			state(4, "rejected")},
	}
	p.stopStandby(t)
	var senders sync.WaitGroup
	for _, c := range changes {
		senders.Go(func() {
			for sending := range 2 {
				status, err := ask(t, c.method, s.site+c.path, []byte(c.body), c.secret)
				if err == nil && status != http.StatusServiceUnavailable {
					t.Errorf("%s, sending %d, is answered with %d; want 503", c.what, sending+1, status)
				}
				eventually(t, "the primary has "+c.what, func() bool { return value[bool](t, p.primary.URL(), c.made) })
			}
		})
	}
	senders.Wait()

	p.startStandby(t)
	for _, c := range changes {
		status, err := ask(t, c.method, s.site+c.path, []byte(c.body), c.secret)
		if err != nil || status != c.confirmed {
			t.Errorf("with the standby back, %s is answered with %d, %v; want %d", c.what, status, err, c.confirmed)
		}
	}
	p.signalPrimary(t, syscall.SIGKILL)
	p.promoteStandby(t)
	for _, c := range changes {
		if !value[bool](t, p.standby.URL(), c.made) {
			t.Errorf("%s was confirmed, and is lost with the primary", c.what)
		}
	}
	eventually(t, "the server reads from the new primary", func() bool {
		return string(storedDocument(t, s.site, ids[0])) == string(public([]byte(bodies[0])))
	})
}
