package catalogue_test

import (
	"encoding/csv"
	"os"
	"strconv"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/data"
	"flashdex/result"
	"flashdex/result/register"
)

// The registers of real cards, read by their owners, confirm the names printed on them.
func TestRegistersOfRealCardsConfirmTheirNames(t *testing.T) {
	t.Parallel()
	c, err := catalogue.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open("../../data/card_registers.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	confirmed := 0
	for _, row := range rows[1:] {
		of := map[string]string{}
		for i, name := range rows[0] {
			of[name] = row[i]
		}
		size, _ := strconv.ParseInt(of["capacity_bytes_from_csd"], 10, 64)
		if got, err := register.CapacityBytes(of["csd"]); err != nil || got != size {
			t.Errorf("%s: the CSD says %d bytes, %v; want %d", of["module"], got, err, size)
		}
		vendor, product, _ := strings.Cut(of["label"], " ")
		e := catalogue.Evidence{
			Module: result.Module{Vendor: vendor, Product: product + " of 2031", Form: "microsd"},
			Identity: result.Identity{Bus: "sd", SizeBytes: size, SD: &result.Register{
				CID: of["cid"], CSD: of["csd"], Manfid: of["manfid"], OEMID: of["oemid"], Name: of["pnm"]}},
		}
		m := c.Resolve(e)
		if !m.Provisional && m.NamedBy != catalogue.NamedByRegisters {
			t.Errorf("%s is in the catalogue", m.Name())
		}
		if m.Confirmed {
			confirmed++
		} else {
			t.Logf("%s is not confirmed: %s %s", m.Name(), of["manfid"], of["oemid"])
		}
	}
	if confirmed != 10 { // the other cards' ids are often those of counterfeits
		t.Errorf("the registers of %d of %d cards confirm their names", confirmed, len(rows)-1)
	}
}

// Most sources say that 0x03/SD is SanDisk's. A listed module of another brand has it, too.
func TestRegistersConfirmAListedModuleWithAnotherMakersIDs(t *testing.T) {
	t.Parallel()
	c, err := catalogue.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, vendor := range []string{"WD", ""} {
		m := c.Resolve(catalogue.Evidence{
			Module: result.Module{Vendor: vendor},
			Identity: result.Identity{Bus: "sd", SizeBytes: 63864569856, SD: &result.Register{
				CID: "03534457583634478000000000018300", CSD: "400e00325b590001dbd37f800a404000", Manfid: "0x000003",
				OEMID: "0x5344", Name: "WX64G"}},
		})
		if m.Slug != "western-digital-purple-qd101-64gb-microsd" || !m.Confirmed {
			t.Errorf("typed as %q it is %s, confirmed %v", vendor, m.Slug, m.Confirmed)
		}
	}
}

// Each case spoils what a liar might overlook.
func TestWhatContradictsItselfConfirmsNothing(t *testing.T) {
	t.Parallel()
	c, err := catalogue.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*catalogue.Evidence){
		"":                         func(*catalogue.Evidence) {},
		"no registers":             func(e *catalogue.Evidence) { e.SD = nil },
		"no name":                  func(e *catalogue.Evidence) { e.SD.Name = "" },
		"no CID":                   func(e *catalogue.Evidence) { e.SD.CID = "" },
		"half a CID":               func(e *catalogue.Evidence) { e.SD.CID = e.SD.CID[:16] },
		"no CSD":                   func(e *catalogue.Evidence) { e.SD.CSD = "" },
		"the CSD of another size":  func(e *catalogue.Evidence) { e.SizeBytes -= 1 << 20 },
		"a capacity typed wrong":   func(e *catalogue.Evidence) { e.CapacityGB = 64 },
		"another maker":            func(e *catalogue.Evidence) { e.Vendor = "Samsung" },
		"a maker nobody knows":     func(e *catalogue.Evidence) { e.Vendor = "Nobody" },
		"ids that nobody knows":    func(e *catalogue.Evidence) { e.SD.Manfid, e.SD.OEMID = "0x0000fe", "0x7a7a" },
		"a reader between":         func(e *catalogue.Evidence) { e.Bus = "usb" },
		"a checksum that is wrong": func(e *catalogue.Evidence) { e.SD.CRCWrong = true },
		"less found than claimed": func(e *catalogue.Evidence) {
			e.Verified = &result.Verified{ClaimedBytes: 2, FoundBytes: 1}
		},
	} {
		e := catalogue.Evidence{
			Module: result.Module{Vendor: "SanDisk", Product: "Fictitious", CapacityGB: 32, Form: "microsd"},
			Identity: result.Identity{Bus: "sd", SizeBytes: 31914983424, SD: &result.Register{
				CID: "03534453433332478000000000015a00", CSD: "400e00325b590000edc87f800a404000", Manfid: "0x000003",
				OEMID: "0x5344", Name: "SC32G"}},
		}
		spoil(&e)
		if m := c.Resolve(e); m.Confirmed != (name == "") || !m.Provisional {
			t.Errorf("%q: %s: confirmed %v, provisional %v", name, m.Name(), m.Confirmed, m.Provisional)
		}
	}
}
