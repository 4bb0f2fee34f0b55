package publish

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/result"
)

// csvRow is a row of a table of the data set, by column.
type csvRow map[string]string

// number is the number of a column; 0: there is none.
func (r csvRow) number(column string) float64 {
	v, _ := strconv.ParseFloat(r[column], 64)
	return v
}

// figure reads a figure from the table figures. A figure without a value has no rate.
func (r csvRow) figure(key string) (f figure.Figure) {
	f = figure.Figure{Value: r.number(key), N: int(max(r.number("units"), r.number(key+"_published_n"))),
		AtLeast: r[key+"_at_least"] == "true", Confidence: r.number(key + "_confidence")}
	low, high := r.number(key+"_low"), r.number(key+"_high")
	switch {
	case f.Value == 0: // the least and the greatest of figures that measured different things
		f.Value, f.To = low, high
	case high > 0:
		f.Low, f.High = &low, &high
	}
	return f
}

// hasUnits reports whether a figure of the row may be of n units, as printed; empty: the page doesn't say.
func (r csvRow) hasUnits(n string) bool {
	units := printed(n)
	return n == "" || units > 0 && units <= r.number("units") || slices.ContainsFunc(figure.Metrics,
		func(m figure.Metric) bool {
			return r[m.Key+"_published_n"] != "" && r.number(m.Key+"_published_n") == units
		})
}

var rePrice = regexp.MustCompile(`([A-Z]{3}) ([\d.]+) \(\d+\)`)

// price is the median in a currency; 0: nobody knows any.
func (r csvRow) price(currency string) (price float64) {
	for _, p := range rePrice.FindAllStringSubmatch(r["prices"], -1) {
		if p[1] == currency {
			price, _ = strconv.ParseFloat(p[2], 64)
		}
	}
	return price
}

// placed reports whether a row has a place by a score.
func (r csvRow) placed(score figure.Figure) bool {
	if r["method"] == catalogue.MethodExpected {
		return !score.AtLeast || score.HasInterval()
	}
	return r["units"] != "" && r["not_ranked"] == ""
}

var (
	reTerm  = regexp.MustCompile(`([\d,]+)(?: MB)? / (.+?)(?: \+|$)`)
	reLimit = regexp.MustCompile(`; only where the (.+) (took at most|is surely at least) ([\d,]+) `)
)

// score computes a score by the formula that a page prints, at prices in a currency, in a slot with a rate in MB/s
// (carries; 0: nobody knows). known is false if the row lacks a figure or a price, or if a limit in the formula leaves
// it out.
func (r csvRow) score(formula, currency string, carries float64) (s figure.Figure, known bool) {
	known = true
	named := func(name string) figure.Figure { // the figure with this name in the formula
		for _, m := range figure.Metrics {
			if name == m.Name || name == m.Name+" in "+m.Unit {
				f := r.figure(m.Key)
				if carries > 0 && m.Unit == "MB/s" {
					f = f.Through(carries)
				}
				known = known && f.Value > 0 && f.To == 0
				return f
			}
		}
		known = false
		return figure.Figure{}
	}
	if m := reLimit.FindStringSubmatch(formula); m != nil {
		if lowest, _ := named(m[1]).Ends(); m[2] == "is surely at least" {
			known = known && lowest >= printed(m[3])
		} else if r["units"] == "" { // no published figure says how long a module stands still
			known = true
		} else {
			known = known && named(m[1]).Value <= printed(m[3])
		}
	}
	formula, _, _ = strings.Cut(formula, ";")
	if terms, ok := strings.CutPrefix(formula, "seconds = "); ok {
		var low, high float64
		for _, m := range reTerm.FindAllStringSubmatch(terms, -1) {
			f, amount := named(m[2]), printed(m[1])
			slow, fast := f.Ends()
			if f.AtLeast {
				_, fast = f.Span()
				s.AtMost = true
			}
			s.Value, low, high = s.Value+amount/f.Value, low+amount/fast, high+amount/slow
		}
		if low < high {
			s.Low, s.High = &low, &high
		}
		if s.AtMost {
			s.Value = high
		}
		return s, known
	}
	if name, ok := strings.CutSuffix(formula, ", at the lower end of its interval (or its value, if it has none)"); ok {
		f := named(name)
		s.Value, _ = f.Ends()
		s.Low, s.High, s.AtLeast = f.Low, f.High, f.AtLeast
		return s, known
	}
	price := r.price(currency)
	name, _, per := strings.Cut(formula, " / price in ")
	if !per {
		return figure.Figure{Value: price}, known && price > 0
	}
	f := named(name)
	if s.Value = f.Value / price; f.HasInterval() {
		s.Low, s.High = new(*f.Low/price), new(*f.High/price)
	}
	return s, known && price > 0
}

// placeAmong places a score behind all scores whose intervals are wholly better, and before all whose intervals are
// wholly worse. Scores within slack of its interval's ends are as good.
func placeAmong(all []figure.Figure, score figure.Figure, higher bool, slack float64) figure.Figure {
	first, last := 1, len(all)
	low, high := score.Span()
	for _, other := range all {
		least, greatest := other.Span()
		if above, below := least > high*(1+slack), greatest*(1+slack) < low; higher && above || !higher && below {
			first++
		} else if above || below {
			last--
		}
	}
	place := figure.Figure{Value: float64(first)}
	if last > first {
		place.To = float64(last)
	}
	return place
}

// mayBe counts the scores that no other score surely beats; 0: there is only one, or none.
func mayBe(all []figure.Figure, higher bool) (n float64) {
	ends := func(f figure.Figure) (sure, possible float64) {
		if sure, possible = f.Span(); !higher {
			return -possible, -sure
		}
		return sure, possible
	}
	most := math.Inf(-1)
	for _, f := range all {
		sure, _ := ends(f)
		most = max(most, sure)
	}
	for _, f := range all {
		if _, possible := ends(f); possible >= most {
			n++
		}
	}
	if n == 1 {
		return 0
	}
	return n
}

// printed reads a number of a page.
func printed(text string) float64 {
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

var (
	reTag    = regexp.MustCompile(`<[^>]*>`)
	reNumber = regexp.MustCompile(`\d+(?:,\d{3})*(?:\.\d+)?`)
)

// sixDigits is how far a number may be from one that was computed from numbers with six digits.
const sixDigits = 1e-5

// shows reports whether a text contains exactly the numbers of a figure.
func shows(text string, f figure.Figure) bool {
	numbers := []float64{f.Value}
	if f.To > 0 {
		numbers = append(numbers, f.To)
	}
	if f.HasInterval() && !f.AtMost {
		if f.Confidence > 0 && f.Confidence < 0.95 {
			numbers = append(numbers, math.Round(100*f.Confidence))
		}
		numbers = append(numbers, *f.Low, *f.High)
	}
	if f.N > 0 {
		numbers = append(numbers, float64(f.N))
	}
	shown := reNumber.FindAllString(reTag.ReplaceAllString(text, " "), -1)
	if len(shown) != len(numbers) || strings.Contains(text, "≥") != f.AtLeast ||
		strings.Contains(text, "≤") != f.AtMost {
		return false
	}
	for i, v := range numbers {
		if n := shown[i]; printed(n) != v && n != result.Number(v) && n != result.Number(v*(1-sixDigits)) &&
			n != result.Number(v*(1+sixDigits)) {
			return false
		}
	}
	return true
}
