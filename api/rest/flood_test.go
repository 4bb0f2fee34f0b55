package rest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"testing"

	"flashdex/api/rest"
	"flashdex/result"
)

// behindProxy makes the server believe the senders that the tests state. It sets the default limits.
func behindProxy(c *rest.Config) {
	c.Limits = rest.Limits{
		Writes: rest.Rate{PerSecond: 1, Burst: 240}, Contributor: rest.Rate{PerSecond: 0.5, Burst: 120},
		Daily:          rest.Daily{Modules: 80, Contributors: 200, Bytes: 64e6},
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
	}
}

// unheardOf returns a result of a module that only a contributor knows. It isn't in the catalogue and shows no
// registers.
func unheardOf(t testing.TB, product string) (id string, body []byte) {
	t.Helper()
	_, text := example(t)
	var doc result.Document
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	doc.ID, doc.Module.Vendor, doc.Module.Product = result.NewID(), "Nobody", product
	doc.Identity.Bus, doc.Identity.SD, doc.Host.BusMode, doc.Host.BusClockHz = "usb", nil, "", 0
	body, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return doc.ID, body
}

// listed returns a result of a module in the catalogue.
func listed(t testing.TB) (id string, body []byte) {
	t.Helper()
	id, body = fresh(t)
	return id, bytes.Replace(body, []byte(`"Extreme"`), []byte(`"Extreme A1"`), 1)
}

// uploadFrom uploads a document from an address, with a secret.
func (b *bench) uploadFrom(address, as, id string, body []byte) answer {
	b.t.Helper()
	r := b.upload(id, body)
	r.Header.Set("X-Forwarded-For", address)
	r.Header.Set("Authorization", "Bearer "+as)
	return b.do(r)
}

// flood uploads n results of as many unknown modules, and counts the answers by status. of returns the address and the
// secret for result i.
func (b *bench) flood(n int, of func(i int) (address, as string)) map[int]int {
	b.t.Helper()
	var mu sync.Mutex
	statuses := map[int]int{}
	var senders sync.WaitGroup
	for worker := range 8 {
		senders.Go(func() {
			for i := worker; i < n; i += 8 {
				address, as := of(i)
				id, body := unheardOf(b.t, fmt.Sprintf("Junk %d", i))
				a := b.uploadFrom(address, as, id, body)
				if a.status == http.StatusTooManyRequests &&
					(!bytes.Contains(a.body, []byte("othing was")) || a.header.Get("Retry-After") == "") {
					b.t.Errorf("a refusal doesn't say what was kept, or when to come back: %s", a.body)
				}
				mu.Lock()
				statuses[a.status]++
				mu.Unlock()
			}
		})
	}
	senders.Wait()
	return statuses
}

func secretOf(i int) string { return fmt.Sprintf("%064x", i+1) }

func TestAFloodOfModulesIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		most int
		of   func(i int) (address, as string)
	}{
		{"from one address", 80, func(int) (string, string) { return "198.51.100.7", secret }},
		{"from one address, a contributor each", 80, func(i int) (string, string) { return "198.51.100.7", secretOf(i) }},
		{"from a 24", 160, func(i int) (string, string) { return fmt.Sprintf("198.51.100.%d", i), secretOf(i) }},
		{"from a 48", 160, func(i int) (string, string) { return fmt.Sprintf("2001:db8:1:%x00::1", i), secretOf(i) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := start(t, behindProxy).flood(241, c.of)
			if got[http.StatusCreated] != c.most || got[http.StatusTooManyRequests] != 241-c.most {
				t.Errorf("241 modules in no time: answers by status %v, want %d stored", got, c.most)
			}
		})
	}
}

// small sets quotas so small that a test needs only a few uploads.
func small(c *rest.Config) {
	behindProxy(c)
	c.Limits.Daily = rest.Daily{Modules: 3, Contributors: 5, Bytes: 64e6}
}

// Networks are nested: the households of a provider together may not add as much as each alone could.
func TestAProviderIsAFewHouseholds(t *testing.T) {
	t.Parallel()
	b := start(t, small)
	for name, address := range map[string]string{"16": "203.0.%d.1", "32": "2001:db8:%x::1"} {
		got := b.flood(20, func(i int) (string, string) { return fmt.Sprintf(address, i), secretOf(len(address)) })
		if got[http.StatusCreated] != 12 {
			t.Errorf("from a %s: %v, want 4 times 3 stored", name, got)
		}
		if id, body := unheardOf(t, "Other"); b.uploadFrom("192.0.2."+name, secret, id, body).status != http.StatusCreated {
			t.Error("somebody elsewhere is kept out")
		}
	}
}

