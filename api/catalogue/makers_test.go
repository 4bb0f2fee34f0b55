package catalogue_test

import (
	"encoding/csv"
	"slices"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/data"
)

func TestClaimsKeepTheirConflicts(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, tc := range []struct {
		bus, manfid, oemid string
		makers, notMakers  []string
		suspect            bool
	}{
		{"sd", "0x000003", "0x5344", []string{"SanDisk"}, []string{"Western Digital"}, false},
		{"sd", "0x03", "0x5744", []string{"SanDisk", "Western Digital"}, nil, false},
		{"sd", "0x00001d", "0x4144", []string{"ADATA", "Corsair"}, nil, false},
		{"sd", "0x00009f", "0x5449", []string{"Kingston", "Texas Instruments"}, nil, false},
		{"sd", "0x000027", "0x5048", []string{"Phison", "Apacer", "Delkin/Phison"}, nil, false},
		{"sd", "0x0000fe", "0x3456", nil, []string{"Numonyx"}, true},
		{"mmc", "0x0000fe", "0x0100", []string{"Numonyx", "Micron-Numonyx"}, nil, false},
		{"sd", "0x0000ee", "0x3432", []string{"Kingston"}, nil, false}, // by the OEM id only
		{"sd", "0x0000ee", "0x0000", nil, nil, false},
		{"sd", "", "0x5344", nil, []string{"SanDisk"}, false},
		{"sd", "SanDisk", "SD", nil, []string{"SanDisk"}, false},
		{"usb", "0x03", "0x5344", nil, []string{"SanDisk"}, false},
	} {
		claims := c.Claims(tc.bus, tc.manfid, tc.oemid)
		named, suspect := map[string]bool{}, false
		for _, claim := range claims {
			named[claim.Name] = claim.Kind == catalogue.ClaimMaker
			suspect = suspect || claim.Kind == catalogue.ClaimSuspect
			if len(claim.Sources) == 0 || slices.Contains(claim.Sources, "") {
				t.Errorf("%s/%s: %q has no source", tc.manfid, tc.oemid, claim.Name)
			}
		}
		for _, want := range tc.makers {
			if !named[want] {
				t.Errorf("%s/%s: nobody claims %s: %+v", tc.manfid, tc.oemid, want, claims)
			}
		}
		for _, unwanted := range tc.notMakers {
			if named[unwanted] {
				t.Errorf("%s/%s: claimed to be %s", tc.manfid, tc.oemid, unwanted)
			}
		}
		if suspect != tc.suspect {
			t.Errorf("%s/%s: suspect is %v", tc.manfid, tc.oemid, suspect)
		}
	}
}

func TestClaimsText(t *testing.T) {
	t.Parallel()
	claims := []catalogue.Claim{
		{Kind: catalogue.ClaimMaker, Name: "SanDisk", Sources: []string{"A", "B"}},
		{Kind: catalogue.ClaimMaker, Name: "Western Digital", Sources: []string{"C"}},
		{Kind: catalogue.ClaimCard, Name: "a card", Sources: []string{"D"}},
	}
	for want, got := range map[string]string{
		"0x03: claimed to be SanDisk by A, B; Western Digital by C": catalogue.ClaimsText("0x000003", claims),
		"0x03: no source names the maker":                           catalogue.ClaimsText("0x3", nil),
		"":                                                          catalogue.ClaimsText("<script>", claims),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// table reads a CSV file of data/ by column name, independently of the catalogue.
func table(t *testing.T, name string) (rows []map[string]string) {
	t.Helper()
	f, err := data.FS.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil || len(records) < 2 {
		t.Fatalf("%s: %d records, %v", name, len(records), err)
	}
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, column := range records[0] {
			row[column] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// Claims must return every row of the file.
func TestEveryClaimIsFound(t *testing.T) {
	t.Parallel()
	c := load(t)
	rows := table(t, "manufacturer_ids.csv")
	if len(rows) < 170 {
		t.Errorf("%d rows", len(rows))
	}
	for _, r := range rows {
		manfid := r["manfid"]
		if manfid == "" {
			manfid = "0x000000"
		}
		found := slices.ContainsFunc(c.Claims(r["bus"], manfid, r["oemid"]), func(claim catalogue.Claim) bool {
			return claim.Kind == r["kind"] && slices.Contains(claim.Sources, r["source"])
		})
		if !found {
			t.Errorf("%v is not found", r)
		}
	}
}

func TestIDsOfAMaker(t *testing.T) {
	t.Parallel()
	c := load(t)
	found := map[string][]string{}
	for _, id := range c.IDsOf("Samsung") {
		found[id.Bus+" "+id.Text] = id.Sources
	}
	if n := len(found["sd 0x1b"]); n < 3 { // one of them says Transcend/Samsung
		t.Errorf("%d sources claim 0x1b for Samsung", n)
	}
	if len(found["sd 0x1b with OEM id 0x534d"]) == 0 || len(found["mmc 0x15"]) == 0 || len(c.IDsOf("Sam")) != 0 ||
		len(c.IDsOf("")) != 0 {
		t.Errorf("%v", found)
	}
}
