package catalogue

import (
	"slices"
	"strconv"
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
	for _, rate := range []int{m.RatedReadMBPerS, m.RatedWriteMBPerS} {
		if rate > 0 {
			r[""] = append(r[""], rate)
		}
	}
	return r
}

// fit reports whether a typed name with these ratings can mean the module m. No rating may contradict the catalogue,
// but m may lack a Speed, UHS or Video Class. It may not lack an advertised rate: vendors sell a line under the same
// name with another rate every few years, so "Extreme PRO 170MB/s" only means a module that is listed with 170.
func (typed ratings) fit(m Module) bool {
	for family, values := range typed {
		stated := m.ratings[family]
		lacks := len(stated) == 0 && family != ""
		if !lacks && !slices.ContainsFunc(values, func(v int) bool { return slices.Contains(stated, v) }) {
			return false
		}
	}
	return true
}
