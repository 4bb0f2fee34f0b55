package chart

import (
	"fmt"
	"time"

	"flashdex/result"
)

// Added is how many things were added in a month.
type Added struct {
	Month string // YYYY-MM
	N     int64
}

// maxMonthTicks is how many months fit next to each other on a phone.
const maxMonthTicks = 5

// Growth draws how many things there were at the end of each month. counted names them. months are in order; in a
// missing month nothing was added. ok is false if there is nothing to draw.
func Growth(id, title, counted string, months []Added) (c Chart, ok bool) {
	if len(months) == 0 {
		return Chart{}, false
	}
	first, last := monthNumber(months[0].Month), monthNumber(months[len(months)-1].Month)
	var total int64
	for _, m := range months {
		total += m.N
	}
	x := scale{low: 0, high: 1.1 * float64(last-first+1)} // with room for the last label
	y, yTicks := linearScale(float64(total))
	c = Chart{
		ID: id, Title: title, Height: lineHeight, Plot: linePlot,
		X: Axis{Name: "end of month"}, Y: Axis{counted, y.upward(yTicks, linePlot)},
		Table: Table{Head: []string{"Month", "New", "In all"}},
	}
	places := []place{{0, y.down(0, linePlot)}}
	sum, next := int64(0), 0
	every := (last - first + maxMonthTicks) / maxMonthTicks
	for month := first; month <= last; month++ {
		added := int64(0)
		if monthNumber(months[next].Month) == month {
			added = months[next].N
			next++
		}
		sum += added
		at := float64(month - first + 1)
		places = append(places, place{x.at(at), y.down(float64(sum), linePlot)})
		name := fmt.Sprintf("%04d-%02d", month/12, month%12+1)
		if (last-month)%every == 0 {
			c.X.Ticks = append(c.X.Ticks, Tick{x.percent(at), name})
		}
		c.Table.Rows = append(c.Table.Rows, []string{name, result.Count(int(added)), result.Count(int(sum))})
	}
	c.Paths = []Path{{Main, line(places)}}
	end := c.Table.Rows[len(c.Table.Rows)-1]
	c.Desc = fmt.Sprintf("%s: %s at the end of %s, %s at the end of %s.", title, c.Table.Rows[0][2], c.Table.Rows[0][0], end[2], end[0])
	return c, true
}

// monthNumber counts months from year 0 on. It is 0 for any other text.
func monthNumber(month string) int {
	at, err := time.Parse("2006-01", month)
	if err != nil {
		return 0
	}
	return at.Year()*12 + int(at.Month()) - 1
}
