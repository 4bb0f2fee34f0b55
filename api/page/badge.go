package page

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"unicode/utf8"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/ranking"
	"flashdex/result"
)

//go:embed badge.svg
var badgeSVG string

var badge = template.Must(template.New("badge.svg").Parse(badgeSVG))

const (
	badgePad    = 6 // px, on both sides of a text
	badgeLetter = 7 // px; textLength fits the text into them in any font
)

// Badge draws the 4K random write that stands for a module as a small SVG picture for other sites. rows are as
// ranking.Speaking takes them. The picture names the method if it isn't ours.
func Badge(m catalogue.Module, rows []*ranking.Row, c *catalogue.Catalogue) ([]byte, error) {
	right := "not measured yet"
	if at, f, known := ranking.Speaking(rows); known {
		right = iopsOf(f)
		if method, _ := c.Method(rows[at].Method); method.ID != result.MethodFlashdex1 {
			right += ", " + method.Label
		}
	}
	const left = "4K random write"
	shown := struct {
		Name, Left, Right                              string
		LeftText, RightText, LeftWidth, RightAt, Width int
	}{Name: m.Name(), Left: left, Right: right,
		LeftText: badgeLetter * len(left), RightText: badgeLetter * utf8.RuneCountInString(right)}
	shown.LeftWidth = shown.LeftText + 2*badgePad
	shown.RightAt = shown.LeftWidth + badgePad
	shown.Width = shown.RightAt + shown.RightText + badgePad
	var text bytes.Buffer
	if err := badge.Execute(&text, shown); err != nil {
		return nil, fmt.Errorf("page: the badge of %s: %w", shown.Name, err)
	}
	return text.Bytes(), nil
}

// iopsOf writes a rate and how sure it is: "883 IOPS (620 to 1,260)", "161 to 986 IOPS".
func iopsOf(f figure.Figure) string {
	text := result.Number(f.Value)
	if f.To > 0 {
		return text + " to " + result.Number(f.To) + " IOPS"
	}
	text += " IOPS"
	if f.HasInterval() {
		text += " (" + result.Number(*f.Low) + " to " + result.Number(*f.High) + ")"
	}
	return text
}
