package catalogue

import (
	"slices"
	"strings"
)

// vendors maps spellings and SD ids to vendors.
type vendors struct {
	names map[string]string // joined spelling to name
	sdIDs map[string]string // "0x03/SD" to name
}

// corporate words at the end of a vendor's name don't distinguish vendors.
var corporate = strings.Fields("inc corp corporation ltd co company limited gmbh technology technologies")

func vendorKey(name string) string {
	words := reToken.FindAllString(strings.ToLower(clean(name)), -1)
	for len(words) > 1 && slices.Contains(corporate, words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	return joined(words)
}

func (v *vendors) add(f vendorFile) {
	for _, spelling := range append([]string{f.Vendor}, f.Aliases...) {
		v.names[vendorKey(spelling)] = f.Vendor
	}
	for _, id := range f.SDIDs {
		v.sdIDs[id] = f.Vendor
	}
}

// named returns the vendor with this spelling, or the cleaned spelling of an unknown one.
func (v *vendors) named(spelling string) (name string, known bool) {
	if name, ok := v.names[vendorKey(spelling)]; ok && name != "" {
		return name, true
	}
	return clean(spelling), false
}

// split removes a vendor's name from the beginning of a product's words. Only generic words ("micro SD card") may
// precede the name. At least one word remains.
func (v *vendors) split(words []string) (vendor string, rest []string, ok bool) {
	before := slices.IndexFunc(words, func(w string) bool { return !slices.Contains(generic, w) })
	if before < 0 {
		return "", words, false
	}
	named := words[before:]
	for n := min(3, len(words)-1, len(named)); n > 0; n-- {
		if name := v.names[joined(named[:n])]; name != "" {
			return name, slices.Concat(words[:before], named[n:]), true
		}
	}
	return "", words, false
}
