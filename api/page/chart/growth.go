package chart

import (
	"fmt"
	"time"

	"flashdex/result"
)

// maxMonthTicks is how many months fit next to each other on a phone.
const maxMonthTicks = 5

// Growth draws how many things there were at the end of each month. counted names them. n says how many were added in
// each of the months, YYYY-MM and in order; in a missing month nothing was. ok is false if there is nothing to draw.
func Growth(id, title, counted string, months []string, n []int64) (c Chart, ok bool) {
	if len(months) == 0 {
		return Chart{}, false
	}
	first, last := monthNumber(months[0]), monthNumber(months[len(months)-1])
	added, total := map[int]int64{}, int64(0)
	for i, month := range months {
		added[monthNumber(month)] += n[i]
		total += n[i]
	}
	d := drawing{
		Chart: Chart{Title: title, Numbers: Numbers{Head: []string{"Month", "New", "In all"}}}, id: id, plot: linePlot,
		x: scale{0, 1.1 * float64(last-first+1), false}.labelled("end of month", nil), // with room for the last label
		y: linearScale(counted, float64(total)),
	}
	points := []point{{0, 0}}
	every := (last - first + maxMonthTicks) / maxMonthTicks
	sum := int64(0)
	for month := first; month <= last; month++ {
		sum += added[month]
		at, name := float64(month-first+1), fmt.Sprintf("%04d-%02d", month/12, month%12+1)
		points = append(points, point{at, float64(sum)})
		if (last-month)%every == 0 {
			d.x.ticks = append(d.x.ticks, tick{at, name})
		}
		d.row(name, result.Count(int(added[month])), result.Count(int(sum)))
	}
	d.path(Main, d.curve(points))
	start, end := d.Numbers.Rows[0], d.Numbers.Rows[last-first]
	return d.finish(fmt.Sprintf("%s: %s at the end of %s, %s at the end of %s.",
		title, start[2], start[0], end[2], end[0]))
}

// monthNumber counts months from year 0 on. It is 0 for any other text.
func monthNumber(month string) int {
	at, err := time.Parse("2006-01", month)
	if err != nil {
		return 0
	}
	return at.Year()*12 + int(at.Month()) - 1
}
