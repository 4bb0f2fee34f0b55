package chart

import (
	"encoding/xml"
	"strconv"
	"strings"
	"testing"
)

// shapes are the shapes of a drawing. Places across are in percent, all others in pixels.
type shapes struct {
	Areas        []Area
	Paths        []Path
	Dots         []Dot
	Lines        []Segment
	Texts        []Text
	X, Y         []Tick
	XName, YName string
	Desc         string
}

type (
	Area struct {
		Class                 string
		X1, Width, Y1, Height float64
	}
	Path struct{ Class, D string }
	Dot  struct {
		Class string
		X, Y  float64
	}
	Segment struct {
		Class          string
		X1, X2, Y1, Y2 float64
	}
	Text struct {
		Class         string
		X, Y          float64
		Anchor, Label string
	}
	Tick struct {
		At    float64
		Label string
	}
)

type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Elements []element  `xml:",any"`
}

// drawn reads the SVG of a chart.
func drawn(t *testing.T, c Chart) (s shapes) {
	t.Helper()
	var svg element
	if err := xml.Unmarshal([]byte(c.SVG), &svg); err != nil {
		t.Fatalf("not well-formed: %v\n%s", err, c.SVG)
	}
	s.read(svg.Elements)
	return s
}

func (s *shapes) read(elements []element) {
	for _, e := range elements {
		attr := map[string]string{}
		for _, a := range e.Attrs {
			attr[a.Name.Local] = a.Value
		}
		class, label := attr["class"], e.Text
		at := func(name string) float64 {
			v, _ := strconv.ParseFloat(strings.TrimSuffix(attr[name], "%"), 64)
			return v
		}
		switch kind := e.XMLName.Local; {
		case kind == "svg":
			s.read(e.Elements)
		case kind == "desc":
			s.Desc = label
		case kind == "rect":
			s.Areas = append(s.Areas, Area{class, at("x"), at("width"), at("y"), at("height")})
		case kind == "path":
			s.Paths = append(s.Paths, Path{class, attr["d"]})
		case kind == "circle":
			s.Dots = append(s.Dots, Dot{class, at("cx"), at("cy")})
		case kind == "line" && class != "grid":
			s.Lines = append(s.Lines, Segment{class, at("x1"), at("x2"), at("y1"), at("y2")})
		case class == "side":
			s.Y = append(s.Y, Tick{at("y"), label})
		case class == "foot":
			s.X = append(s.X, Tick{at("x"), label})
		case class == "axis":
			s.YName = label
		case class == "axis end":
			s.XName = label
		case kind == "text":
			class, anchor, _ := strings.Cut(class, " ")
			s.Texts = append(s.Texts, Text{class, at("x"), at("y"), anchor, label})
		}
	}
}
