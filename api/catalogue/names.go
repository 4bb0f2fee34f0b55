package catalogue

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

const (
	maxField = 64  // shown characters of a typed or reported field
	maxRead  = 256 // read characters of a typed field: ratings are often at its end
	maxSlug  = 80
)

// clean turns any text into plain data: valid UTF-8 with single spaces, without control, formatting or bidirectional
// characters, and at most 64 characters long. It does not escape; printing does.
func clean(s string) string { return cleanTo(s, maxField) }

func cleanTo(s string, runes int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || unicode.Is(unicode.Cc, r):
			return ' '
		case !unicode.IsPrint(r): // formatting characters, surrogates, private use, unassigned
			return -1
		}
		return r
	}, strings.ToValidUTF8(s[:min(len(s), 64*runes)], " "))
	kept := []rune(strings.Join(strings.Fields(s), " "))
	return strings.TrimSpace(string(kept[:min(len(kept), runes)]))
}

var (
	reRate     = regexp.MustCompile(`(\d+)\s*m[bi]?b?(/s|ps)\b`)
	reCapacity = regexp.MustCompile(`\b(\d+(?:\.\d+)?)\s*(tib|tb|gib|gb|go|g|mib|mb|gigs?|gigabytes?)\b`)
	reToken    = regexp.MustCompile(`[\p{L}\p{N}]+(?:\.\d+)*`)
	reClass    = regexp.MustCompile(`^c(2|4|6|10)$`)
	reRating   = regexp.MustCompile(`^(?:(class)(2|4|6|10)|(u)([13])|(v)(6|10|30|60|90)|(a)([12])|()(\d+)mbs)$`)

	// rewrites apply to a product in this order before it is split into words. Each pattern applies only if the text
	// contains one of the strings in needs, which saves most patterns for most names.
	rewrites = []struct {
		needs   []string
		pattern *regexp.Regexp
		by      string
	}{
		{[]string{"™", "®", "©", "("}, regexp.MustCompile(`[™®©]|\((?:r|tm)\)`), " "},
		{[]string{"µ", "μ"}, regexp.MustCompile(`[µμ]`), "micro"},
		// An adapter in the box is not part of the name, and its "+" is no "Plus".
		{[]string{"adapt"}, regexp.MustCompile(
			`(?:\+|&|/|\b(?:w/|w|in|with|and|incl|including|includes|plus|mit|avec|con)\b\.?)*\s*(?:an?\s+)?` +
				`(?:(?:full[\s-]?size|sd|card)\s+)*\badapt[eo]rs?\b`), " "},
		{[]string{"+"}, regexp.MustCompile(`\+`), " plus "},
		{[]string{"micro"}, regexp.MustCompile(`\bmicro[\s-]*sd`), "microsd"},
		{[]string{"memory", "flash"},
			regexp.MustCompile(`\b(?:flash[\s-]*memory|memory|flash)[\s-]*(cards?|drives?|sticks?)\b`), " $1 "},
		{[]string{"thẻ", "карта", "tarjeta", "cart", "memoria", "speicher"}, regexp.MustCompile(
			`thẻ nhớ|карта памяти|` +
				`\b(?:tarjeta(?: de memoria)?|cart[ae](?: m[eé]moire)?|memoria|speicherkarte)(?:\s|$)`), " card "},
		{[]string{"pack"}, regexp.MustCompile(`\b\d[\s-]*pack\b`), " "},
		{[]string{"class"}, regexp.MustCompile(`\bclass\s+(a[12])\b`), " $1 "},
		{[]string{"drive"}, regexp.MustCompile(`\b(?:pen|thumb)[\s-]*drives?\b`), " drive "},
		{[]string{"speed", "uhs"}, regexp.MustCompile(
			`\b(?:uhs[\s-]*)?speed\s+(?:class|grade)\s*([13])\b|\buhs[\s-]*(?:class|grade)\s*([13])\b`), " u$1$2 "},
		{[]string{"cl"}, regexp.MustCompile(`\bcl(?:asse?)?[\s-]*(2|4|6|10)\b`), " class$1 "},
		{[]string{"uhs"}, regexp.MustCompile(`\buhs[\s-]*(?:1|i)\b`), " uhsi "},
		{[]string{"uhs"}, regexp.MustCompile(`\buhs[\s-]*(?:2|ii)\b`), " uhsii "},
	}
	// reFitFor matches a part of a list that only names a use: ", 4K," but not "4K Camera Pro".
	reFitFor = regexp.MustCompile(`^\s*(?:full hd|fhd|4k|5k|8k|uhd|4k uhd)\s*$`)
	reParts  = regexp.MustCompile(`[,;|]|\s-\s`)
)

// generic words name the kind of a module, never the product.
var generic = strings.Fields("microsd microsdhc microsdxc microsdcard sd sdhc sdxc sdcard hc xc tf " +
	"card cards memorycard drive flashdrive stick usb")

// sales words surround a name and are no part of it. Every card without UHS-II has UHS-I.
var sales = strings.Fields("up to i uhs uhsi new genuine original")

