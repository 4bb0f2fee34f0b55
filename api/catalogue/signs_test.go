package catalogue_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"flashdex/api/catalogue"
	"flashdex/result/register"
)

func TestSigns(t *testing.T) {
	t.Parallel()
	c := load(t)
	card := func(manfid, oemid string) catalogue.Observed {
		return catalogue.Observed{Bus: "sd", SDManfid: manfid, SDOEMID: oemid}
	}
	measured := func(promised, measured float64) catalogue.Observed {
		return catalogue.Observed{Performance: []catalogue.Performance{{Class: "A1", Measure: "4K random write", Unit: "IOPS",
			Promised: promised, Measured: measured}}}
	}
	for _, tc := range []struct {
		name, vendor string
		o            catalogue.Observed
		want         []string
	}{
		{"nothing known", "SanDisk", catalogue.Observed{}, nil},
		{"a SanDisk as it should be", "SanDisk", card("0x000003", "0x5344"), nil},
		{"checksum", "SanDisk", catalogue.Observed{CID: register.Signs{CRCWrong: true}}, []string{"crc-wrong"}},
		{"serial number", "", catalogue.Observed{CID: register.Signs{SerialNearZero: true}}, []string{"serial-near-zero"}},
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
		{"all of it is there", "", catalogue.Observed{ClaimedBytes: 64e9, FoundBytes: 64e9}, nil},
		{"an eighth is there", "", catalogue.Observed{ClaimedBytes: 64e9, FoundBytes: 8e9}, []string{"capacity"}},
		{"never tried", "", catalogue.Observed{ClaimedBytes: 64e9}, nil},
		{"below the class", "", measured(500, 260), nil},
		{"far below the class", "", measured(500, 249), []string{"far-below-class"}},
		{"nothing promised", "", measured(0, 1), nil},
		{"everything at once", "SanDisk", catalogue.Observed{CID: register.Signs{CRCWrong: true, SerialNearZero: true},
			Bus: "sd", SDManfid: "0x27", SDOEMID: "0x5048",
			ClaimedBytes: 2, FoundBytes: 1, Performance: []catalogue.Performance{{Promised: 500, Measured: 1},
				{Promised: 1500, Measured: 2}}},
			[]string{"crc-wrong", "serial-near-zero", "other-maker", "capacity", "far-below-class", "far-below-class"}},
	} {
		var got []string
		for _, s := range c.Signs(tc.vendor, tc.o) {
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
		for _, s := range c.Signs(m.Vendor, catalogue.Observed{Bus: "sd", SDManfid: r["manfid"], SDOEMID: r["oemid"]}) {
			if s.Key == "other-maker" {
				t.Errorf("%s: %s", r["label"], s.What)
			}
		}
	}
}
