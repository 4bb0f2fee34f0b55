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
	maxField = 64 // runes of a typed or reported field that are kept
	maxSlug  = 80
)

// clean makes any text plain data: valid UTF-8, no control, formatting or bidirectional characters, single spaces, at
// most 64 runes. It does not escape: that is for whoever prints it.
func clean(s string) string {
	if len(s) > 64*maxField {
		s = s[:64*maxField]
	}
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
	if len(b) > maxField {
		b = b[:maxField]
	}
	return strings.TrimSpace(string(b))
}

var (
	reRate     = regexp.MustCompile(`(\d+)\s*m[bi]?b?(/s|ps)\b`)
	reCapacity = regexp.MustCompile(`\b(\d+(?:\.\d+)?)\s*(tib|tb|gib|gb|g|mib|mb)\b`)
	reToken    = regexp.MustCompile(`[\p{L}\p{N}]+(?:\.\d+)*`)
	reClass    = regexp.MustCompile(`^c(2|4|6|10)$`)
	reNotName  = regexp.MustCompile(`^(u[13]|v(6|10|30|60|90)|uhsi*|class(2|4|6|10)|\d+mbs|up|to|with|adapter|new|genuine|original|i)$`)
)

// generic words say what kind of thing a module is, never which.
var generic = []string{
	"microsd", "microsdhc", "microsdxc", "micro", "sd", "sdhc", "sdxc", "tf", "card", "memory", "memorycard", "flash", "drive",
	"stick", "usb", "hc", "xc", "speicherkarte", "microsdcard", "sdcard",
}

// tokens splits a product into the words that are compared, and the capacity in GB that it names (0 if none). The
// application class goes last, wherever it stood.
func tokens(product string) (words []string, capacityGB float64) {
	s := strings.ToLower(clean(product))
	s = strings.NewReplacer("™", " ", "®", " ", "©", " ", "(r)", " ", "(tm)", " ", "+", " plus ", "µ", "micro", "μ", "micro").Replace(s)
	s = reRate.ReplaceAllString(s, " ${1}mbs ")
	without := reCapacity.ReplaceAllStringFunc(s, func(match string) string {
		if capacityGB == 0 {
			capacityGB = parseCapacity(reCapacity.FindStringSubmatch(match))
		}
		return " "
	})
	if reToken.MatchString(without) { // a product that is nothing but its capacity keeps it as its name
		s = without
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
		case len(words) > 0 && words[len(words)-1] == "class" && reClass.MatchString("c"+w):
			words[len(words)-1] = "class" + w
		case (w == "i" || w == "1" || w == "ii" || w == "2") && len(words) > 0 && words[len(words)-1] == "uhs":
			words[len(words)-1] = "uhs" + strings.NewReplacer("1", "i", "2", "ii").Replace(w)
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

// withoutRatings leaves out ratings and advertising as well; what is left names the product.
func withoutRatings(words []string) []string {
	return without(withoutGeneric(words), reNotName.MatchString)
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

// slugOf makes a safe slug of words. Where letters had to go, or the slug had to be cut, or it is taken, a checksum of the
// words keeps different modules apart.
func slugOf(words []string, taken func(string) bool) string {
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