// tokens splits a product into the words for comparison, and the capacity in GB that it names (0 for none, negative for
// two). It moves the application class to the end.
func tokens(product string) (words []string, capacityGB float64) {
	s := strings.ToLower(cleanTo(product, maxRead))
	if strings.ContainsAny(s, ",;|-") {
		s = strings.Join(without(reParts.Split(s, -1), reFitFor.MatchString), " , ")
	}
	for _, r := range rewrites {
		if slices.ContainsFunc(r.needs, func(part string) bool { return strings.Contains(s, part) }) {
			s = r.pattern.ReplaceAllString(s, r.by)
		}
	}
	s = reRate.ReplaceAllString(s, " ${1}mbs ")
	bare := reCapacity.ReplaceAllStringFunc(s, func(match string) string {
		switch gb := parseCapacity(reCapacity.FindStringSubmatch(match)); {
		case capacityGB == 0:
			capacityGB = gb
		case gb != 0 && gb != capacityGB:
			capacityGB = -1
		}
		return " "
	})
	if reToken.MatchString(bare) { // otherwise the capacity is the name
		s = bare
	}
	var last []string
	for _, w := range reToken.FindAllString(s, -1) {
		switch {
		case w == "a1" || w == "a2":
			last = appendNew(last, w)
		case reClass.MatchString(w):
			words = append(words, "class"+w[1:])
		default:
			words = append(words, w)
		}
	}
	return append(words, last...), capacityGB
}

// withoutGeneric removes the words that occur in the name of every card.
func withoutGeneric(words []string) []string {
	return without(words, func(w string) bool { return slices.Contains(generic, w) })
}

// withoutSales also removes the words of sales.
func withoutSales(words []string) []string {
	return without(withoutGeneric(words), func(w string) bool { return slices.Contains(sales, w) })
}

// withoutRatings also removes ratings, except for the application class. The rest names the product.
func withoutRatings(words []string) []string {
	return without(withoutSales(words), func(w string) bool {
		return reRating.MatchString(w) && applicationClass([]string{w}) == ""
	})
}

// applicationClass returns the first application class among words, "a1" or "a2", or "".
func applicationClass(words []string) string {
	class, _ := first(words, func(w string) bool { return w == "a1" || w == "a2" })
	return class
}

func without(words []string, drop func(string) bool) []string {
	return slices.DeleteFunc(slices.Clone(words), drop)
}

// joined makes different spellings of a name equal.
func joined(words []string) string { return strings.Join(words, "") }

// SlugOf makes a safe slug from words. If letters are lost, or the slug is too long or taken, it appends a checksum of
// the words to keep different modules apart.
func SlugOf(words []string, taken func(string) bool) string {
	identity := strings.Join(words, " ")
	lossy := false
	slug := strings.Join(strings.FieldsFunc(strings.ToLower(identity), func(r rune) bool {
		ascii := r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r))
		lossy = lossy || (!ascii && r >= 0x80)
		return !ascii
	}), "-")
	if lossy || len(slug) > maxSlug || slug == "" || taken(slug) {
		sum := sha256.Sum256([]byte(identity))
		slug = strings.Trim(strings.TrimRight(slug[:min(len(slug), maxSlug-9)], "-")+"-"+hex.EncodeToString(sum[:4]), "-")
	}
	return slug
}

// index makes a module known by its slug, its names and its ids.
func (c *Catalogue) index(m Module) {
	c.modules[m.Slug] = m
	for _, spelling := range append([]string{m.Product}, m.Aliases...) {
		words := c.wordsOf(m.Vendor, spelling)
		key := nameKey{m.Vendor, joined(words)}
		c.names[key] = append(c.names[key], m)
		if class := applicationClass(words); class != "" {
			base := strings.TrimSuffix(joined(withoutRatings(words)), class)
			c.withClass[nameKey{m.Vendor, base}] = true
		}
	}
	for _, id := range c.idsOf(m) {
		c.ids[id] = append(c.ids[id], m)
	}
}

// wordsOf returns the words of a product's spelling without its vendor's name.
func (c *Catalogue) wordsOf(vendor, spelling string) []string {
	words, _ := tokens(spelling)
	if named, rest, ok := c.vendors.split(words); ok && named == vendor {
		return rest
	}
	return words
}

// idsOf returns the ids that only a module carries.
func (c *Catalogue) idsOf(m Module) (ids []string) {
	for _, id := range slices.Concat(m.CID, m.USB) {
		ids = append(ids, evidenceKey(id))
	}
	for _, model := range m.ATA {
		ids = append(ids, c.ataKey(model))
	}
	return ids
}

// evidenceKey normalizes an identifier. Case doesn't matter.
func evidenceKey(s string) string { return strings.ToLower(clean(s)) }

// one returns the module with this capacity and form if there is only one. A module that states the form comes first.
func one(modules []Module, capacityGB float64, form wantedForm) (Module, bool) {
	fits := slices.DeleteFunc(slices.Clone(modules), func(m Module) bool {
		return m.CapacityGB != capacityGB || !form.allows(m)
	})
	fits = slices.CompactFunc(fits, func(a, b Module) bool { return a.Slug == b.Slug }) // several spellings alike
	exact := slices.DeleteFunc(slices.Clone(fits), func(m Module) bool { return m.Form != form.stated || m.FormUnstated })
	for _, found := range [][]Module{exact, fits} {
		if len(found) == 1 {
			return found[0], true
		}
	}
	return Module{}, false
}
