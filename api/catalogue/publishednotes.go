package catalogue

import (
	"cmp"
	"io/fs"
	"strings"
)

// QualityWeak is the quality of figures whose method or host is weak: they are listed, and in no table.
const QualityWeak = "C"

// publishedNote is what the text of a row tells beside its figure.
type publishedNote struct {
	source, contains string // in the product, host, tool or note of a row

	module     string   // slug of the module that the row means, where its name would mean others as well
	unit       string   // which of several units of the module; empty: the only one
	conditions []string // what tells this measurement from others of the same kind
	listed     bool     // it compares with no figure of Flashdex
	quality    string   // A, B or C; empty: as the source
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

// noted gathers what all notes tell about a row. Of two that say the same, the first counts.
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
