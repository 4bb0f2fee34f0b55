package catalogue

import (
	"slices"
	"strings"
)

// vendors maps spellings to vendors.
type vendors map[string]string // joined spelling to name

// corporate words at the end of a vendor's name don't distinguish vendors.
var corporate = strings.Fields("inc corp corporation ltd co company limited gmbh technology technologies")

func vendorKey(name string) string {
	words := reToken.FindAllString(spelledOut(strings.ToLower(clean(name))), -1)
	for len(words) > 1 && slices.Contains(corporate, words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	for i, w := range words {
		if latin := translated[w]; latin != "" {
			words[i] = latin
		}
	}
	return joined(words)
}

func (v vendors) add(f vendorFile) {
	for _, spelling := range append([]string{f.Vendor}, f.Aliases...) {
		v[vendorKey(spelling)] = f.Vendor
	}
}

// named returns the vendor with this spelling, or the cleaned spelling of an unknown one.
func (v vendors) named(spelling string) (name string, known bool) {
	if name, ok := v[vendorKey(spelling)]; ok && name != "" {
		return name, true
	}
	return clean(spelling), false
}

// shortName is the length up to which a word counts as a vendor's name only in front of a product: "SP", "OV".
const shortName = 3

// longName is the length from which a vendor's name is found even if it is joined to the product's name.
const longName = 6

// split removes a vendor's name from a product's words. It looks behind generic words ("micro SD card Samsung") first,
// then anywhere. A short name may stand behind numbers and ratings, which name no product ("Class 10 PNY"). The name
// may stand there twice. At least one word remains.
func (v vendors) split(words []string) (vendor string, rest []string, ok bool) {
	before := slices.IndexFunc(words, func(w string) bool { return !generic[w] && !sales[w] })
	if before < 0 {
		return "", words, false
	}
	product := slices.IndexFunc(words, func(w string) bool {
		return !generic[w] && !sales[w] && !reRating.MatchString(w) && strings.Trim(w, "0123456789.") != ""
	})
	for at := before; at < len(words); at++ {
		for n := min(3, len(words)-1, len(words)-at); n > 0; n-- {
			key := joined(words[at : at+n])
			name := v[key]
			if name == "" || at > max(before, product) && len(key) <= shortName {
				continue
			}
			rest = slices.Concat(words[:at], words[at+n:])
			if again, twice, more := v.split(rest); more && again == name {
				rest = twice
			}
			return name, rest, true
		}
	}
	for i, w := range words { // "SanDiskUltra"
		for n := len(w) - 1; n >= longName; n-- {
			if name := v[w[:n]]; name != "" {
				return name, slices.Concat(words[:i], []string{w[n:]}, words[i+1:]), true
			}
		}
	}
	return "", words, false
}
