package result_test

import (
	"testing"

	"flashdex/result"
)

// A module counts as checked from four fifths on, whatever was found. A part that is lost may be a bad spot if it is
// little of the whole.
func TestACheckOfAPartClearsNoModule(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		found          result.Checked
		printedGB      float64
		checked, lacks bool
		surely         bool
	}{
		"all":                        {result.Checked{Bytes: 64e9, OKBytes: 64e9}, 64, true, false, false},
		"of an unknown whole":        {result.Checked{Bytes: 64e9, OKBytes: 64e9}, 0, true, false, false},
		"nearly all":                 {result.Checked{Bytes: 61e9, OKBytes: 61e9, OfBytes: 64e9}, 64, true, false, false},
		"four fifths":                {result.Checked{Bytes: 51.2e9, OKBytes: 51.2e9, OfBytes: 64e9}, 64, true, false, false},
		"less":                       {result.Checked{Bytes: 51e9, OKBytes: 51e9, OfBytes: 64e9}, 64, false, false, false},
		"as little of a fake":        {result.Checked{Bytes: 51e9, OKBytes: 8e9, OfBytes: 64e9}, 64, false, true, true},
		"a part of the volume":       {result.Checked{Bytes: 6e9, OKBytes: 6e9, OfBytes: 64e9}, 0, false, false, false},
		"a volume on a part":         {result.Checked{Bytes: 6e9, OKBytes: 6e9, OfBytes: 6e9}, 64, false, false, false},
		"a part that is lost":        {result.Checked{Bytes: 32e9, OKBytes: 8e9, OfBytes: 64e9}, 64, false, true, true},
		"all of a small part":        {result.Checked{Bytes: 2e9, OKBytes: 0, OfBytes: 64e9}, 64, false, true, true},
		"a bad spot in a small part": {result.Checked{Bytes: 1e9, OKBytes: 0.9e9, OfBytes: 64e9}, 64, false, true, false},
		"changed bits in a twentieth": {result.Checked{Bytes: 64e9, OKBytes: 60e9, ChangedBytes: 4e9}, 64, true, false,
			false},
		"a twentieth lost": {result.Checked{Bytes: 64e9, OKBytes: 60.8e9}, 64, true, true, true},
	} {
		doc := result.Document{Module: result.Module{CapacityGB: c.printedGB}, Imported: &result.Imported{Checked: &c.found}}
		if checked, lacks, surely := doc.CapacityChecked(), c.found.Lacks(), c.found.LacksSurely(); checked != c.checked ||
			lacks != c.lacks || surely != c.surely {
			t.Errorf("%s: checked %v, lacks %v, surely %v", name, checked, lacks, surely)
		}
	}
}

// What flashdex verify found by itself is judged as what another tool found, and a measured result says of no check.
func TestWhatVerifyFoundIsInWords(t *testing.T) {
	t.Parallel()
	checked := func(ok, changed int64) result.Identity {
		return result.Identity{Checked: &result.Checked{Bytes: 62e9, OKBytes: ok, ChangedBytes: changed, OfBytes: 64e9}}
	}
	verified := func(found int64) result.Identity {
		return result.Identity{Verified: &result.Verified{ClaimedBytes: 64e9, FoundBytes: found}}
	}
	for want, unit := range map[string]result.Identity{
		"all of 62 GB came back as written; the module claims 64 GB":    checked(62e9, 0),
		"only 8 of 62 GB came back as written; the module claims 64 GB": checked(8e9, 0),
		"nothing contradicts the 64 GB that it claims":                  verified(64e9),
		"of the 64 GB that it claims, only the first 8 are sure":        verified(8e9),
		"all but 4,096 bytes of 62 GB came back as written: an error of the medium, its reader or a contact; the module " +
			"claims 64 GB": checked(62e9-4096, 4096),
	} {
		doc := result.Document{Method: result.MethodVerify1, Identity: unit}
		if got := doc.Found(); got != want || !doc.CapacityChecked() || doc.Checked() != unit.Checked {
			t.Errorf("%q, want %q; checked %v", got, want, doc.CapacityChecked())
		}
	}
	measured := result.Document{Method: result.MethodFlashdex1, Identity: verified(8e9)}
	if got := measured.Found(); got != "" || measured.Checked() != nil || !measured.CapacityChecked() {
		t.Errorf("a measured result says %q", got)
	}
	if why := (&result.Document{Method: result.MethodVerify1}).NotRanked(); len(why) != 1 ||
		!result.NeverRanked(result.MethodVerify1) {
		t.Errorf("not ranked since %q", why)
	}
}

// A tool that reads all back finds what it wrote. f3probe looks at a part, and tells what the module can hold.
func TestWhatAnImportFoundIsInTheWordsOfItsTool(t *testing.T) {
	t.Parallel()
	whole, part := result.Checked{Bytes: 64e9, OKBytes: 64e9}, result.Checked{Bytes: 64e9, OKBytes: 8e9}
	worn, changed := result.Checked{Bytes: 64e9, OKBytes: 64e9 - 57*1024},
		result.Checked{Bytes: 64e9, OKBytes: 57.6e9, ChangedBytes: 6.4e9}
	for want, of := range map[string]result.Imported{
		"":                                     {Tool: result.ToolF3},
		"all of 64 GB came back as written":    {Tool: result.ToolF3, Checked: &whole},
		"only 8 of 64 GB came back as written": {Tool: result.ToolH2testw, Checked: &part},
		"all but 58,368 bytes of 64 GB came back as written: an error of the medium, its reader or a contact": {
			Tool: result.ToolH2testw, Checked: &worn},
		"all but 6,400,000,000 bytes of 64 GB came back as written: an error of the medium, its reader or a contact": {
			Tool: result.ToolF3, Checked: &changed},
		"all of 64 GB is usable":    {Tool: result.ToolF3, Checked: &whole, Options: result.OptionF3probe},
		"only 8 of 64 GB is usable": {Tool: result.ToolF3, Checked: &part, Options: "a; " + result.OptionF3probe},
	} {
		if got := of.Found(); got != want {
			t.Errorf("%+v: %q, want %q", of, got, want)
		}
	}
}
