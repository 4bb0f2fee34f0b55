package store_test

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"flashdex/api/figure"
	"flashdex/api/store"
	"flashdex/api/submission"
	"flashdex/result"
	"flashdex/result/sign"
)

// For each result, the data set says how much the signs of its unit weigh, and what its contributor disclosed about its
// wear.
func TestTheDataSetWeighsSigns(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	want, worn := map[string]string{}, map[string]result.Wear{}
	for speed, c := range []struct {
		identity result.Identity
		weight   sign.Weight
	}{
		{result.Identity{Bus: "usb", Wear: &result.Wear{WrittenGB: 7, WrittenBy: "ext4"}}, sign.Unknown},
		{result.Identity{Bus: "sd", SD: &result.Register{Manfid: "0x000003"}}, sign.NoSign},
		{result.Identity{Bus: "sd", SD: &result.Register{Manfid: "0x000003", CRCWrong: true}}, sign.Suspicious},
		{result.Identity{Bus: "usb", Verified: &result.Verified{ClaimedBytes: 64e9, FoundBytes: 8e9, On: "2026-11-20"}},
			sign.AlmostCertain},
	} {
		doc, _ := run(t, "", int64(speed+1))
		doc.Identity = c.identity
		body, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.AddSubmission(t.Context(), alice, doc, body, evo, accepted, submission.Origin{}); err != nil {
			t.Fatal(err)
		}
		want[doc.ID], worn[doc.ID] = string(c.weight), *cmp.Or(c.identity.Wear, &result.Wear{})
	}
	seen := map[string]bool{}
	if err := s.Dataset(t.Context(), func(_ *figure.Overview, r figure.Records) error {
		return r.Tests(t.Context(), figure.Filter{}, func(test *figure.Test) error {
			seen[test.Result] = true
			if test.Signs != want[test.Result] || test.Wear != worn[test.Result] {
				t.Errorf("%q and %+v, want %q and %+v", test.Signs, test.Wear, want[test.Result], worn[test.Result])
			}
			return nil
		})
	}); err != nil || len(seen) != len(want) {
		t.Errorf("%d of %d results are in the data set, %v", len(seen), len(want), err)
	}
}

