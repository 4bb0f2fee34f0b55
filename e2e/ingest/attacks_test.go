package ingest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"flashdex/api/submission/copies/copiestest"
	"flashdex/api/submission/token"
	"flashdex/result"
)

// Modules of the catalogue. Honest people measure the first four.
var (
	measured = []card{
		{"sandisk-industrial-16gb-microsd", "SanDisk", "Industrial", 16},
		{"sandisk-high-endurance-64gb-microsd", "SanDisk", "High Endurance", 64},
		{"samsung-pro-endurance-32gb-microsd", "Samsung", "PRO Endurance", 32},
		{"samsung-pro-plus-128gb-microsd", "Samsung", "PRO Plus", 128},
	}
	forCopies   = card{"sandisk-black-edge-16gb-microsd", "SanDisk", "Black Edge", 16}
	forVoices   = card{"sandisk-extreme-pro-64gb-microsd", "SanDisk", "Extreme PRO 95MB/s", 64}
	forEarly    = card{"samsung-pro-ultimate-512gb-microsd", "Samsung", "PRO Ultimate", 512}
	forLater    = card{"samsung-evo-select-128gb-microsd", "Samsung", "EVO Select", 128}
	forChanged  = card{"sandisk-extreme-pro-8gb-microsd", "SanDisk", "Extreme PRO", 8}
	forTokens   = card{"samsung-pro-16gb-microsd", "Samsung", "PRO", 16}
	forNetworks = measured[1]
)

// TestAttacks lies to a real server in the ways that people have tried, and in some that they may try. docs/trust.md
// has each attack's costs and gains, as this test logs them.
func TestAttacks(t *testing.T) {
	a := newTarget(t)
	honest := a.measureHonestly()
	for _, attack := range []struct {
		name string
		do   func(a *target, honest *honestPeople)
	}{
		{"three copies of one document", threeCopies},
		{"three runs made up at once, and what a rank takes", threeVoices},
		{"eight early ones of one address", eightOfOneAddress},
		{"eight early ones who wait", eightWhoWait},
		{"241 modules of one address", manyModules},
		{"copies that were changed", changedCopies},
		{"run tokens that are worth nothing", worthlessTokens},
		{"a hundred networks", hundredNetworks},
	} {
		t.Run(attack.name, func(t *testing.T) {
			here := *a
			here.T = t
			attack.do(&here, honest)
		})
	}
}

// honestPeople are contributors whose results count.
type honestPeople struct {
	secrets, addresses []string
	runs               []*result.Document // one each, of the first module
}

// measureHonestly lets three people measure each of the measured modules, each on two days.
func (a *target) measureHonestly() *honestPeople {
	f, h := a.attacker(), &honestPeople{}
	for i := range 3 {
		h.secrets, h.addresses = append(h.secrets, a.secret()), append(h.addresses, fmt.Sprintf("198.51.%d.7", 100+i))
	}
	for day := range 3 {
		for i, secret := range h.secrets {
			if day < i/2 || day > 1+i/2 { // the last of them begins on another day
				continue
			}
			for k, c := range measured {
				doc := c.run(unitOf(100*i+k), float64(1+k)*(0.9+0.2*rand.Float64()))
				if status, of := f.upload(h.addresses[i], secret, doc); status != http.StatusCreated || of.State != "accepted" ||
					of.Module.Slug != c.slug {
					a.Fatalf("an honest run: %d %+v", status, of)
				}
				if k == 0 {
					h.runs = append(h.runs, doc)
				}
			}
		}
		if day < 2 {
			a.wait(24 * time.Hour)
		}
	}
	for _, c := range measured {
		if at := a.standing(c.slug); at.Rank == 0 || at.Figures.Writes.Contributors != 3 {
			a.Fatalf("%s: %v %s", c.slug, at, at.RankNote)
		}
	}
	return h
}

// threeCopies uploads one document three times, under three ids and three secrets.
func threeCopies(a *target, _ *honestPeople) {
	f, doc := a.attacker(), forCopies.run(unitOf(1), 10)
	for range 3 {
		f.upload("203.0.113.1", a.secret(), doc)
		doc = copied(doc)
	}
	a.report(f, forCopies)
	a.expect("answers", fmt.Sprint(f.answers), "map[201:1 409:2]")
	a.expect("rank", a.standing(forCopies.slug).Rank, 0)
}

// threeVoices makes up a run for each of three secrets. Then it does what these three need for a rank.
func threeVoices(a *target, _ *honestPeople) {
	f := a.attacker()
	one, two := "203.0.113.2", "203.0.114.2"
	secrets := []string{a.secret(), a.secret(), a.secret()}
	for i, secret := range secrets {
		f.upload(one, secret, forVoices.run(unitOf(i), 10))
	}
	a.report(f, forVoices)
	a.expect("states", fmt.Sprint(a.states(f.sent)), "map[accepted:3]")
	a.expect("rank", a.standing(forVoices.slug).Rank, 0)

	// They confirm each other's secret within minutes, from two networks. There is no rank before another day.
	f = a.attacker()
	secrets = []string{a.secret(), a.secret(), a.secret()}
	f.confirm([]string{one, two}, secrets[:2], forVoices.made(10))
	a.report(f, forVoices)
	a.expect("rank on the first day", a.standing(forVoices.slug).Rank, 0)
	a.wait(24 * time.Hour)
	f.confirm([]string{one}, secrets[2:], forVoices.made(10))
	a.report(f, forVoices)
	a.undo(f, forVoices, 2)
}