// A flood spends only its own quota. The server still accepts uploads that need no quota or come from elsewhere.
func TestWhoHasNoQuotaLeftMayStillAddToWhatIsKnown(t *testing.T) {
	t.Parallel()
	b := start(t, small)
	upload := func(address, as, product string) answer {
		t.Helper()
		id, body := unheardOf(t, product)
		return b.uploadFrom(address, as, id, body)
	}
	for _, product := range []string{"Alpha", "Beta", "Gamma"} {
		if a := upload("192.0.2.1", secret, product); a.status != http.StatusCreated {
			t.Fatalf("%s: %d %s", product, a.status, a.body)
		}
	}
	refused := upload("192.0.2.1", secret, "Delta")
	if p := refused.problem(t, http.StatusTooManyRequests, "too-many"); !strings.Contains(p.Detail, "keep the result") {
		t.Errorf("the refusal: %s", p.Detail)
	}
	// Another module is possible only after a third of a day, but nobody is told to wait for more than two hours.
	if wait, err := strconv.Atoi(refused.header.Get("Retry-After")); err != nil || wait < 3600 || wait > 7200 {
		t.Errorf("Retry-After: %d, %v", wait, err)
	}
	if a := upload("192.0.2.1", secret, "Alpha"); a.status != http.StatusCreated {
		t.Errorf("a module that the contributor named before: %d %s", a.status, a.body)
	}
	if a := upload("192.0.2.1", secretOf(1), "Alpha"); a.status != http.StatusTooManyRequests {
		t.Errorf("who made up a module confirms it for nothing: %d", a.status)
	}
	id, known := listed(t)
	if a := b.uploadFrom("192.0.2.1", secretOf(2), id, known); a.status != http.StatusCreated {
		t.Errorf("a module of the catalogue: %d %s", a.status, a.body)
	}
	if a := upload("192.0.2.2", secret, "Delta"); a.status != http.StatusCreated {
		t.Errorf("the neighbour: %d %s", a.status, a.body)
	}
}

// An upload that is already stored, or that can't be stored, uses no quota.
func TestWhatIsNotStoredTakesNoQuota(t *testing.T) {
	t.Parallel()
	b := start(t, small)
	id, body := unheardOf(t, "Alpha")
	for i := range 10 {
		if a := b.uploadFrom("192.0.2.1", secret, id, body); a.status != http.StatusCreated && a.status != http.StatusOK {
			t.Fatalf("the same result, time %d: %d %s", i, a.status, a.body)
		}
		other := bytes.Replace(body, []byte("Nobody"), fmt.Appendf(nil, "Nobody %d", i), 1)
		b.uploadFrom("192.0.2.1", secretOf(i), id, other).problem(t, http.StatusConflict, "conflict")
	}
	for i, product := range []string{"Beta", "Gamma"} {
		id, body := unheardOf(t, product)
		if a := b.uploadFrom("192.0.2.1", secretOf(10+i), id, body); a.status != http.StatusCreated {
			t.Errorf("%s: %d %s", product, a.status, a.body)
		}
	}
}

func TestContributorsAndBytesHaveQuotas(t *testing.T) {
	t.Parallel()
	_, body := listed(t)
	b := start(t, small, func(c *rest.Config) { c.Limits.Daily.Bytes = 8 * len(body) })
	for i := range 10 {
		id, body := listed(t)
		if a := b.uploadFrom("192.0.2.1", secretOf(i), id, body); (a.status == http.StatusCreated) != (i < 5) {
			t.Errorf("contributor %d: %d %s", i, a.status, a.body)
		}
	}
	for i := range 6 {
		id, body := listed(t)
		if a := b.uploadFrom("192.0.2.1", secretOf(0), id, body); (a.status == http.StatusCreated) != (i < 3) {
			t.Errorf("result %d: %d %s", 5+i, a.status, a.body)
		}
	}
}

// The limits are chosen so that these three don't notice them.
func TestAClassroomAReviewerAndACompanyGetThrough(t *testing.T) {
	t.Parallel()
	b := start(t, behindProxy, func(c *rest.Config) { c.Limits.Writes, c.Limits.Contributor = rest.Rate{}, rest.Rate{} })
	for i := range 60 { // cards that nobody has heard of
		id, body := unheardOf(t, fmt.Sprintf("Reviewed %d", i))
		if a := b.uploadFrom("192.0.2.1", secret, id, body); a.status != http.StatusCreated {
			t.Fatalf("card %d of the reviewer: %d %s", i, a.status, a.body)
		}
	}
	for i := range 40 { // learners, each with two results of the same card
		for range 2 {
			id, body := unheardOf(t, "Classroom")
			if a := b.uploadFrom("192.0.3.1", secretOf(i), id, body); a.status != http.StatusCreated {
				t.Fatalf("learner %d: %d %s", i, a.status, a.body)
			}
		}
	}
	for i := range 150 { // people behind the address of their company
		id, body := listed(t)
		if a := b.uploadFrom("192.0.4.1", secretOf(i), id, body); a.status != http.StatusCreated {
			t.Fatalf("person %d of the company: %d %s", i, a.status, a.body)
		}
	}
}
