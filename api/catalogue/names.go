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
	maxField = 64  // runes of a typed or reported field that are shown
	maxRead  = 256 // runes of a typed field that are read; a rating may stand at its end
	maxSlug  = 80
)

// clean makes any text plain data: valid UTF-8, no control, formatting or bidirectional characters, single spaces, at
// most 64 runes. It does not escape: that is for whoever prints it.
func clean(s string) string { return cleanTo(s, maxField) }

func cleanTo(s string, runes int) string {
	s = s[:min(len(s), 64*runes)]
	var b []rune
	for _, r := range strings.ToValidUTF8(s, " ") {
		switch {
		case unicode.IsSpace(r) || unicode.Is(unicode.Cc, r):
			r = ' '
		case !unicode.IsPrint(r): // formatting characters, surrogates, private use, unassigned
			continue
		}
		if r != ' ' || (len(b) > 0 && b[len(b)-1] != ' ') {
			b = append(b, r)
		}
	}
	b = b[:min(len(b), runes)]
	return strings.TrimSpace(string(b))
}

var (
	reRate     = regexp.MustCompile(`(\d+)\s*m[bi]?b?(/s|ps)\b`)
	reCapacity = regexp.MustCompile(`\b(\d+(?:\.\d+)?)\s*(tib|tb|gib|gb|go|g|mib|mb|gigs?|gigabytes?)\b`)
	reToken    = regexp.MustCompile(`[\p{L}\p{N}]+(?:\.\d+)*`)
	reClass    = regexp.MustCompile(`^c(2|4|6|10)$`)
	reRating   = regexp.MustCompile(`^(?:(class)(2|4|6|10)|(u)([13])|(v)(6|10|30|60|90)|(a)([12])|()(\d+)mbs)$`)

	// What is rewritten before a product is split into words, in this order. A pattern is tried only where the text holds
	// one of the strings that it needs, which spares most names most patterns.
	rewrites = []struct {
		needs   []string
		pattern *regexp.Regexp
		by      string
	}{
		{[]string{"™", "®", "©", "("}, regexp.MustCompile(`[™®©]|\((?:r|tm)\)`), " "},
		{[]string{"µ", "μ"}, regexp.MustCompile(`[µμ]`), "micro"},
		// An adapter in the box is no part of the name, and its "+" no "Plus".
		{[]string{"adapt"}, regexp.MustCompile(`(?:\+|&|/|\b(?:w/|w|in|with|and|incl|including|includes|plus|mit|avec|con)\b\.?)*\s*(?:an?\s+)?(?:(?:full[\s-]?size|sd|card)\s+)*\badapt[eo]rs?\b`), " "},
		{[]string{"+"}, regexp.MustCompile(`\+`), " plus "},
		{[]string{"micro"}, regexp.MustCompile(`\bmicro[\s-]*sd`), "microsd"},
		{[]string{"memory", "flash"}, regexp.MustCompile(`\b(?:flash[\s-]*memory|memory|flash)[\s-]*(cards?|drives?|sticks?)\b`), " $1 "},
		{[]string{"thẻ", "карта", "tarjeta", "cart", "memoria", "speicher"}, regexp.MustCompile(`thẻ nhớ|карта памяти|\b(?:tarjeta(?: de memoria)?|cart[ae](?: m[eé]moire)?|memoria|speicherkarte)(?:\s|$)`), " card "},
		{[]string{"pack"}, regexp.MustCompile(`\b\d[\s-]*pack\b`), " "},
		{[]string{"class"}, regexp.MustCompile(`\bclass\s+(a[12])\b`), " $1 "},
		{[]string{"drive"}, regexp.MustCompile(`\b(?:pen|thumb)[\s-]*drives?\b`), " drive "},
		{[]string{"speed", "uhs"}, regexp.MustCompile(`\b(?:uhs[\s-]*)?speed\s+(?:class|grade)\s*([13])\b|\buhs[\s-]*(?:class|grade)\s*([13])\b`), " u$1$2 "},
		{[]string{"cl"}, regexp.MustCompile(`\bcl(?:asse?)?[\s-]*(2|4|6|10)\b`), " class$1 "},
		{[]string{"uhs"}, regexp.MustCompile(`\buhs[\s-]*(?:1|i)\b`), " uhsi "},
		{[]string{"uhs"}, regexp.MustCompile(`\buhs[\s-]*(?:2|ii)\b`), " uhsii "},
	}
	// A part of a list that is nothing but what a card is fit for: ", 4K," but not "4K Camera Pro".
	reFitFor = regexp.MustCompile(`^\s*(?:full hd|fhd|4k|5k|8k|uhd|4k uhd)\s*$`)
	reParts  = regexp.MustCompile(`[,;|]|\s-\s`)
)

// generic words say what kind of thing a module is, never which.
var generic = []string{
	"microsd", "microsdhc", "microsdxc", "microsdcard", "sd", "sdhc", "sdxc", "sdcard", "hc", "xc", "tf", "card", "cards", "memorycard",
	"drive", "flashdrive", "stick", "usb",
}

// sales words stand around a name and are no part of it. UHS-I is every card's that is not UHS-II.
var sales = []string{"up", "to", "i", "uhs", "uhsi", "new", "genuine", "original"}

// tokens splits a product into the words that are compared, and the capacity in GB that it names (0 if none, negative if
// it names two). The application class goes last, wherever it stood.
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
	if reToken.MatchString(bare) { // a product that is nothing but its capacity keeps it as its name
		s = bare
	}
	var last []string
	for _, w := range reToken.FindAllString(s, -1) {
		switch {
		case w == "a1" || w == "a2":
			if !slices.Contains(last, w) {
				last = append(last, w)
			}
		case reClass.MatchString(w):
			words = append(words, "class"+w[1:])
		default:
			words = append(words, w)
		}
	}
	return append(words, last...), capacityGB
}

// withoutGeneric leaves out the words that every card has in its name.
func withoutGeneric(words []string) []string {
	return without(words, func(w string) bool { return slices.Contains(generic, w) })
}

// withoutSales leaves out sales talk as well.
func withoutSales(words []string) []string {
	return without(withoutGeneric(words), func(w string) bool { return slices.Contains(sales, w) })
}

// withoutRatings leaves out ratings as well, but for the application class; what is left names the product.
func withoutRatings(words []string) []string {
	return without(withoutSales(words), func(w string) bool { return reRating.MatchString(w) && w != "a1" && w != "a2" })
}

func without(words []string, drop func(string) bool) []string {
	return slices.DeleteFunc(slices.Clone(words), drop)
}

// joined is what two spellings of one name have in common.
func joined(words []string) string { return strings.Join(words, "") }

// safeSlug reports whether s can stand in a path, a URL and a file name as it is.
func safeSlug(s string) bool {
	if s == "" || len(s) > maxSlug || s[0] == '-' || s[len(s)-1] == '-' || strings.Contains(s, "--") {
		return false
	}
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// SlugOf makes a safe slug of words. Where letters had to go, or the slug had to be cut, or it is taken, a checksum of the
// words keeps different modules apart.
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
