// Package chart draws charts of measurements as SVG, and gives the numbers of each as a table.
//
// Places across a chart are in percent of the plot's width, so that the chart fits any screen and its words keep their
// size. Places down are in pixels from the top. Paths can't be given in percent: they lie on a plane of PlaneWidth
// units, which is stretched to the plot.
package chart

import (
	"math"
	"strconv"
	"strings"

	"flashdex/result"
)

// Chart is the geometry of one chart. All texts are plain text.
type Chart struct {
	ID     string // unique on its page; letters, digits and hyphens
	Title  string
	Desc   string // the content in words, for those who can't see it
	Height int    // in pixels
	Plot   Plot
	X, Y   Axis
	Areas  []Area
	Paths  []Path
	Lines  []Line
	Dots   []Dot
	Texts  []Text
	Key    []Key
	Table  Table

	ends []Text // words at the ends of lines
}

// PlaneWidth is the width of the plane that paths lie on.
const PlaneWidth = 1000

// Plot is the area within the axes, in pixels.
type Plot struct{ Top, Height, Foot int }

// Axis is one side of the plot. Ticks of X are in percent, ticks of Y in pixels.
type Axis struct {
	Name  string
	Ticks []Tick
}

// Tick is one labelled place on an axis.
type Tick struct {
	At    float64
	Label string
}

// Classes of shapes. The site's chart.css tells them apart by weight, dashes and colour.
const (
	Main      = "main"     // the subject of the chart
	Behind    = "behind"   // other runs, in thin lines
	Envelope  = "envelope" // from the slowest to the fastest interval of Main
	Whole     = "whole"    // Main taken as a whole
	Cliff     = "cliff"    // the place where the rate fell for good
	Warmup    = "warmup"   // not counted
	Reference = "reference"
	Quartiles = "quartiles"
	Interval  = "interval"
	Unit      = "unit"
	This      = "this" // the run that the page shows
)

// MaxSeveral is how many modules or runs can be told apart in one chart.
const MaxSeveral = 6

// Several is the class of the i-th of several modules or runs, from 0 on.
func Several(i int) string { return "several-" + strconv.Itoa(i%MaxSeveral+1) }

// Letter is its short name, which stands at the end of its line and before its name in the key.
func Letter(i int) string { return string(rune('A' + i%MaxSeveral)) }

// Area is a rectangle. X1 and Width are in percent, Y1 and Height in pixels.
type Area struct {
	Class                 string
	X1, Width, Y1, Height float64
}

// Path has the data of an SVG path on the plane, in pixels from the plot's top.
type Path struct{ Class, D string }

// Line is a straight line.
type Line struct {
	Class          string
	X1, X2, Y1, Y2 float64
}

// Dot is one value.
type Dot struct {
	Class string
	X, Y  float64
}

// Text is a word at a place.
type Text struct {
	Class  string
	X, Y   float64
	Anchor string // start, middle, end
	Label  string
}

// Key explains a class.
type Key struct {
	Class string `json:"class"`
	Label string `json:"label"`
}

// Table holds numbers as text. The first cell of each row is its name.
type Table struct {
	Head []string
	Rows [][]string
}

// addMark adds an upright line from top to foot, with its name above.
func (c *Chart) addMark(class, label string, at, top, foot float64) {
	anchor := "middle"
	switch {
	case at < 20:
		anchor = "start"
	case at > 80:
		anchor = "end"
	}
	c.Lines = append(c.Lines, Line{class, at, at, top, foot})
	c.Texts = append(c.Texts, Text{class, at, top - 4, anchor, label})
}

// place is a point of a plot: a share of its width, and pixels from its top.
type place struct{ across, down float64 }

// line is the path through places.
func line(places []place) string {
	var d strings.Builder
	last := ""
	for i, p := range places {
		at := units(p.across) + " " + pixels(p.down)
		switch {
		case i == 0:
			d.WriteString("M" + at)
		case at != last:
			d.WriteString("L" + at)
		}
		last = at
	}
	return d.String()
}

// units writes a share of the plot's width as a coordinate on the plane.
func units(share float64) string {
	return strconv.FormatFloat(math.Round(share*PlaneWidth), 'f', -1, 64)
}

func pixels(v float64) string { return strconv.FormatFloat(tenth(v), 'f', -1, 64) }

// tenth and hundredth round to what a screen can show.
func tenth(v float64) float64     { return math.Round(v*10) / 10 }
func hundredth(v float64) float64 { return math.Round(v*100) / 100 }

func fromTo(low, high float64) string { return result.Number(low) + " to " + result.Number(high) }
