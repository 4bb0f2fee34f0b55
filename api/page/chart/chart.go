// Package chart computes the geometry of charts: axes, lines, dots and words, placed and rounded, with a description and the
// numbers as a table. draw.go makes SVG of it, for the site and for the server's own pages.
//
// Across, everything is placed in percent of the plot's width, so that a chart fits any screen while its words keep their
// size; down, in pixels from the top. Only paths, which can't be given in percent, lie on a plane of PlaneWidth units across,
// which is stretched to the plot.
package chart

import (
	"math"
	"strconv"
)

// Chart is one chart. All texts are plain text.
type Chart struct {
	ID     string `json:"id"` // unique on its page, of letters, digits and hyphens
	Title  string `json:"title"`
	Desc   string `json:"desc"` // what there is to see, for those who don't
	Height int    `json:"height"`
	Plot   Plot   `json:"plot"`
	X      Axis   `json:"x"`
	Y      Axis   `json:"y"`
	Areas  []Area `json:"areas"`
	Paths  []Path `json:"paths"`
	Lines  []Line `json:"lines"`
	Dots   []Dot  `json:"dots"`
	Texts  []Text `json:"texts"`
	Key    []Key  `json:"key"`
	Table  Table  `json:"table"`
}

// PlaneWidth is the width of the plane that paths lie on.
const PlaneWidth = 1000

// Plot is where the axes enclose the plane, in pixels.
type Plot struct {
	Top    int `json:"top"`
	Height int `json:"height"`
	Foot   int `json:"foot"` // Top and Height
}

// Axis is what a side says. Ticks of X are in percent, of Y in pixels.
type Axis struct {
	Name  string `json:"name"`
	Ticks []Tick `json:"ticks"`
}

// Tick is one labelled place on an axis.
type Tick struct {
	At    float64 `json:"at"`
	Label string  `json:"label"`
}

// Classes of what is drawn, which the site's chart.css tells apart by weight and dashes as well as by colour.
const (
	Main      = "main"      // what the chart is about
	Behind    = "behind"    // what it is compared with
	Envelope  = "envelope"  // from the slowest to the fastest of Main
	Whole     = "whole"     // Main taken as a whole
	Cliff     = "cliff"     // where the rate fell for good
	Warmup    = "warmup"    // what isn't counted
	Reference = "reference" // a value that everybody knows
	Quartiles = "quartiles"
	Interval  = "interval"
	Unit      = "unit"
	This      = "this" // the run that the page is about
)

// MaxSeveral is how many can be told apart when they are compared with each other.
const MaxSeveral = 6

// Several is the class of the i-th of those, from 0 on.
func Several(i int) string { return "several-" + strconv.Itoa(i%MaxSeveral+1) }

// Letter names it where there is no room for more: at the end of its line, and before its name in the key.
func Letter(i int) string { return string(rune('A' + i%MaxSeveral)) }

// Area is a rectangle across the whole width or a part of it: X in percent, Y in pixels.
type Area struct {
	Class string  `json:"class"`
	X1    float64 `json:"x1"`
	Width float64 `json:"width"`
	Y1    float64 `json:"y1"`
	Down  float64 `json:"down"`
}

// Path is the data of an SVG path on the plane, in pixels from the plot's top.
type Path struct {
	Class string `json:"class"`
	D     string `json:"d"`
}

// Line is a straight one.
type Line struct {
	Class string  `json:"class"`
	X1    float64 `json:"x1"`
	X2    float64 `json:"x2"`
	Y1    float64 `json:"y1"`
	Y2    float64 `json:"y2"`
}

// Dot is one value.
type Dot struct {
	Class string  `json:"class"`
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
}

// Text is a word at a mark.
type Text struct {
	Class  string  `json:"class"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Anchor string  `json:"anchor"` // start, middle, end
	Label  string  `json:"label"`
}

// Key says what a class stands for.
type Key struct {
	Class string `json:"class"`
	Label string `json:"label"`
}

// Table holds the numbers of a chart as text.
type Table struct {
	Head []string   `json:"head"`
	Rows [][]string `json:"rows"` // the first cell of each is its name
}

// anchor keeps the words at a place within the plot.
func anchor(percent float64) string {
	switch {
	case percent < 20:
		return "start"
	case percent > 80:
		return "end"
	}
	return "middle"
}

// tenth rounds to what a screen can show.
func tenth(v float64) float64 { return math.Round(v*10) / 10 }

func hundredth(v float64) float64 { return math.Round(v*100) / 100 }
