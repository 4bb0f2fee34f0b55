package page

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"unicode/utf8"

	"flashdex/api/figure"
	"flashdex/result"
)

//go:embed badge.svg
var badgeSVG string

var badge = template.Must(template.New("badge.svg").Parse(badgeSVG))

const (
	badgePad    = 6 // px, on both sides of a text
	badgeLetter = 7 // px; textLength fits the text into them, whatever font there is
)

// Badge draws the 4K random write of a module as a small picture in SVG, for pages elsewhere. method is the label of
// the method; empty: it is ours.
func Badge(name, method string, figures figure.Set) ([]byte, error) {
	right := "not measured yet"
	if f, known := figures.Find(figure.RandWriteIOPS); known {
		right = result.Number(f.Value) + " IOPS"
		if f.HasInterval() {
			right += fmt.Sprintf(" (%s to %s)", result.Number(*f.Low), result.Number(*f.High))
		}
		if method != "" {
			right += ", " + method
		}
	}
	const left = "4K random write"
	shown := struct {
		Name, Left, Right                              string
		LeftText, RightText, LeftWidth, RightAt, Width int
	}{Name: name, Left: left, Right: right,
		LeftText: badgeLetter * len(left), RightText: badgeLetter * utf8.RuneCountInString(right)}
	shown.LeftWidth = shown.LeftText + 2*badgePad
	shown.RightAt = shown.LeftWidth + badgePad
	shown.Width = shown.RightAt + shown.RightText + badgePad
	var text bytes.Buffer
	if err := badge.Execute(&text, shown); err != nil {
		return nil, fmt.Errorf("page: the badge of %s: %w", name, err)
	}
	return text.Bytes(), nil
}
