package token

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"flashdex/api/submission"
	"flashdex/result"
)

var (
	key   = Key{1, 2, 3}
	begun = time.Date(2026, 11, 24, 20, 0, 0, 123456789, time.UTC)
)

// measured returns an example whose run had a token that was issued at begun.
func measured(t testing.TB) *result.Document {
	t.Helper()
	text, err := os.ReadFile("../../../result/testdata/valid/sd-card.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc result.Document
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	doc.Token = New(key, doc.ID, begun)
	order(&doc)
	return &doc
}

// order makes the random tests of a document show the order that its token prescribes.
func order(doc *result.Document) {
	for i := range doc.Tests {
		if t := &doc.Tests[i]; t.IsRandom() {
			all := result.BlockOrder(result.OrderSeed(doc.Token, t.Name, t.BlockBytes), t.AreaBytes/t.BlockBytes)
			t.Order = result.OrderSum(all[:t.Ops+t.WarmupOps])
		}
	}
}

func TestFaultsOfATokenAreTold(t *testing.T) {
	t.Parallel()
	took := elapsed(measured(t))
	if took < 10*time.Second || took > time.Hour {
		t.Fatalf("the example took %v", took)
	}
	random := slices.IndexFunc(measured(t).Tests, func(t result.Test) bool { return t.IsRandom() })
	enough := begun.Add(took)
	for name, c := range map[string]struct {
		spoil func(doc *result.Document)
		at    time.Time
		want  string
	}{
		"as it should be":             {func(*result.Document) {}, enough, submission.TokenValid},
		"on its last day":             {func(*result.Document) {}, begun.Add(Lasts), submission.TokenValid},
		"by a clock that is 1 % fast": {func(*result.Document) {}, begun.Add(took - took/101), submission.TokenValid},
		"without a token":             {func(doc *result.Document) { doc.Token = "" }, enough, ""},
		"too old":                     {func(*result.Document) {}, begun.Add(Lasts + 1), submission.TokenExpired},
		"younger than its samples":    {func(*result.Document) {}, begun.Add(took*98/100 - clocks), submission.TokenYoung},
		"younger than a test that settled can be": {func(*result.Document) {}, begun.Add(50 * time.Second),
			submission.TokenYoung},
		"younger than one of them": {func(doc *result.Document) { doc.Tests[0].OverheadNS += int64(time.Hour) }, enough,
			submission.TokenYoung},
		"of samples for ages": {func(doc *result.Document) {
			for i := range doc.Tests {
				doc.Tests[i].DurationNS = 9e15
			}
		}, enough, submission.TokenYoung},
		"before it was given out": {func(*result.Document) {}, begun.Add(-time.Hour), submission.TokenYoung},
		"without the order":       {func(doc *result.Document) { doc.Tests[random].Order = "" }, enough, submission.TokenOrder},
		"in another order": {func(doc *result.Document) {
			doc.Tests[random].Order = result.OrderSum([]int32{1, 2, 3})
		}, enough, submission.TokenOrder},
		"in the order of another test": {func(doc *result.Document) {
			doc.Tests[random].Order = doc.Tests[len(doc.Tests)-1].Order
		}, enough, submission.TokenOrder},
		"with one block more": {func(doc *result.Document) { doc.Tests[random].WarmupOps++ }, enough, submission.TokenOrder},
		"with more operations than blocks": {func(doc *result.Document) { doc.Tests[random].AreaBytes = 4096 }, enough,
			submission.TokenOrder},
		"with more blocks than any run": {func(doc *result.Document) { doc.Tests[random].AreaBytes = 1e15 }, enough,
			submission.TokenOrder},
		"of another run": {func(doc *result.Document) { doc.ID = result.NewID() }, enough, submission.TokenForeign},
		"of another site": {func(doc *result.Document) {
			doc.Token = New(Key{9}, doc.ID, begun)
			order(doc)
		}, enough, submission.TokenForeign},
		"of an earlier hour": {func(doc *result.Document) {
			token, _ := encoding.DecodeString(doc.Token)
			token[1]--
			doc.Token = encoding.EncodeToString(token)
			order(doc)
		}, enough, submission.TokenForeign},
		"of another nonce": {func(doc *result.Document) {
			token, _ := encoding.DecodeString(doc.Token)
			token[1+8]++
			doc.Token = encoding.EncodeToString(token)
			order(doc)
		}, enough, submission.TokenForeign},
		"of another version": {func(doc *result.Document) { doc.Token = "B" + doc.Token[1:] }, enough,
			submission.TokenForeign},
		"cut": {func(doc *result.Document) { doc.Token = doc.Token[:40] }, enough, submission.TokenForeign},
		"of other letters": {func(doc *result.Document) { doc.Token = strings.Repeat("é", 20) }, enough,
			submission.TokenForeign},
	} {
		doc := measured(t)
		c.spoil(doc)
		got := Check([]Key{{7}, key}, doc, c.at)
		if got.State != c.want {
			t.Errorf("%s: %q, want %q", name, got.State, c.want)
		}
		if _, told := submission.TokenFaults[c.want]; told == (c.want == "" || c.want == submission.TokenValid) {
			t.Errorf("%s: told in words: %v", name, told)
		}
		if c.want == submission.TokenValid && (!got.BegunAt.Equal(begun) || !got.EndedAt.Equal(begun.Add(took))) {
			t.Errorf("%s: from %v to %v", name, got.BegunAt, got.EndedAt)
		}
	}
}

// No two tokens are alike, so nobody can know an order of blocks beforehand.
func TestTokensDiffer(t *testing.T) {
	t.Parallel()
	one, other := New(key, "1", begun), New(key, "1", begun)
	if one == other {
		t.Errorf("two tokens of one moment are %s", one)
	}
	if result.OrderSeed(one, result.RandWrite, 4096) == result.OrderSeed(one, result.RandRead, 4096) {
		t.Error("reads and writes have one order")
	}
}

func FuzzToken(f *testing.F) {
	f.Add(New(key, "1", begun))
	f.Add("")
	f.Add(strings.Repeat("A", 55))
	f.Fuzz(func(t *testing.T, text string) {
		begunAt, ok := read([]Key{key}, "1", text)
		if !ok {
			return
		}
		// An accepted token was signed, so it is the fuzzer's seed.
		if !begunAt.Equal(begun) {
			t.Errorf("%q is taken, of %v", text, begunAt)
		}
	})
}

// The most expensive document to check has as many blocks as the sweep profile.
func BenchmarkCheck(b *testing.B) {
	standard, most := measured(b), measured(b)
	for i := range most.Tests {
		if t := &most.Tests[i]; t.IsRandom() {
			t.AreaBytes, t.BlockBytes = 512<<20, 512
		}
	}
	order(most)
	for name, doc := range map[string]*result.Document{"standard": standard, "most blocks": most} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if got := Check([]Key{key}, doc, begun.Add(time.Hour)); got.State != submission.TokenValid {
					b.Fatal(got)
				}
			}
		})
	}
}
