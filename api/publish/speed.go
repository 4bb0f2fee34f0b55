package publish

import (
	"fmt"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/page/chart"
	"flashdex/api/ranking"
	"flashdex/result"
)

// speed is the 4K random write of a module in words, beside a 5400 rpm laptop disk.
type speed struct {
	Value, Disk             string // IOPS; Value may be "161 to 986"
	Several                 bool   // Value covers published figures that measured different things
	Low, High, Confidence   string // of the interval, in percent; empty: none
	Behind                  string // whose units they are, and how far these lie apart; empty: nobody knows
	Method, MethodPath      string
	Faster                  string // "disk", "module", "neither"; empty: nothing was written, or several values
	Times, Takes, DiskTakes string // how many times as fast; how long a thousand operations take
	LeastTimes, MostTimes   string // if Several: how many times as fast as the disk both ends are
	Reasons                 []reason
}

// headFigure returns the 4K random write at the head of a module's page and in its picture. at is its index in
// s.placed[slug].
func (s *site) headFigure(slug string) (at int, e figure.Figure, known bool) {
	return ranking.Speaking(s.moduleRows(slug))
}

// moduleRows returns a module's rows, in the order of the catalogue's methods.
func (s *site) moduleRows(slug string) (rows []*ranking.Row) {
	for _, p := range s.placed[slug] {
		rows = append(rows, p.row)
	}
	return rows
}

// speedOf puts the figure e of a row into words.
func speedOf(method catalogue.Method, r *ranking.Row, e figure.Figure) *speed {
	of := &speed{
		Value: result.Number(e.Value), Confidence: "95", Method: method.Label, MethodPath: methodPath(method.ID),
		Disk: result.Number(chart.LaptopDiskIOPS), DiskTakes: duration(1000 / chart.LaptopDiskIOPS),
		Behind: behindSpeed(r, e),
	}
	if e.To > 0 {
		of.Value, of.Several = span(of.Value, result.Number(e.To)), true
		of.LeastTimes, of.MostTimes = ratio(e.Value/chart.LaptopDiskIOPS), ratio(e.To/chart.LaptopDiskIOPS)
		return of
	}
	if e.HasInterval() {
		of.Low, of.High = result.Number(*e.Low), result.Number(*e.High)
	}
	if e.Confidence > 0 {
		of.Confidence = percent(e.Confidence)
	}
	if e.Value <= 0 {
		return of
	}
	of.Takes = duration(1000 / e.Value)
	switch times := e.Value / chart.LaptopDiskIOPS; {
	case times < 0.95:
		of.Faster, of.Times = "disk", ratio(1/times)
	case times > 1.05:
		of.Faster, of.Times = "module", ratio(times)
	default:
		of.Faster = "neither"
	}
	return of
}

// behindSpeed says how many units and people a row's 4K random write comes from, and between which hosts it lies.
func behindSpeed(r *ranking.Row, e figure.Figure) string {
	if p, ok := r.Printed[figure.RandWriteIOPS]; ok {
		return page.Counted(p.Units, "unit") + " by " + page.Counted(p.People, "author") +
			betweenHosts(p.Least, p.LeastIn, p.Greatest, p.GreatestIn)
	}
	if e.N == 0 {
		return ""
	}
	behind := page.Counted(e.N, "unit")
	if e.Max > 0 {
		behind += " of " + span(result.Number(e.Min), result.Number(e.Max)) + " IOPS"
	}
	switch {
	case r.Contributors == 1:
		behind += " by 1 contributor"
	case r.Independent == r.Contributors:
		behind += " by " + page.Counted(r.Contributors, "independent contributor")
	default:
		behind += fmt.Sprintf(" by %s, %s of them independent", page.Counted(r.Contributors, "contributor"),
			result.Count(r.Independent))
	}
	var least, greatest ranking.InHost
	for _, in := range r.InHosts(figure.RandWriteIOPS) {
		if in.Measured && (least.Label == "" || in.Value < least.Value) {
			least = in
		}
		if in.Measured && in.Value > greatest.Value {
			greatest = in
		}
	}
	if least.Label == "" {
		return behind
	}
	return behind + betweenHosts(least.Value, least.Label, greatest.Value, greatest.Label)
}

// besideHead says how far apart a module's published 4K random writes are, if head doesn't show that. head is the
// figure at the head of its page, in IOPS.
func (s *site) besideHead(slug string, head float64) string {
	all, _ := s.printed(slug, figure.RandWriteIOPS)
	if all.Least >= head && all.Greatest <= head {
		return ""
	}
	return fmt.Sprintf("; in all %s by %s, %s IOPS", page.Counted(len(all.Rows), "published figure"),
		page.Counted(all.People, "author"), span(result.Number(all.Least), result.Number(all.Greatest)))
}

// betweenHosts writes the range from the least IOPS to the greatest: ", by host from 161 IOPS (LEGO EV3) to 986
// (Helios4)".
func betweenHosts(least float64, leastIn string, greatest float64, greatestIn string) string {
	in := func(host string) string {
		if host == "" {
			return ""
		}
		return " (" + host + ")"
	}
	switch {
	case least == greatest:
		return in(leastIn)
	case leastIn == "" || greatestIn == "" || leastIn == greatestIn:
		return ", from " + result.Number(least) + " to " + result.Number(greatest) + " IOPS"
	}
	return ", by host from " + result.Number(least) + " IOPS" + in(leastIn) + " to " + result.Number(greatest) +
		in(greatestIn)
}
