package store_test

import (
	"encoding/json"
	"testing"

	"flashdex/api/figure"
	"flashdex/api/submission"
	"flashdex/result"
	"flashdex/result/sign"
)

// The data set says of each result what the signs of its unit weigh.
func TestTheDataSetWeighsSigns(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	want := map[string]string{}
	for speed, c := range []struct {
		identity result.Identity
		weight   sign.Weight
	}{
		{result.Identity{Bus: "usb"}, sign.Unknown},
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
		want[doc.ID] = string(c.weight)
	}
	seen := map[string]bool{}
	if err := s.Dataset(t.Context(), func(_ *figure.Overview, r figure.Records) error {
		return r.Tests(t.Context(), figure.Filter{}, func(test *figure.Test) error {
			seen[test.Result] = true
			if test.Signs != want[test.Result] {
				t.Errorf("%q, want %q", test.Signs, want[test.Result])
			}
			return nil
		})
	}); err != nil || len(seen) != len(want) {
		t.Errorf("%d of %d results are in the data set, %v", len(seen), len(want), err)
	}
}