// Who checked a unit with a bad reader checks it again. A result that tells of no check changes nothing. A part that is
// lost does, though a part that isn't says nothing of the rest.
func TestTheDataSetTellsTheNewestCheckOfAUnit(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	tag := fmt.Sprintf("%032x", 25)
	measured := func(found int64) func(speed int64) { // 0: not checked
		return func(speed int64) {
			t.Helper()
			doc, _ := run(t, tag, speed)
			if found > 0 {
				doc.Identity.Verified = &result.Verified{ClaimedBytes: 64e9, FoundBytes: found, On: "2026-11-20"}
			}
			body, err := json.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.AddSubmission(t.Context(), alice, doc, body, evo, accepted, submission.Origin{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	filled := func(right int64) func(speed int64) {
		return func(int64) {
			t.Helper()
			find(t, s, "alice", tag, "verify-1", func(unit *result.Identity) {
				unit.Checked = &result.Checked{Bytes: 9e9, OKBytes: right, OfBytes: unit.SizeBytes}
			})
		}
	}
	for i, c := range []struct {
		send func(speed int64)
		less bool
	}{{measured(8e9), true}, {measured(0), true}, {filled(9e9), true}, {measured(64e9), false}, {measured(0), false},
		{filled(0), true}} {
		c.send(int64(i + 1))
		units := 0
		if err := s.Dataset(t.Context(), func(_ *figure.Overview, r figure.Records) error {
			return r.Specimens(t.Context(), func(unit *figure.Specimen) error {
				if units++; unit.LessCapacity != c.less {
					t.Errorf("after %d results it lacks capacity: %v", i+1, unit.LessCapacity)
				}
				return nil
			})
		}); err != nil || units != 1 {
			t.Errorf("%d units, %v", units, err)
		}
	}
}

// fake stores a result whose unit of a tag of its own holds less than it claims.
func fake(t *testing.T, s *store.Store, contributor, network string, spoilers ...string) (id string) {
	t.Helper()
	doc, _ := run(t, fmt.Sprintf("%032x", sha256.Sum256([]byte(result.NewID())))[:32], 1)
	doc.Spoilers = append(doc.Spoilers, spoilers...)
	doc.Identity.Verified = &result.Verified{ClaimedBytes: 64e9, FoundBytes: 8e9, On: "2026-11-20"}
	body, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	origin := submission.Origin{Network: []byte("key1" + network)}
	if _, err := s.AddSubmission(t.Context(), secretOf(contributor), doc, body, evo, accepted, origin); err != nil {
		t.Fatal(err)
	}
	return doc.ID
}

// fakesOfEvo folds, and returns how many units showed less capacity than claimed, and of how many contributors.
func fakesOfEvo(t *testing.T, s *store.Store) string {
	t.Helper()
	fold(t, s)
	for _, sum := range snapshot(t, s).Summaries {
		if sum.ModuleSlug == evo.Slug && sum.Whole() {
			return fmt.Sprintf("%d of %d units by %d", sum.Shown[figure.EvidenceCapacity], sum.AllUnits,
				sum.ShownBy[figure.EvidenceCapacity])
		}
	}
	return "nothing"
}

// Secrets and tags of units cost nothing. So a new contributor's units don't count, and a contributor counts once
// however many units they send.
func TestSignsOfOneSenderAreOneVoice(t *testing.T) {
	t.Parallel()
	s, _ := strict(t)
	var id string
	for range 8 { // enough units for an update without reading all of them, see TestMain
		id = fake(t, s, "mallory", "m")
	}
	hold := func(how, want string) {
		t.Helper()
		if got := fakesOfEvo(t, s); got != want {
			t.Errorf("%s: %s, want %s", how, got, want)
		}
	}
	hold("on probation", "0 of 8 units by 0")
	if err := s.ConfirmContributor(t.Context(), id, "He showed me the cards.", by("carol")); err != nil {
		t.Fatal(err)
	}
	hold("no longer on probation", "8 of 8 units by 1")
	fake(t, s, "mallory", "m")
	hold("another unit", "9 of 9 units by 1")
}

// The same holds if the figures don't count, because a busy host doesn't make a card smaller.
func TestSignsOfOneNetworkOnOneDayAreOneVoice(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	for i := range 5 {
		fake(t, s, fmt.Sprint("secret ", i), "m", result.BusyDevice)
	}
	if got, want := fakesOfEvo(t, s), "1 of 5 units by 1"; got != want {
		t.Errorf("five secrets: %s, want %s", got, want)
	}
	fake(t, s, "alice", "a", result.BusyDevice)
	fake(t, s, "alice", "a")
	if got, want := fakesOfEvo(t, s), "3 of 7 units by 2"; got != want {
		t.Errorf("with one of another network: %s, want %s", got, want)
	}
}

// check stores a finding of verify --device by itself, of a unit with this tag.
func check(t *testing.T, s *store.Store, contributor, tag string, foundBytes int64) {
	t.Helper()
	find(t, s, contributor, tag, "verify-2", func(unit *result.Identity) { unit.Verified.FoundBytes = foundBytes })
}

// find stores a document of verify, of a unit with this tag, as set changes its finding.
func find(t *testing.T, s *store.Store, contributor, tag, document string, set func(*result.Identity)) {
	t.Helper()
	var doc result.Document
	text, err := os.ReadFile("../../result/testdata/valid/" + document + ".json")
	if err == nil {
		err = json.Unmarshal(text, &doc)
	}
	if err != nil {
		t.Fatal(err)
	}
	doc.ID, doc.UnitTag = result.NewID(), tag
	set(&doc.Identity)
	body, err := json.Marshal(&doc)
	if err != nil {
		t.Fatal(err)
	}
	origin := submission.Origin{Network: []byte("key1" + contributor)}
	added, err := s.AddSubmission(t.Context(), secretOf(contributor), &doc, body, evo, accepted, origin)
	if err != nil || !added.New || len(added.Submission.Tests) > 0 {
		t.Fatalf("%+v, %v", added, err)
	}
}

// checksOfEvo folds, and returns what a publication says of the units whose capacity somebody checked.
func checksOfEvo(t *testing.T, s *store.Store) (of figure.Checks) {
	t.Helper()
	fold(t, s)
	if err := s.Snapshot(t.Context(), func(snapshot *figure.Overview, _ submission.Results) error {
		of = snapshot.Checks[evo.Slug]
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return of
}

// A unit counts once, also if it was verified and measured, and a contributor once. The newest check of a unit decides,
// but where no tag tells units apart.
func TestAUnitIsCheckedOnceByWhateverMethod(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	const all, half = 7_760_000_000, 3_880_000_000
	tag := func(n int) string { return fmt.Sprintf("%032x", n) }
	measure := func(contributor, tag string, foundBytes int64) {
		t.Helper()
		doc, _ := run(t, tag, 1)
		doc.Identity.Verified = &result.Verified{ClaimedBytes: all, FoundBytes: foundBytes, On: "2026-11-20"}
		body, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.AddSubmission(t.Context(), secretOf(contributor), doc, body, evo, accepted,
			submission.Origin{Network: []byte("key1" + contributor)}); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		how  string
		do   func()
		want figure.Checks
	}{
		{"verified", func() { check(t, s, "a", tag(1), all) }, figure.Checks{Units: 1, Contributors: 1}},
		{"and measured", func() { measure("a", tag(1), all) }, figure.Checks{Units: 1, Contributors: 1}},
		{"another contributor's unit, measured alone", func() { measure("b", tag(2), all) },
			figure.Checks{Units: 2, Contributors: 2}},
		{"a fake", func() { check(t, s, "a", tag(3), half) },
			figure.Checks{Units: 3, Lacking: 1, Contributors: 2, FoundBy: 1}},
		{"that is none after all", func() { check(t, s, "a", tag(3), all) }, figure.Checks{Units: 3, Contributors: 2}},
		{"a fake without a tag", func() { check(t, s, "b", "", half) },
			figure.Checks{Units: 4, Lacking: 1, Contributors: 2, FoundBy: 1}},
		{"and a genuine one without a tag", func() { check(t, s, "b", "", all) },
			figure.Checks{Units: 4, Lacking: 1, Contributors: 2, FoundBy: 1}},
		{"no check", func() { add(t, s, secretOf("c"), evo, tag(4), 1) },
			figure.Checks{Units: 4, Lacking: 1, Contributors: 2, FoundBy: 1}},
	} {
		step.do()
		if got := checksOfEvo(t, s); got != step.want {
			t.Errorf("%s: %+v, want %+v", step.how, got, step.want)
		}
	}
}

// A share of fakes is honest only if what is asked of a sound unit is asked of a fake. Ext4 keeps some of an empty card
// to itself, and files keep more.
func TestAsMuchOfASoundUnitIsCheckedAsOfAFake(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	tags := 0
	fill := func(contributor, tag string, share, right float64) {
		t.Helper()
		find(t, s, contributor, tag, "verify-1", func(unit *result.Identity) {
			of := float64(unit.SizeBytes)
			unit.Checked = &result.Checked{Bytes: int64(share * of), OKBytes: int64(right * of), OfBytes: unit.SizeBytes}
		})
	}
	for _, step := range []struct {
		how          string
		share, right float64 // of the device
		want         figure.Checks
	}{
		{"a fake on ext4", 0.92, 0.5, figure.Checks{Units: 1, Lacking: 1, Contributors: 1, FoundBy: 1}},
		{"a sound card on ext4", 0.92, 0.92, figure.Checks{Units: 2, Lacking: 1, Contributors: 2, FoundBy: 1}},
		{"a fake with files", 0.7, 0.1, figure.Checks{Units: 2, Lacking: 1, Contributors: 2, FoundBy: 1}},
		{"a sound card with files", 0.7, 0.7, figure.Checks{Units: 2, Lacking: 1, Contributors: 2, FoundBy: 1}},
	} {
		tags++
		fill(fmt.Sprint("contributor ", tags), fmt.Sprintf("%032x", tags), step.share, step.right)
		if got := checksOfEvo(t, s); got != step.want {
			t.Errorf("%s: %+v, want %+v", step.how, got, step.want)
		}
	}
	fill("contributor 2", fmt.Sprintf("%032x", 2), 0.1, 0)
	if got, want := checksOfEvo(t, s), (figure.Checks{Units: 2, Lacking: 1, Contributors: 2, FoundBy: 1}); got != want {
		t.Errorf("the sound card lost a part later: %+v, want %+v", got, want)
	}
}

// A finding takes no time to make up: it isn't counted before its sender's results count, and ends no probation.
func TestAFindingConfirmsNobody(t *testing.T) {
	t.Parallel()
	s, url := strict(t)
	for i := range 2 {
		check(t, s, "mallory", fmt.Sprintf("%032x", i), 5)
		execute(t, url, "update submission set received_at = received_at - interval '1 day'")
	}
	if got := checksOfEvo(t, s); got != (figure.Checks{}) {
		t.Errorf("on probation: %+v", got)
	}
	execute(t, url, "update contributor set confirmed_at = now(), confirmed_by = 'operator carol'")
	if got, want := checksOfEvo(t, s), (figure.Checks{Units: 2, Lacking: 2, Contributors: 1, FoundBy: 1}); got != want {
		t.Errorf("confirmed: %+v, want %+v", got, want)
	}
}

// The median of the prices decides the order of the answers about prices.
func TestPricesOfOneSenderAreOneVoice(t *testing.T) {
	t.Parallel()
	s, _ := strict(t)
	paid := func(contributor string, amount float64) (id string) {
		t.Helper()
		doc, _ := run(t, fmt.Sprintf("%032x", sha256.Sum256([]byte(result.NewID())))[:32], 1)
		doc.Module.Price = &result.Price{Amount: amount, Currency: "EUR", On: "2026-10"}
		body, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		origin := submission.Origin{Network: []byte("key1" + contributor)}
		if _, err := s.AddSubmission(t.Context(), secretOf(contributor), doc, body, evo, accepted, origin); err != nil {
			t.Fatal(err)
		}
		return doc.ID
	}
	median := func() (median figure.PriceMedian) {
		t.Helper()
		fold(t, s)
		for _, sum := range snapshot(t, s).Summaries {
			if sum.ModuleSlug == evo.Slug && sum.Whole() && len(sum.Prices) > 0 {
				median = sum.Prices[0]
			}
		}
		return median
	}
	var liars string
	for range 8 {
		liars = paid("mallory", 1)
	}
	if got := median(); got.N != 0 {
		t.Errorf("on probation they paid %+v", got)
	}
	confirm := func(id string) {
		t.Helper()
		if err := s.ConfirmContributor(t.Context(), id, "They showed me the cards.", by("carol")); err != nil {
			t.Fatal(err)
		}
	}
	confirm(liars)
	confirm(paid("alice", 9))
	if got := median(); got.N != 9 || got.Amount != 5 {
		t.Errorf("beside one unit at 9, eight at 1 make it %+v, want 5", got)
	}
}