// confirm ends the probation of secrets: each uploads two units. It asks for the second token when the first result is
// there. Both results are as old as their samples claim.
func (f *attacker) confirm(addresses, secrets []string, run func() *result.Document) {
	f.Helper()
	f.uploadTimed(addresses, secrets, run)
	f.uploadTimed(addresses, secrets, run)
}

// uploadTimed makes each secret ask for a token, wait as long as its run claims to have taken, and upload.
func (f *attacker) uploadTimed(addresses, secrets []string, run func() *result.Document) {
	f.Helper()
	docs, longest := make([]*result.Document, len(secrets)), time.Duration(0)
	for i := range docs {
		docs[i] = run()
		longest = max(longest, took(docs[i])+time.Second)
	}
	f.wait(longest)
	f.waited += longest
	for i, secret := range secrets {
		address := addresses[i%len(addresses)]
		if status, of := f.upload(address, secret, f.timed(address, docs[i])); status != http.StatusCreated ||
			of.State != "accepted" || of.Token != "valid" {
			f.Errorf("a forged run: %d %+v", status, of)
		}
	}
}

// eightOfOneAddress makes eight secrets of one address come first. The honest owner who comes ninth counts.
func eightOfOneAddress(a *target, honest *honestPeople) {
	f := a.attacker()
	for i := range 8 {
		f.upload("203.0.113.3", a.secret(), forEarly.run(unitOf(i), 10))
	}
	a.standing(forEarly.slug) // they are folded
	a.expect("the honest owner", a.owned(honest, 0, forEarly), "counts")
	a.report(f, forEarly)
}

// owned uploads an honest person's measurement of a card, and returns what becomes of it.
func (a *target) owned(honest *honestPeople, person int, c card) string {
	f, doc := a.attacker(), c.run(unitOf(100*person+50), 1)
	f.upload(honest.addresses[person], honest.secrets[person], doc)
	a.standing(c.slug)
	return a.becameOf(doc.ID)
}

// becameOf returns what became of a result in a word.
func (a *target) becameOf(id string) string {
	of := a.result(id)
	switch {
	case of.counts():
		return "counts"
	case of.Rule != "":
		return of.Rule
	}
	return of.State
}

// eightWhoWait makes eight secrets of eight networks end their probation first. They hold back honest owners until
// there are three of these.
func eightWhoWait(a *target, honest *honestPeople) {
	f := a.attacker()
	var secrets, addresses []string
	for i := range 8 {
		secrets, addresses = append(secrets, a.secret()), append(addresses, fmt.Sprintf("203.0.%d.4", 113+i))
	}
	f.confirm(addresses, secrets, forLater.made(10))
	a.report(f, forLater)
	first, second := a.owned(honest, 0, forLater), a.owned(honest, 1, forLater)
	a.Logf("the first honest owner: %s, the second: %s", first, second)
	a.wait(24 * time.Hour)
	a.expect("the third honest owner", a.owned(honest, 2, forLater), "counts")
	a.report(f, forLater)
	a.undo(f, forLater, 1)
}

// manyModules names 241 modules that don't exist from one address, each under two secrets, so that they confirm each
// other.
func manyModules(a *target, _ *honestPeople) {
	f := a.attacker()
	secrets := []string{a.secret(), a.secret()}
	var made []card
	for i := range 241 {
		c := card{fmt.Sprintf("zyx-flash-%d-16gb-microsd", i), "Zyx", fmt.Sprintf("Flash %d", i), 16}
		made = append(made, c)
		for _, secret := range secrets {
			f.upload("203.0.113.5", secret, c.run(unitOf(i), 2))
		}
	}
	a.report(f, made[0])
	listed := 0
	for _, c := range made {
		if answer, err := http.Get(a.site + "/v1/modules/" + c.slug); err != nil {
			a.Fatal(err)
		} else if answer.Body.Close(); answer.StatusCode == http.StatusOK {
			listed++
		}
	}
	a.Logf("%d modules are listed", listed)
	a.expect("listed", listed, 0)
	a.expect("stored results", f.answers[http.StatusCreated], 80)
	a.undo(f, made[0], 1)
}

