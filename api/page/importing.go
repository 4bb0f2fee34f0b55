package page

import (
	"flashdex/result"
)

// Import is the form that takes what other tools printed, with what was understood of it.
type Import struct {
	Text     string // as it was pasted
	Module   result.Module
	Capacity string     // as it was typed, in GB
	Asked    []Question // what the text leaves open
	Told     []Question // what was answered
	Wrong    string     // why nothing was understood

	Documents []result.Document // what would be kept
	LeftOut   []string
	Seen      string // the sum of Documents
	Ready     bool   // nothing is missing
	Key, At   string // the contributor's secret that was made for this form, and when

	Kept []KeptImport
	Site string // its address, without a slash at the end
}

// Question asks for a fact.
type Question struct {
	Name, Words string
	Values      []string // nil: any text
	Value       string   // the answer, or empty
}

// KeptImport is a result that a form stored.
type KeptImport struct{ Path, ID, Method, State, Reason string }

// Forms are the forms of modules.
func (Import) Forms() []string { return result.Forms }

// ImportPage is the form.
func ImportPage(i Import) (Page, error) { return render("import.html", resultFrame, "Import", i) }

// ImportedPage shows what was kept.
func ImportedPage(i Import) (Page, error) { return render("imported.html", resultFrame, "Imported", i) }

// Figure is a test's main figure with its unit.
func (Import) Figure(t result.Test) string {
	f := t.Figures()
	if f.IOPS != nil {
		return result.Number(*f.IOPS) + " IOPS"
	}
	return result.Number(f.MBPerS) + " MB/s"
}

// Longest is the longest operation of a test in ms, or empty.
func (Import) Longest(t result.Test) string {
	if f := t.Figures(); f.MaxNS != nil {
		return result.Number(float64(*f.MaxNS) / 1e6)
	}
	return ""
}
