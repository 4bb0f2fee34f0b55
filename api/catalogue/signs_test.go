package catalogue_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"flashdex/result"
)

func TestSigns(t *testing.T) {
	t.Parallel()
	c := load(t)
	card := func(manfid, oemid string) result.Identity {
		return result.Identity{SD: &result.Register{Manfid: manfid, OEMID: oemid}}
	}
	verified := func(claimed, found int64) result.Identity {
		return result.Identity{Verified: &result.Verified{ClaimedBytes: claimed, FoundBytes: found}}
	}
	for _, tc := range []struct {
		name, vendor string
		device       result.Identity
		want         []string
	}{
		{"nothing known", "SanDisk", result.Identity{}, nil},
		{"a SanDisk as it should be", "SanDisk", card("0x000003", "0x5344"), nil},
		{"checksum", "SanDisk", result.Identity{SD: &result.Register{CRCWrong: true}}, []string{"crc-wrong"}},
		{"serial number", "", result.Identity{MMC: &result.Register{SerialNearZero: true}}, []string{"serial-near-zero"}},
		{"a SanDisk with Phison's ids", "SanDisk", card("0x000027", "0x5048"), []string{"other-maker"}},
		{"the same, vendor as somebody types it", "san disk", card("0x27", "0x5048"), []string{"other-maker"}},
		{"a Samsung with SanDisk's ids", "Samsung", card("0x000003", "0x5344"), []string{"other-maker"}},
		{"a PNY with Phison's ids, as one in hand has", "PNY", card("0x000027", "0x5048"), nil},
		{"a Kingston with ids that are claimed for two", "Kingston", card("0x00009f", "0x5449"), nil},
		{"a Lexar with Longsys's ids, as one in hand has", "Lexar", card("0x0000ad", "0x4c53"), nil},
		{"an ADATA with ids claimed for Corsair and ADATA", "ADATA", card("0x00001d", "0x0000"), nil},
		{"a brand without ids of its own", "Intenso", card("0x000027", "0x5048"), nil},
		{"a brand that nobody knows", "Foo", card("0x000027", "0x5048"), nil},
		{"ids that nobody knows", "SanDisk", card("0x0000ee", "0xeeee"), nil},
		{"the ids of counterfeits", "", card("0x0000fe", "0x3456"), []string{"suspected-ids"}},
		{"the ids of counterfeits on a SanDisk", "SanDisk", card("0x00006f", "0x0013"),
			[]string{"other-maker", "suspected-ids"}},
		{"all of it is there", "", verified(64e9, 64e9), nil},
		{"an eighth is there", "", verified(64e9, 8e9), []string{"capacity"}},
		{"nothing is there", "", verified(64e9, 0), []string{"capacity"}},
		{"a date before there were such cards", "", result.Identity{SizeBytes: 64e9, SD: &result.Register{Date: "01/2005"}},
			[]string{"date-impossible"}},
		{"everything at once", "SanDisk", result.Identity{
			SD:       &result.Register{CRCWrong: true, SerialNearZero: true, Manfid: "0x27", OEMID: "0x5048"},
			Verified: &result.Verified{ClaimedBytes: 2, FoundBytes: 1},
		}, []string{"crc-wrong", "serial-near-zero", "other-maker", "capacity"}},
	} {
		var got []string
		for _, s := range c.Signs(tc.vendor, tc.device) {
			got = append(got, s.Key)
			if s.What == "" || s.Explanation == "" || s.Caveat == "" {
				t.Errorf("%s: %s lacks a part: %+v", tc.name, s.Key, s)
			}
			for _, verdict := range []string{"is fake", "is counterfeit", "is a counterfeit", "is genuine"} {
				if strings.Contains(strings.ToLower(s.What+s.Explanation+s.Caveat), verdict) {
					t.Errorf("%s: %s passes a verdict: %+v", tc.name, s.Key, s)
				}
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

// Every card in data/ with registers and label is genuine as far as anybody knows. Signs must not assign its ids to
// another maker.
func TestSignsOfTheCardsInHand(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, r := range table(t, "card_registers.csv") {
		m, ok := c.Module(r["module"])
		if !ok {
			t.Fatalf("no module %q", r["module"])
		}
		for _, s := range c.Signs(m.Vendor, result.Identity{SD: &result.Register{Manfid: r["manfid"], OEMID: r["oemid"]}}) {
			if s.Key == "other-maker" {
				t.Errorf("%s: %s", r["label"], s.What)
			}
		}
	}
}
