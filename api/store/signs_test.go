package store_test

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
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

// fake stores a result of a unit with its own tag that holds less than it claims.
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
