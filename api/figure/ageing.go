package figure

import (
	"math"
	"slices"

	"flashdex/result/ageing"
)

// ageingOf returns the line over years through the runs of one unit by one method, with that over the TB written, or
// nil if they tell too little. It compares only runs that count, in one host and bus mode: another host looks like ageing.
// If there are several such hosts, it takes the one with the most points. Time is the server's, when it received the
// runs: clients' clocks may be years off.
//
// A unit must identify itself. A reader has one tag for all cards of a size, so exchanging the card would look like
// ageing, too.
func ageingOf(runs []Run) (longest *ageing.Line) {
	if runs[0].Tag == "" {
		return nil
	}
	type place struct {
		hostClass, hostKind, board, variant string
		busMBPerS                           float64
	}
	var places []place
	at, rate := map[place][]ageing.Run{}, slices.Index(FigureKeys, RandWriteIOPS)
	for _, r := range runs {
		if !r.Ranked || r.Variant == "" || math.IsNaN(r.Values[rate]) {
			continue
		}
		in := place{r.HostClass, r.HostKind, r.Board, r.Variant, r.BusMBPerS}
		if at[in] == nil {
			places = append(places, in)
		}
		at[in] = append(at[in], ageing.Run{At: r.ReceivedAt, WrittenGB: r.Wear.WrittenGB, WrittenBy: r.Wear.WrittenBy,
			IOPS: r.Values[rate], Error: r.Errors[rate]})
	}
	for _, in := range places {
		if line := ageing.PerYear(at[in]); line != nil && (longest == nil || line.Points > longest.Points) {
			longest = line
		}
	}
	return longest
}

// SetAgeing sets how the rate of a whole module's units changes per year and per TB written, from the lines of the
// units that have one.
func (s *Summary) SetAgeing(units []ageing.Unit) {
	s.AgeingPerYear, s.AgeingPerTB = nil, nil
	var perTB []ageing.Unit
	for _, u := range units {
		if u.PerTB != nil {
			perTB = append(perTB, ageing.Unit{Line: u.PerTB, Owner: u.Owner})
		}
	}
	if len(units) > 0 {
		s.AgeingPerYear = new(ageing.ChangeOf(units))
	}
	if len(perTB) > 0 {
		s.AgeingPerTB = new(ageing.ChangeOf(perTB))
	}
}

// ageingUnits are the units of a module with a line, in any order.
func ageingUnits(members []*member) (units []ageing.Unit) {
	for _, m := range members {
		if m.Ageing != nil {
			units = append(units, ageing.Unit{Line: m.Ageing, Owner: m.contributor})
		}
	}
	return units
}
