package store_test

import (
	"crypto/sha256"
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"flashdex/api/problem"
	"flashdex/api/store"
	"flashdex/api/submission"
	"flashdex/api/submission/copies"
	"flashdex/api/submission/copies/copiestest"
	"flashdex/result"
	"flashdex/result/schema"
)

// measuredRun reads a real run with many samples.
func measuredRun(t testing.TB) *result.Document {
	t.Helper()
	text, err := os.ReadFile("../../result/testdata/valid/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc result.Document
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	doc.ID = result.NewID()
	return &doc
}

// send uploads a document, and requires that it fits the schema.
func send(t testing.TB, s *store.Store, who [sha256.Size]byte, doc *result.Document) (submission.Added, error) {
	t.Helper()
	body, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	read, err := schema.Read(body)
	if err != nil {
		t.Fatal(err)
	}
	return s.AddSubmission(t.Context(), who, read, body, evo, accepted, submission.Origin{})
}

func sendNew(t testing.TB, s *store.Store, who [sha256.Size]byte, doc *result.Document) {
	t.Helper()
	if added, err := send(t, s, who, doc); err != nil || !added.New {
		t.Fatal(added, err)
	}
}

func folded(t testing.TB, s *store.Store, id string) submission.Submission {
	t.Helper()
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	sub, _, _, err := s.Submission(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return sub
}

func nothing(*result.Document, *rand.Rand) {}

func TestTheSameSamplesUnderAnotherIDAreRefused(t *testing.T) { eachWay(t, sameSamplesAreRefused) }

func sameSamplesAreRefused(t *testing.T, s *store.Store, url string) {
	r := rand.New(rand.NewPCG(1, 1))
	doc := measuredRun(t)
	sendNew(t, s, alice, doc)
	for name, do := range map[string]func(*result.Document, *rand.Rand){
		"all": nothing,
		"one test of four": func(d *result.Document, r *rand.Rand) {
			kept := copiestest.Copy(d, nothing, r).Tests[2]
			copiestest.Then(copiestest.Scale(3), copiestest.Permute, copiestest.Jitter(0.3))(d, r)
			d.Tests[2] = kept
		},
		"another module's": func(d *result.Document, _ *rand.Rand) { d.Module.Product = "Other" },
	} {
		copied := copiestest.Copy(doc, do, r)
		if _, err := send(t, s, bob, copied); kind(err) != problem.Copied ||
			!strings.Contains(problem.Of(err).Detail, "/r/"+doc.ID) {
			t.Errorf("%s: %v", name, err)
		}
		if n := value[int](t, url, "select count(*) from submission where id <> $1", doc.ID); n != 0 {
			t.Errorf("%s: %d were stored", name, n)
		}
	}
	if n := value[int](t, url, "select count(distinct submission_id) from sample"); n != 1 {
		t.Errorf("samples of %d results, want 1", n)
	}
	if added, err := send(t, s, alice, doc); err != nil || added.New {
		t.Errorf("the same upload again: %v, %v", added, err)
	}
	// The first result has the samples. When it is erased, they are free.
	if err := s.Erase(t.Context(), doc.ID, "carol", "The file was stolen."); err != nil {
		t.Fatal(err)
	}
	if n := value[int](t, url, "select (select count(*) from sample) + (select count(*) from sketch)"); n != 0 {
		t.Errorf("%d rows are left of a deleted result", n)
	}
	sendNew(t, s, bob, copiestest.Copy(doc, nothing, r))
}

func TestTheSameDocumentUnderAnotherIDIsRefused(t *testing.T) { eachWay(t, sameDocumentIsRefused) }

// sameDocumentIsRefused copies a document whose single tests have no hashes.
func sameDocumentIsRefused(t *testing.T, s *store.Store, url string) {
	doc, _ := run(t, "0123456789abcdef0123456789abcdef", 1)
	sendNew(t, s, alice, doc)
	for _, who := range [][sha256.Size]byte{alice, bob} {
		copied := copiestest.Copy(doc, func(d *result.Document, _ *rand.Rand) {
			d.UnitTag, d.Module.Product = "", "Other"
		}, nil)
		if _, err := send(t, s, who, copied); kind(err) != problem.Copied ||
			!strings.Contains(problem.Of(err).Detail, "/r/"+doc.ID) {
			t.Errorf("a copy: %v", err)
		}
	}
	if n := value[int](t, url, "select count(*) from submission"); n != 1 {
		t.Errorf("%d are stored", n)
	}
	if added, err := send(t, s, alice, doc); err != nil || added.New {
		t.Errorf("the same upload again: %v, %v", added, err)
	}
	// Another run of the same unit, which happens to have the same samples.
	sendNew(t, s, alice, copiestest.Copy(doc, func(d *result.Document, _ *rand.Rand) {
		d.StartedAt = "2025-11-21T09:30:00Z"
	}, nil))
}

func TestOfFiftyCopiesAtOnceOneIsNew(t *testing.T) { eachWay(t, fiftyCopiesAtOnce) }

func fiftyCopiesAtOnce(t *testing.T, s *store.Store, url string) {
	doc := measuredRun(t)
	var senders sync.WaitGroup
	var added, refused atomic.Int64
	for i := range 50 {
		copied := copiestest.Copy(doc, nothing, nil)
		senders.Go(func() {
			got, err := send(t, s, sha256.Sum256([]byte{byte(i)}), copied)
			switch {
			case got.New:
				added.Add(1)
			case kind(err) == problem.Copied:
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	senders.Wait()
	if added.Load() != 1 || refused.Load() != 49 {
		t.Errorf("%d are new and %d refused, want 1 and 49", added.Load(), refused.Load())
	}
	if n := value[int](t, url, "select count(*) from submission"); n != 1 {
		t.Errorf("%d are stored", n)
	}
	if n := value[int](t, url, `select count(*) from sample where submission_id not in (select id from submission)`); n != 0 {
		t.Errorf("%d samples of results that are not there", n)
	}
}

func TestShortRunsMayRepeat(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	for _, file := range []string{"imported-dd", "imported-fio"} {
		text, err := os.ReadFile("../../result/testdata/valid/" + file + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var doc result.Document
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatal(err)
		}
		sendNew(t, s, alice, &doc)
		sendNew(t, s, bob, copiestest.Copy(&doc, nothing, nil))
	}
}

func TestNearCopiesAreHeldBack(t *testing.T) { eachWay(t, nearCopiesAreHeldBack) }

func nearCopiesAreHeldBack(t *testing.T, s *store.Store, _ string) {
	doc := measuredRun(t)
	sendNew(t, s, alice, doc)
	if sub := folded(t, s, doc.ID); sub.State != submission.Accepted {
		t.Fatalf("the first: %+v", sub)
	}
	for name, do := range map[string]func(*result.Document, *rand.Rand){
		"scaled by 0.5":         copiestest.Scale(0.5),
		"scaled by 3":           copiestest.Scale(3),
		"shifted":               copiestest.Shift(0.3),
		"permuted":              copiestest.Permute,
		"scaled, permuted":      copiestest.Then(copiestest.Scale(1.3), copiestest.Permute),
		"jitter 0.1 %":          copiestest.Jitter(0.001),
		"jitter 0.2 %":          copiestest.Jitter(0.002),
		"scaled, jitter 0.02 %": copiestest.Then(copiestest.Scale(1.3), copiestest.Jitter(0.0002)),
		"scaled, permuted, jitter 1 %": copiestest.Then(copiestest.Scale(1.3), copiestest.Permute,
			copiestest.Jitter(0.01)),
		"one test of four, scaled": func(d *result.Document, r *rand.Rand) {
			d.Tests = d.Tests[3:]
			copiestest.Scale(2)(d, r)
		},
	} {
		copied := copiestest.Copy(doc, do, rand.New(rand.NewPCG(1, 1)))
		sendNew(t, s, bob, copied)
		sub := folded(t, s, copied.ID)
		if sub.State != submission.Quarantined || sub.StateRule != "near-copy" ||
			!strings.Contains(sub.StateReason, "/r/") {
			t.Errorf("%s: %s %q", name, sub.State, sub.StateReason)
			continue
		}
		if last := sub.History[len(sub.History)-1]; last.Actor != "rule near-copy" || last.From != submission.Accepted {
			t.Errorf("%s: its history: %+v", name, sub.History)
		}
		// A result that an operator has decided on isn't held back again.
		if err := s.Moderate(t.Context(), copied.ID, submission.Decision{State: submission.Accepted,
			Reason: "The lab shows both."}, by("carol")); err != nil {
			t.Fatal(err)
		}
		if sub := folded(t, s, copied.ID); sub.State != submission.Accepted {
			t.Errorf("%s: after it was accepted: %+v", name, sub)
		}
		if err := s.Erase(t.Context(), copied.ID, "carol", "It served its purpose."); err != nil {
			t.Fatal(err)
		}
	}
	if sub := folded(t, s, doc.ID); sub.State != submission.Accepted {
		t.Errorf("the first, afterwards: %+v", sub)
	}
}

// TestOfNearCopiesInOneFoldTheFirstStays also shows that independent times of a module are no copies.
func TestOfNearCopiesInOneFoldTheFirstStays(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	r := rand.New(rand.NewPCG(1, 1))
	doc := measuredRun(t)
	second, other := copiestest.Copy(doc, copiestest.Scale(1.1), r), copiestest.Copy(doc, copiestest.Jitter(0.3), r)
	for _, d := range []*result.Document{doc, second, other} {
		sendNew(t, s, alice, d)
	}
	for id, want := range map[string]string{
		doc.ID: submission.Accepted, second.ID: submission.Quarantined, other.ID: submission.Accepted,
	} {
		if sub := folded(t, s, id); sub.State != want {
			t.Errorf("%s: %q, want %s", sub.State, sub.StateReason, want)
		}
	}
}

// TestResultsOfBeforeGetTheirHashes makes a result look as if an older server stored it.
func TestResultsOfBeforeGetTheirHashes(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	doc := measuredRun(t)
	sendNew(t, s, alice, doc)
	folded(t, s, doc.ID)
	value[int](t, url, `with s as (delete from sample), k as (delete from sketch), f as (
		update submission set facts_version = 3) update publication set facts_version = 3 returning 1`)
	if sub := folded(t, s, doc.ID); sub.State != submission.Accepted {
		t.Errorf("%+v", sub)
	}
	if _, err := send(t, s, bob, copiestest.Copy(doc, nothing, nil)); kind(err) != problem.Copied {
		t.Errorf("a copy: %v", err)
	}
	scaled := copiestest.Copy(doc, copiestest.Scale(2), nil)
	sendNew(t, s, bob, scaled)
	if sub := folded(t, s, scaled.ID); sub.StateRule != "near-copy" {
		t.Errorf("a scaled copy: %+v", sub)
	}
}

// TestDecoysDoNotHideACopy adds twenty results that share more keys with a copy than the original does.
func TestDecoysDoNotHideACopy(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	r := rand.New(rand.NewPCG(1, 1))
	doc := measuredRun(t)
	sendNew(t, s, alice, doc)
	copied := copiestest.Copy(doc, copiestest.Then(copiestest.Scale(1.3), copiestest.Permute), r)
	keys, probes := copies.SamplesOf(copied).Keys()
	var decoys []string
	for speed := range int64(20) {
		decoys = append(decoys, add(t, s, bob, evo, "", 1+speed))
	}
	folded(t, s, doc.ID)
	shared := value[int](t, url, "select count(*) from sketch where submission_id = $1 and key = any($2)",
		doc.ID, probes)
	added := value[int](t, url, `with decoy as (insert into sketch (submission_id, key)
		select id, key from unnest($1::uuid[]) id, unnest($2::bigint[]) key returning 1)
		select count(*) from decoy`, decoys, keys)
	if shared == 0 || shared >= len(keys) {
		t.Fatalf("the original shares %d keys of %d, the decoys have %d", shared, len(keys), added)
	}
	sendNew(t, s, bob, copied)
	if sub := folded(t, s, copied.ID); sub.StateRule != "near-copy" || !strings.Contains(sub.StateReason, doc.ID) {
		t.Errorf("%s %q", sub.State, sub.StateReason)
	}
}

// TestAKeyLeadsToTheFirstThatHadIt also shows that a key of many results stays cheap.
func TestAKeyLeadsToTheFirstThatHadIt(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	r := rand.New(rand.NewPCG(1, 1))
	doc := measuredRun(t)
	sendNew(t, s, alice, doc)
	folded(t, s, doc.ID)
	for range 12 {
		copied := copiestest.Copy(doc, copiestest.Scale(1.1+r.Float64()), r)
		sendNew(t, s, bob, copied)
		// It may share more keys with another copy that is scaled by about as much than with the first result.
		if sub := folded(t, s, copied.ID); sub.StateRule != "near-copy" {
			t.Errorf("%s %q", sub.State, sub.StateReason)
		}
	}
	keys, _ := copies.SamplesOf(doc).Keys()
	if n := value[int](t, url, "select count(*) from sketch where submission_id = $1", doc.ID); n != len(keys) {
		t.Errorf("the first is found by %d of its %d keys", n, len(keys))
	}
	if n := value[int](t, url, "select max(n) from (select count(*) n from sketch group by key) k"); n != 8 {
		t.Errorf("a key leads to %d results, want 8", n)
	}
}
