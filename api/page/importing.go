package page

import (
	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/ranking"
	"flashdex/result"
)

// Import is the form for what other tools printed, with what the server understood of it.
type Import struct {
	Text     string // as it was pasted
	Module   result.Module
	Capacity string     // as it was typed, in GB
	Asked    []Question // what the text leaves open
	Told     []Question // what was answered
	Wrong    string     // why nothing was understood

	Named   *NamedModule // nil: no module was named
	Places  []ImportPlace
	NoPlace []string // results without a place because data were lost: the tool, and what it found

	Documents []result.Document // what would be kept
	LeftOut   []string
	Seen      string // the hash of Documents
	Ready     bool   // nothing is missing
	Key, At   string // the contributor's secret that was made for this form, and when

	Kept    []KeptImport
	NotKept []KeptImport // as far as is known
	Site    string       // its address, without a slash at the end
}

// Question asks for a fact.
type Question struct {
	Name, Words string
	Values      []string // nil: any text
	Value       string   // the answer, or empty
}

// NamedModule is the module that a form names, with the server's knowledge of it.
type NamedModule struct {
	catalogue.Module
	Listed bool               // it has a page
	Near   []catalogue.Module // if it isn't listed: the modules that it may be
	Own    *Standing          // its figures by Flashdex's own test, or the expected ones; nil: nothing is known
}

// Expected reports whether the figures are expected, because nobody measured the module by Flashdex's own test.
func (m NamedModule) Expected() bool { return m.Own.Origin() == ranking.Expected }

// OwnFigures returns the main figures by Flashdex's own test: "4K random write 512 IOPS (480–540)".
func (m NamedModule) OwnFigures() (words []string) {
	for _, key := range figure.MainFigures {
		if f, known := m.Own.figureOf(key); known {
			cell, metric := CellOf("", f), figure.MetricOf(key)
			words = append(words, metric.Name+" "+cell.Value+" "+metric.Unit)
			if cell.Interval != "" {
				words[len(words)-1] += " (" + cell.Interval + ")"
			}
		}
	}
	return words
}

// ImportPlace says where a pasted figure stands among the published ones of the same method.
type ImportPlace struct {
	Method, Label, Figure string // "CrystalDiskMark", "4K random write", "132 IOPS"
	Place                 ranking.Place
	Of                    int    // modules, this one among them
	Others                string // published figures of this module; empty: there are none, or no module is named
}

// PlaceOf places a pasted figure among rows of its method. others is the row of the same module; nil: there is none.
func PlaceOf(method string, f figure.AsPublished, among []*ranking.Row, others *ranking.Row) ImportPlace {
	metric := figure.MetricOf(f.Key)
	p := ImportPlace{Method: method, Label: metric.Label, Figure: result.Number(f.Value) + " " + metric.Unit}
	p.Place, p.Of = ranking.Among(among, f.Key, f.Value)
	if others != nil {
		if f, known := others.Figures.Find(f.Key); known {
			p.Others = CellOf("", f).Value
		}
	}
	return p
}

// Apart is how many times as fast a module must be to be placed before another.
func (Import) Apart() string { return result.Number(figure.SurelyApart) }

// KeptImport is a result of a form that was stored, or the reason why it wasn't.
type KeptImport struct{ Path, ID, Method, State, Reason string }

// Forms are the forms of modules.
func (Import) Forms() []string { return result.Forms }

// ImportPage returns the page with the form.
func ImportPage(i Import) (Page, error) {
	p, err := render("import.html", resultFrame, "What is my card?", i)
	p.Description = "Type a card’s name, or paste what CrystalDiskMark, iozone, H2testw and others printed: which " +
		"module it is, and where it stands."
	return p, err
}

// ImportedPage shows which results were stored.
func ImportedPage(i Import) (Page, error) {
	p, err := render("imported.html", resultFrame, "Imported results", i)
	p.Description = "Which results of other tools were kept, and the secret that takes them back."
	return p, err
}

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
