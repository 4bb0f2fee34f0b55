package result_test

import (
	"testing"

	"flashdex/result"
)

// To say that a module has its capacity takes nearly all of it, and to say that it lacks some takes a part. That part
// may be a bad spot if it is little of the whole.
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
		"a part of the volume":       {result.Checked{Bytes: 6e9, OKBytes: 6e9, OfBytes: 64e9}, 0, false, false, false},
		"a volume on a part":         {result.Checked{Bytes: 6e9, OKBytes: 6e9, OfBytes: 6e9}, 64, false, false, false},
		"a part that is lost":        {result.Checked{Bytes: 32e9, OKBytes: 8e9, OfBytes: 64e9}, 64, true, true, true},
		"a bad spot in a small part": {result.Checked{Bytes: 1e9, OKBytes: 0.9e9, OfBytes: 64e9}, 64, true, true, false},
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