// changedCopies changes two honest results, each in five ways. It uploads them for another module under the secret of
// somebody who counts, so that no probation holds them back.
func changedCopies(a *target, honest *honestPeople) {
	f := a.attacker()
	for i, doc := range honest.runs[:2] {
		r := rand.New(rand.NewPCG(1, uint64(i)))
		for k, change := range []func(*result.Document, *rand.Rand){
			copiestest.Scale(1.1), copiestest.Shift(0.3), copiestest.Permute,
			copiestest.Then(copiestest.Scale(1.5), copiestest.Permute), copiestest.Jitter(0.001),
		} {
			c := copiestest.Copy(doc, change, r)
			c.Module, c.Identity.SizeBytes, c.UnitTag = result.Module{Vendor: forChanged.vendor, Product: forChanged.product,
				CapacityGB: forChanged.gb, Form: "microsd"}, int64(forChanged.gb*1e9)/4096*4096, unitOf(1000+10*i+k)
			f.upload(fmt.Sprintf("203.0.113.%d", 10+k), honest.secrets[1-i], c)
		}
	}
	a.report(f, forChanged)
	n := a.states(f.sent)
	a.Logf("their states: %v", n)
	a.expect("accepted", n["accepted"], 0)
}

// worthlessTokens uploads runs with tokens that can't be theirs, under the secret of somebody who counts.
func worthlessTokens(a *target, honest *honestPeople) {
	f, secret, address := a.attacker(), honest.secrets[0], "203.0.113.6"
	used := f.timed(address, forTokens.run(unitOf(1), 10))
	if _, of := f.upload(address, secret, used); of.Token != "valid" || !of.counts() {
		a.Errorf("the token that is used again later: %+v", of)
	}
	with := func(give func(doc *result.Document) string) *result.Document {
		doc := forTokens.run(unitOf(1), 10)
		doc.Token = give(doc)
		ordered(doc)
		return doc
	}
	otherOrder := with(func(doc *result.Document) string { return f.token(address, doc.ID, time.Hour) })
	otherOrder.Test(result.RandWrite).Order = used.Test(result.RandWrite).Order
	for _, c := range []struct {
		doc  *result.Document
		want string
	}{
		{with(func(*result.Document) string { return used.Token }), "foreign"}, // replayed
		{with(func(doc *result.Document) string { return token.New(token.Key{1}, doc.ID, time.Now().Add(-time.Hour)) }),
			"foreign"},
		{with(func(doc *result.Document) string { return f.token(address, doc.ID, token.Lasts+time.Minute) }), "expired"},
		{with(func(doc *result.Document) string { return f.token(address, doc.ID, 0) }), "young"},
		{otherOrder, "order"},
	} {
		if status, of := f.upload(address, secret, c.doc); status != http.StatusCreated || of.Token != c.want || of.counts() {
			a.Errorf("a token that should be %s: %d %+v", c.want, status, of)
		}
	}
	a.report(f, forTokens)
	a.expect("states", fmt.Sprint(a.states(f.sent)), "map[accepted:6 counts:1]")
}

// hundredNetworks makes a hundred secrets of a hundred networks move a module that three honest people measured. The
// first unit of each secret is of a module of its own; it only ends the probation.
func hundredNetworks(a *target, _ *honestPeople) {
	f, before := a.attacker(), a.standing(forNetworks.slug)
	a.Logf("before: %v", before)
	var secrets, addresses []string
	for i := range 100 {
		secrets, addresses = append(secrets, a.secret()), append(addresses, fmt.Sprintf("203.%d.113.8", i))
	}
	f.uploadTimed(addresses, secrets, func() *result.Document {
		return card{"", "Zyx", fmt.Sprintf("Card %d", rand.Int()), 16}.made(10)()
	})
	a.report(f, forNetworks)
	a.expect("the figure", a.standing(forNetworks.slug).Figures.Writes, before.Figures.Writes)

	f.uploadTimed(addresses, secrets, forNetworks.made(6))
	a.report(f, forNetworks)
	a.undo(f, forNetworks, 1)
	a.expect("the figure, after the operator's decision", a.standing(forNetworks.slug).Figures.Writes, before.Figures.Writes)
}

// report logs what an attack cost and gained so far.
func (a *target) report(f *attacker, at card) {
	a.Helper()
	now := a.standing(at.slug)
	a.Logf("%s\n%v; %v %s", f.cost(), a.states(f.sent), now, now.RankNote)
}

// undo lets an operator reject the group that holds the attacker's results, or everything from their network, and then
// each contributor's remaining results. It may take at most so many decisions.
func (a *target) undo(f *attacker, at card, most int) {
	a.Helper()
	words, ids := a.largestGroup(f.sent)
	a.Logf("operators see: %s", cmp.Or(words, "nobody who resembles others"))
	decisions, by, about := 1, "id", strings.Join(ids, " ")
	if about == "" {
		by, about = "network_of", f.sent[0]
	}
	a.reject(by, about)
	now := a.standing(at.slug)
	for _, id := range f.sent {
		if a.result(id).counts() {
			a.reject("contributor_of", id)
			decisions++
			now = a.standing(at.slug)
		}
	}
	a.Logf("after %d decisions: %v %s", decisions, now, now.RankNote)
	if decisions > most {
		a.Errorf("it took %d decisions, want at most %d", decisions, most)
	}
}

func (a *target) expect(what string, got, want any) {
	a.Helper()
	if got != want {
		a.Errorf("%s: %v, want %v", what, got, want)
	}
}
