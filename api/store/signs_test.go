package store_test

import (
	"cmp"
	"encoding/json"
	"testing"

	"flashdex/api/figure"
	"flashdex/api/submission"
	"flashdex/result"
	"flashdex/result/sign"
)

// The data set says of each result what the signs of its unit weigh, and what its contributor gave away of its wear.
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
