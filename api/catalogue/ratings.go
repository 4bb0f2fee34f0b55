package catalogue

import (
	"slices"
	"strconv"
)

// ratings are what is printed on a module beside its name, by family: "class" (Speed Class), "u", "v", "a" and "" (an
// advertised rate in MB/s).
type ratings map[string][]int

// add takes a word for what it rates, and ignores other words.
func (r ratings) add(word string) {
	if m := reRating.FindStringSubmatch(word); m != nil {
		for i := 1; i < len(m); i += 2 {
			if n, err := strconv.Atoi(m[i+1]); err == nil && !slices.Contains(r[m[i]], n) {
				r[m[i]] = append(r[m[i]], n)
			}
		}
	}
}

func ratingsOf(words []string) ratings {
	r := ratings{}
	for _, w := range words {
		r.add(w)
	}
	return r
}

// ratingsOfModule are its classes, the ratings in its name, and its rated speeds.
func ratingsOfModule(m Module) ratings {
	r := ratings{}
	for _, text := range append([]string{m.Product}, m.Classes...) {
		words, _ := tokens(text)
		for _, w := range words {
			r.add(w)
		}
	}
	for _, rate := range []int{m.RatedReadMBPerS, m.RatedWriteMBPerS} {
		if rate > 0 {
			r[""] = append(r[""], rate)
		}
	}
	return r
}

// fits reports whether somebody who typed these ratings can mean the module m. None may contradict what the catalogue
// says of m, which may be silent on Speed, UHS and Video Class. It may not be silent on an advertised rate: under one name
// a line is sold with another rate every few years, so "Extreme PRO 170MB/s" is only a module that is listed with 170.
func (c *Catalogue) fits(typed ratings, m Module) bool {
	own := c.ratings[m.Slug]
	for family, values := range typed {
		stated := own[family]
		if len(stated) == 0 && family != "" {
			continue
		}
		if !slices.ContainsFunc(values, func(v int) bool { return slices.Contains(stated, v) }) {
			return false
		}
	}
	return true
}
