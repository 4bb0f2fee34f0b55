// Package chart draws charts of measurements as SVG, and gives the numbers of each as a table.
package chart

import (
	"strconv"

	"flashdex/result"
)

// Chart is a finished drawing with its numbers, as site/layouts/_partials/shared/chart.html shows it.
type Chart struct {
	Title   string  `json:"title"`
	Key     []Key   `json:"key,omitempty"`
	SVG     string  `json:"chart_svg"`
	Numbers Numbers `json:"numbers"`
}

// Key explains a class.
type Key struct {
	Class string `json:"class"`
	Label string `json:"label"`
}

// Numbers is a table of numbers, as site/layouts/_partials/shared/numbers.html shows it.
type Numbers struct {
	Title   string     `json:"title"`
	Class   string     `json:"class,omitempty"`
	Caption string     `json:"caption,omitempty"`
	Note    string     `json:"note,omitempty"` // below the table
	Head    []string   `json:"head"`
	Rows    [][]string `json:"rows"`            // the first cell of each is its name
	Links   []string   `json:"links,omitempty"` // where the names of the rows lead, empty: nowhere
}

// Charts collects charts.
type Charts []Chart

// Add adds a chart, if there is something to draw.
func (all *Charts) Add(c Chart, ok bool) {
	if ok {
		*all = append(*all, c)
	}
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

func fromTo(low, high float64) string { return result.Number(low) + " to " + result.Number(high) }
