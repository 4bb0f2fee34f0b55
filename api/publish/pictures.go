package publish

import (
	"path/filepath"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/page/picture"
	"flashdex/api/ranking"
)

// pictureFile is the picture beside the page of a module, a device or a question. Other sites show it with a link to
// the page.
const pictureFile = "share.png"

// hasPicture reports whether a page has a picture of its own.
func hasPicture(path string) bool {
	return slices.ContainsFunc([]string{"/modules/", "/device/", "/for/"}, func(section string) bool {
		return path != section && strings.HasPrefix(path, section)
	})
}

func (s *site) writePicture(path string, p picture.Picture) error {
	drawn, err := p.PNG()
	if err != nil {
		return err
	}
	return writeText(filepath.Join(s.destination, filepath.FromSlash(path), pictureFile), drawn)
}

// modulePicture shows the same figure as the head of a module's page.
func (s *site) modulePicture(m catalogue.Module) picture.Picture {
	at, e, known := s.headFigure(m.Slug)
	if !known {
		return picture.Picture{Title: m.Name(), Figure: "Not known yet", Notes: []string{
			"Nobody has published how many 4K random writes it does.", "Yours could be the first figure."}}
	}
	placed, f := &s.placed[m.Slug][at], s.figures(m.Slug)[at]
	of := speedOf(placed.method, placed.row, e)
	shown := picture.Picture{
		Title: m.Name(), Figure: of.Value + " IOPS", Notes: []string{"4K random writes, " + knownBy(f, placed, e)},
	}
	if sure := howSure(f, of); sure != "" {
		shown.Notes = append(shown.Notes, sure)
	}
	return shown
}

// moduleTitle is the title of a module's page, with the figure at its head.
func (s *site) moduleTitle(m catalogue.Module) string {
	at, e, known := s.headFigure(m.Slug)
	if !known {
		return page.ModuleTitle(m, "", 0)
	}
	placed := &s.placed[m.Slug][at]
	iops := speedOf(placed.method, placed.row, e).Value + " IOPS"
	switch {
	case e.To > 0:
		return page.ModuleTitle(m, iops, 0)
	case placed.method.ID == catalogue.MethodExpected:
		return page.ModuleTitle(m, "about "+iops, e.Value)
	}
	return page.ModuleTitle(m, iops, e.Value)
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

// howSure is the interval and the rank of a figure: "461 to 586 with 95 % confidence, rank 3 to 5 of 40". It leaves out
// ranks among modules that nobody measured with Flashdex, because readers would mistake them for ranks among all.
func howSure(f *methodFigures, of *speed) string {
	var parts []string
	if of.Low != "" {
		parts = append(parts, of.Low+" to "+of.High+" with "+of.Confidence+" % confidence")
	}
	if f.Rank != "" && !f.Published {
		parts = append(parts, "rank "+f.Rank+" of "+f.RankOf)
	}
	return strings.Join(parts, ", ")
}

// pictureAnswers is how many answers the picture of a device lists.
const pictureAnswers = 3

func questionPicture(a *answered) picture.Picture {
	shown := picture.Picture{Title: a.Text}
	var origins []string
	for _, b := range a.Best {
		shown.List = append(shown.List, b.Name+": "+b.Score+" "+b.Unit)
		origins = append(origins, b.Origin)
	}
	switch {
	case a.Few > 0:
		shown.Notes = []string{"Too few have a known price to choose from"}
	case len(origins) == 0:
		shown.Notes = []string{"Nobody knows yet", "Yours could be the first answer."}
	case len(slices.Compact(slices.Clone(origins))) > 1: // a long name in the list would cut the origins off
		shown.Notes = []string{"From the top: " + strings.Join(origins, ", ")}
	case origins[0] == ranking.Measured:
		shown.Notes = []string{"Measured by the owners of these modules"}
	default:
		shown.Notes = []string{origins[0] + ", not measured by Flashdex’s users yet"}
	}
	return shown
}

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
