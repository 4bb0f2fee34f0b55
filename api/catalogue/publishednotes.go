package catalogue

import (
	"cmp"
	"io/fs"
	"strings"
)

// QualityWeak is the quality of figures whose method or host is weak. They are listed, but no table compares them.
const QualityWeak = "C"

// publishedNote is what the text of a row says besides its figure.
type publishedNote struct {
	source, contains string // in the product, host, tool or note of a row

	module     string   // slug of the row's module, if its name might mean other modules too
	unit       string   // which of several units of the module; empty: there is one
	conditions []string // tell this measurement apart from others of the same kind
	listed     bool     // Flashdex compares no figure with it
	quality    string   // A, B or C; empty: the source's
}

func loadPublishedNotes(fsys fs.FS) (notes []publishedNote, err error) {
	err = eachRow(fsys, "published_notes.csv", func(r *row) error {
		n := publishedNote{
			source: r.get("source_key"), contains: r.get("contains"), module: r.get("module"), unit: r.get("unit"),
			listed: r.get("comparable") == "no", quality: r.get("quality"),
		}
		if condition := r.get("condition"); condition != "" {
			n.conditions = []string{condition}
		}
		notes = append(notes, n)
		return nil
	})
	return notes, err
}

// tells reports whether a note is about a row.
func (n *publishedNote) tells(p *Published, r *row) bool {
	return n.source == p.Source &&
		strings.Contains(strings.Join([]string{r.get("product"), p.Host, p.Tool, p.Note}, ", "), n.contains)
}

// noted gathers what all notes say about a row. If several notes say the same thing, the first one counts.
func noted(notes []publishedNote, p *Published, r *row) (all publishedNote) {
	for i := range notes {
		if n := &notes[i]; n.tells(p, r) {
			all.module, all.unit = cmp.Or(all.module, n.module), cmp.Or(all.unit, n.unit)
			all.quality = cmp.Or(all.quality, n.quality)
			all.conditions = append(all.conditions, n.conditions...)
			all.listed = all.listed || n.listed
		}
	}
	return all
}
