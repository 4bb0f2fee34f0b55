package model_test

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"flashdex/api/figure/model"
	"flashdex/api/submission/plausible"
)

// lie is the logarithm by which a forger raises a figure: the most that rule deviates lets pass, however closely others
// agree.
const lie = plausible.MaxScore * plausible.MinSpread

// boldest returns the logarithms by which this many liars may raise a figure and still count. Rule deviates holds
// nobody back if there are too few others, or if the liars are a group of their own. Then they may also claim ten and a
// hundred times the truth.
func boldest(honest, liars int) []float64 {
	if honest+liars > plausible.MinOthers && 4*liars < honest+liars {
		return []float64{lie}
	}
	return []float64{lie, math.Log(10), math.Log(100)}
}

// forged counts the places that modules in the middle of a table gain by the most profitable lie.
func forged(honest, liars, tables int) (gained float64) {
	for _, lie := range boldest(honest, liars) {
		gained = max(gained, forgedBy(lie, honest, liars, tables))
	}
	return gained
}

func forgedBy(lie float64, honest, liars, tables int) (gained float64) {
	n := 0.0
	for table := range tables {
		d := world{confounded: 0.85, each: honest}.at(100, table)
		c := model.Calibrate(d.shares(), d.classes(), model.RandomWrites)
		before, ranked := placed(c, d.shares())
		for target, place := range before {
			if !ranked[target] || place.order < 41 || place.order > 60 || target%4 != 0 {
				continue
			}
			shares := d.shares()
			for i := range liars {
				s := shares[target][i%len(shares[target])]
				s.LogRate, s.Cards, s.Scatter, s.Contributors, s.Classes = d.truth[target]+lie, 1, 0, 1, 1
				shares[target] = append(shares[target], s)
			}
			after, _ := placed(c, shares) // calibrations are made once a night
			gained += float64(place.order - after[target].order)
			n++
		}
	}
	return gained / n
}

type orderedPlace struct {
	model.Place
	order int
}

func placed(c *model.Calibration, shares [][]model.Share) (places []orderedPlace, ranked []bool) {
	estimates := make([]model.Estimate, len(shares))
	ranked = make([]bool, len(shares))
	for i := range shares {
		m, _ := c.Module(shares[i])
		estimates[i], ranked[i] = c.Standard(&m), m.Contributors >= model.RankedFrom
	}
	for i, place := range c.Places(estimates, ranked) {
		p := orderedPlace{Place: place, order: 1}
		for j := range estimates {
			if ranked[j] && estimates[j].LogRate > estimates[i].LogRate {
				p.order++
			}
		}
		places = append(places, p)
	}
	return places, ranked
}

// The tables of lies and of secrets in docs/trust.md have the model's numbers. The more honest contributors a module
// has, the more a lie costs. From one network on one date only one contributor counts, so at most networks times dates
// of one person's secrets count.
func TestLiesGainThePlacesThatAreDocumented(t *testing.T) {
	document, err := os.ReadFile("../../../docs/trust.md")
	if err != nil {
		t.Fatal(err)
	}
	cells, known := 0, map[[2]int]float64{} // the places by honest contributors and liars
	for line := range strings.Lines(string(document)) {
		var row []int
		for _, cell := range strings.Split(strings.Trim(line, "| \n"), " | ") {
			n, err := strconv.Atoi(strings.TrimSuffix(cell, " places up"))
			if err != nil {
				row = nil
				break
			}
			row = append(row, n)
		}
		var liars []int
		honest := 10
		switch len(row) {
		case 5: // honest contributors, and the places by 1, 3, 10 and 100 liars
			honest, liars, row = row[0], []int{1, 3, 10, 100}, row[1:]
		case 7: // secrets, networks, the places before, and now by the 1st, 3rd, 10th and 100th date
			secrets, networks := row[0], row[1]
			liars, row = []int{secrets}, row[2:]
			for _, dates := range []int{1, 3, 10, 100} {
				liars = append(liars, min(secrets, networks*dates))
			}
		}
		for i, n := range liars {
			cells++
			of := [2]int{honest, n}
			if _, is := known[of]; !is {
				known[of] = forged(honest, n, 20)
			}
			if got := known[of]; math.Abs(got-float64(row[i])) > 0.6 {
				t.Errorf("%d liars among %d honest contributors gain %.2f places, and the document says %d: %s", n, honest, got,
					row[i], line)
			}
		}
	}
	if cells != 3*4+10*5 {
		t.Errorf("%d cells", cells)
	}
}
