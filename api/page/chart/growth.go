package chart

import (
	"fmt"
	"strconv"

	"flashdex/result"
)

// Added is how many of something came in a month.
type Added struct {
	Month string // YYYY-MM
	N     int64
}

// maxMonthTicks is how many months fit side by side on a phone.
const maxMonthTicks = 5

// Growth draws how many of something there were at the end of each month; what is counted says of what. Months are in order, and one that is
// missing added nothing. ok is false if there is nothing to draw.
func Growth(id, title, counted string, months []Added) (c Chart, ok bool) {
	if len(months) == 0 {
		return Chart{}, false
	}
	first, last := ordinal(months[0].Month), ordinal(months[len(months)-1].Month)
	var total int64
	for _, m := range months {
		total += m.N
	}
	x := scale{low: 0, high: 1.1 * float64(last-first+1)} // with room for the last label
	y, yTicks := linearScale(float64(total))
	c = Chart{ID: id, Title: title, Height: lineHeight, Plot: linePlot, X: Axis{Name: "end of month", Ticks: []Tick{}}, Y: Axis{counted, y.upward(yTicks, linePlot)}}
	c.Table.Head = []string{"Month", "New", "In all"}
	line := "M0 " + pixels(y.down(0, linePlot))
	so, next := int64(0), 0
	every := (last - first + maxMonthTicks) / maxMonthTicks
	for month := first; month <= last; month++ {
		added := int64(0)
		if ordinal(months[next].Month) == month {
			added = months[next].N
			next++
		}
		so += added
		at := float64(month - first + 1)
		line += "L" + units(x.at(at)) + " " + pixels(y.down(float64(so), linePlot))
		name := fmt.Sprintf("%04d-%02d", month/12, month%12+1)
		if (last-month)%every == 0 {
			c.X.Ticks = append(c.X.Ticks, Tick{x.percent(at), name})
		}
		c.Table.Rows = append(c.Table.Rows, []string{name, strconv.FormatInt(added, 10), strconv.FormatInt(so, 10)})
	}
	c.Paths = []Path{{Main, line}}
	c.Desc = fmt.Sprintf("%s: %s at the end of %s, %s at the end of %s.", title, c.Table.Rows[0][2], c.Table.Rows[0][0], result.Number(float64(total)), months[len(months)-1].Month)
	return c, true
}

// ordinal counts months; 0 for what is none.
func ordinal(month string) (n int) {
	var year, of int
	if _, err := fmt.Sscanf(month, "%d-%d", &year, &of); err != nil {
		return 0
	}
	return year*12 + of - 1
}
