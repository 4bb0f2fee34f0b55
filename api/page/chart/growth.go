package chart

import (
	"fmt"
	"time"

	"flashdex/result"
)

// maxMonthTicks is how many months fit next to each other on a phone.
const maxMonthTicks = 5

// Growth draws how many things there were at the end of each month. counted names the things. n says how many were
// added in each of the months, which are in order and written YYYY-MM. Nothing was added in missing months. ok is false
// if there is nothing to draw.
func Growth(id, title, counted string, months []string, n []int64) (c Chart, ok bool) {
	if len(months) == 0 {
		return Chart{}, false
	}
	added, total := map[string]int64{}, int64(0)
	for i, month := range months {
		added[month] += n[i]
		total += n[i]
	}
	const layout = "2006-01"
	at, err := time.Parse(layout, months[0])
	names := []string{months[0]}
	for last := months[len(months)-1]; err == nil && names[len(names)-1] < last; {
		at = at.AddDate(0, 1, 0)
		names = append(names, at.Format(layout))
	}
	d := drawing{
		Chart: Chart{Title: title, Numbers: Numbers{Head: []string{"Month", "New", "In all"}}}, id: id, plot: linePlot,
		x: scale{0, 1.1 * float64(len(names)), false}.labelled("end of month", nil), // leaves room for the last label
		y: linearScale(counted, float64(total)),
	}
	points := []point{{0, 0}}
	every := (len(names) - 1 + maxMonthTicks) / maxMonthTicks
	sum := int64(0)
	for i, name := range names {
		sum += added[name]
		points = append(points, point{float64(i + 1), float64(sum)})
		if (len(names)-1-i)%every == 0 {
			d.x.ticks = append(d.x.ticks, tick{float64(i + 1), name})
		}
		d.row(name, result.Count(int(added[name])), result.Count(int(sum)))
	}
	d.path(Main, d.curve(points))
	start, end := d.Numbers.Rows[0], d.Numbers.Rows[len(names)-1]
	return d.finish(fmt.Sprintf("%s: %s at the end of %s, %s at the end of %s.",
		title, start[2], start[0], end[2], end[0]))
}
