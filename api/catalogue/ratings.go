package catalogue

import (
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// ratings are the ratings next to a module's name, by family: "class" (Speed Class), "u", "v", "a" and "" (an
// advertised rate in MB/s).
type ratings map[string][]int

// ratingsIn returns the ratings among words.
func ratingsIn(words []string) ratings {
	r := ratings{}
	for _, w := range words {
		m := reRating.FindStringSubmatch(w)
		for i := 1; i < len(m); i += 2 { // pairs of a family and a number
			if n, err := strconv.Atoi(m[i+1]); err == nil {
				r[m[i]] = appendNew(r[m[i]], n)
			}
		}
	}
	r[""] = slices.DeleteFunc(r[""], func(rate int) bool { // the rate that the class promises: "Class 4, 4MB/s"
		return slices.Contains(r["class"], rate) || slices.Contains(r["v"], rate)
	})
	if len(r[""]) == 0 {
		delete(r, "")
	}
	return r
}

// ratingsOf returns a module's classes, the ratings in its name, and its rated speeds.
func ratingsOf(m Module) ratings {
	var all []string
	for _, text := range append([]string{m.Product}, m.Classes...) {
		words, _ := tokens(text)
		all = append(all, words...)
	}
	r := ratingsIn(all)
	if m.RatedReadMBPerS > 0 {
		r[""] = append(r[""], m.RatedReadMBPerS)
	}
	return r
}

// loadPrintedRates reads the rates at which listed modules were sold under one name.
func (c *Catalogue) loadPrintedRates(fsys fs.FS) error {
	return eachRow(fsys, "printed_rates.csv", func(r *row) error {
		if m, ok := c.modules[r.get("slug")]; ok {
			m.ratings[""] = append(m.ratings[""], int(r.number("read_mb_per_s")))
		}
		return nil
	})
}

// against reports whether a typed name with these ratings can mean the module m, and whether they contradict m, which
// has another class. No rating may differ from the catalogue's, but m may lack a Speed, UHS or Video Class. It may not
// lack an advertised rate: every few years vendors sell a line under the same name with another rate. So "Extreme PRO
// 170MB/s" only means a module that is listed with 170; another rate is another product. The highest rate counts,
// because packages print the rate for reading.
func (typed ratings) against(m Module) (agrees, contradicts bool) {
	if m.states(typed) { // sources may state classes that no card should bear together
		return true, false
	}
	agrees, other := true, false
	for family, values := range typed {
		stated := m.ratings[family]
		if family == "" {
			values = []int{slices.Max(values)}
		}
		none := !slices.ContainsFunc(values, func(v int) bool { return slices.Contains(stated, v) })
		other = other || none && (family == "" || family == "a") // another product
		lacks := len(stated) == 0 && m.mayLack(family, values)
		if none && !lacks || (ratings{family: values}).clash(m.ratings) {
			agrees = false
		}
	}
	return agrees, !agrees && !other
}

// states reports whether the module's sources state each of these ratings.
func (m Module) states(typed ratings) bool {
	for family, values := range typed {
		if slices.ContainsFunc(values, func(v int) bool { return !slices.Contains(m.ratings[family], v) }) {
			return false
		}
	}
	return true
}

// mayLack reports whether the module may have these values of a family although its sources don't mention them. Sources
// always mention a low Speed Class, and a class above V30, which needs UHS-II. Only SD cards have classes.
func (m Module) mayLack(family string, values []int) bool {
	switch family {
	case "":
		return false
	case "class":
		return isSD(m) && slices.Min(values) == 10
	case "u", "v":
		return isSD(m) && slices.Max(values) <= 30
	}
	return true
}

func isSD(m Module) bool { return m.Form == "sd" || m.Form == "microsd" }

// contradictory reports whether no card can bear all of these classes.
func (typed ratings) contradictory() bool {
	for family, values := range typed {
		if len(values) > 1 && family != "" && family != "usb" {
			return true
		}
	}
	return typed.clash(typed)
}

// clash reports whether some of these classes can't be on one card with the others: a Speed Class below 10 beside a
// newer class, or U1, which promises 10 MB/s, beside V30. SD Physical Layer Simplified Specification 9.00, 4.13 and
// 4.15.
func (typed ratings) clash(others ratings) bool {
	for family, values := range typed {
		for other, theirs := range others {
			if slices.ContainsFunc(values, func(v int) bool {
				return !slices.ContainsFunc(theirs, func(w int) bool { return bearBoth(family, v, other, w) })
			}) {
				return true
			}
		}
	}
	return false
}

// goWith reports whether one card may bear these ratings and the others.
func (typed ratings) goWith(others ratings) bool {
	for family, values := range typed {
		theirs := others[family]
		if len(theirs) > 0 && !slices.ContainsFunc(values, func(v int) bool { return slices.Contains(theirs, v) }) {
			return false
		}
	}
	return !typed.clash(others)
}

func bearBoth(family string, v int, other string, w int) bool {
	fast := func(family string, v int) bool { return family == "u" && v == 3 || family == "v" && v >= 30 }
	newer := strings.Fields("u v a")
	switch {
	case family == "class" && slices.Contains(newer, other):
		return v == 10
	case other == "class" && slices.Contains(newer, family):
		return w == 10
	case family == "u" && other == "v", family == "v" && other == "u":
		return fast(family, v) == fast(other, w)
	}
	return true
}

// agree reports whether a typed name with these ratings can mean the module m.
func (typed ratings) agree(m Module) bool {
	agrees, _ := typed.against(m)
	return agrees
}

// RatedKeys names the figures that makers promise, with the names of the measured figures.
var RatedKeys = []string{"rand_write_iops", "rand_read_iops", "seq_write_mb_per_s", "seq_read_mb_per_s"}

// RatedTransfer names a promised rate in MB/s of 10^6 bytes whose direction nobody states. So nothing is compared with
// it.
const RatedTransfer = "transfer_mb_per_s"

// Rated holds figures that a maker promises. The site shows them next to measurements, and no median includes them.
type Rated struct {
	Source  string             `json:"source"`  // key of the data sheet in sources.csv; empty: printed on the module
	Figures map[string]float64 `json:"figures"` // by RatedKeys, or RatedTransfer: IOPS of 4 KiB, or MB/s
	Note    string             `json:"note"`    // the conditions, if the data sheet names them
}

// AllRated returns the figures of data sheets, followed by the speeds that are printed on the module.
func (m Module) AllRated() []Rated {
	printed := Rated{Figures: map[string]float64{
		"seq_read_mb_per_s": float64(m.RatedReadMBPerS), "seq_write_mb_per_s": float64(m.RatedWriteMBPerS),
	}, Note: "printed on it"}
	maps.DeleteFunc(printed.Figures, func(_ string, value float64) bool { return value == 0 })
	if len(printed.Figures) == 0 {
		return m.Rated
	}
	return append(slices.Clone(m.Rated), printed)
}

// RatedFigure returns the promised value for one of RatedKeys, from a data sheet if there is one. 0: nothing is
// promised.
func (m Module) RatedFigure(key string) float64 {
	for _, r := range m.AllRated() {
		if value := r.Figures[key]; value > 0 {
			return value
		}
	}
	return 0
}

// SpeedClass holds the promises of a class that is printed on modules. 0: no promise.
type SpeedClass struct {
	Label             string  // as printed: "A1", "Class 10"
	SeqWriteMBPerS    float64 // 10^6 bytes per second
	RandReadIOPS      float64 // 4 KiB
	RandWriteIOPS     float64 // 4 KiB
	Bus               string  // the bus mode of the promise, in words; may be empty
	BusMBPerS         float64 // rate of the slowest such mode; 0: none is required, or unknown
	NeedsCommandQueue bool    // the promise assumes that the card's command queue and cache are on
	Confirmed         bool    // a source confirms the promise
}

func (c *Catalogue) loadSpeedClasses(fsys fs.FS) error {
	return eachRow(fsys, "speed_classes.csv", func(r *row) error {
		c.SpeedClasses = append(c.SpeedClasses, SpeedClass{
			Label: r.get("label"), SeqWriteMBPerS: r.number("min_seq_mb_per_s"),
			RandReadIOPS: r.number("min_rand_read_iops"), RandWriteIOPS: r.number("min_rand_write_iops"),
			Bus: r.get("bus_requirement"), BusMBPerS: r.number("min_bus_mb_per_s"),
			NeedsCommandQueue: r.get("needs_command_queue") == "yes", Confirmed: r.get("verified") != "NO",
		})
		return nil
	})
}
