package publish

import (
	"path/filepath"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/page/picture"
	"flashdex/result"
)

// pictureFile stands beside the page of a module or a device. Other sites show it beside a link to the page.
const pictureFile = "share.png"

// hasPicture tells whether a page has a picture of its own.
func hasPicture(path string) bool {
	return strings.HasPrefix(path, "/modules/") || strings.HasPrefix(path, "/device/")
}

func (s *site) writePicture(path string, p picture.Picture) error {
	drawn, err := p.PNG()
	if err != nil {
		return err
	}
	return writeText(filepath.Join(s.destination, filepath.FromSlash(path), pictureFile), drawn)
}

// modulePicture shows the same figure as the head of a module's page: the first method's 4K random write that stands
// alone, else the first range of what others published.
func (s *site) modulePicture(m catalogue.Module) picture.Picture {
	shown := picture.Picture{Title: m.Name(), Figure: "Not known yet", Notes: []string{
		"Nobody has published how many 4K random writes it does.", "Yours could be the first figure."}}
	known := false
	for i, f := range s.figures(m.Slug) {
		placed := &s.placed[m.Slug][i]
		e, ok := placed.row.Figures.Find(figure.RandWriteIOPS)
		if !ok || e.To > 0 && known {
			continue
		}
		known, shown.Figure = true, result.Number(e.Value)+" IOPS"
		shown.Notes = []string{"4K random writes, " + knownBy(f, placed, e)}
		if e.To > 0 {
			shown.Figure = result.Number(e.Value) + " to " + result.Number(e.To) + " IOPS"
			continue // another method may have one that stands alone
		}
		if sure := howSure(f, e); sure != "" {
			shown.Notes = append(shown.Notes, sure)
		}
		break
	}
	return shown
}

func knownBy(f *methodFigures, placed *placedRow, e figure.Figure) string {
	switch {
	case placed.method.ID == catalogue.MethodExpected:
		return "expected from published figures"
	case f.Published:
		return page.Counted(e.N, "unit") + ", measured by others"
	}
	return "measured by " + page.Counted(e.Contributors, "contributor")
}

// howSure is the interval and the rank of a figure: "461 to 586 with 95 % confidence, rank 3 to 5 of 40". Those that
// nobody measured have ranks among themselves, which would be taken for others here.
func howSure(f *methodFigures, e figure.Figure) string {
	var parts []string
	if of := speedOf(f, e); of.Low != "" {
		parts = append(parts, of.Low+" to "+of.High+" with "+of.Confidence+" % confidence")
	}
	if f.Rank != "" && !f.Published {
		parts = append(parts, "rank "+f.Rank+" of "+f.RankOf)
	}
	return strings.Join(parts, ", ")
}

// pictureAnswers is how many answers the picture of a device lists.
const pictureAnswers = 3

func devicePicture(title string, d device) picture.Picture {
	shown := picture.Picture{Title: title, Notes: []string{"Nobody’s source says how quick the slot is"}}
	if d.Carries != "" {
		shown.Notes[0] = "The slot carries at most " + d.Carries + " MB/s"
	}
	if d.Answer == nil {
		return shown
	}
	for _, sec := range d.Answer.Sections {
		for _, row := range sec.Rows {
			if len(shown.List) < pictureAnswers {
				text := strings.TrimSpace(row.Rank + " " + row.Name)
				if row.Origin != "" {
					text += ", " + row.Origin
				}
				shown.List = append(shown.List, text)
			}
		}
	}
	return shown
}
