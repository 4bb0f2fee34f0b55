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
	reRate = regexp.MustCompile(
		`(\d+)\s*m(?:[bio]?b?(?:[\s-]*/\s*s(?:ek|ec|eg|n)?\b|ps\b|\s?/\s?秒|/с)|[bo][\s-]s(?:ec|ek)?\b)`)
	reCapacity = regexp.MustCompile(
		`\b(\d+(?:\.\d+)?)[\s-]*(tib|tb|gibs?|gbs?|gio|go|gt|g|mib|mb|mo|gigas?|gigs?|` +
			`(?:g(?:iga)?|m(?:ega)?|t(?:era)?)bytes?)\b`)
	// Beside a capacity in GB, two or three digits of MB are a rate: "Extreme 128GB 160MB".
	reGigabytes = regexp.MustCompile(`\d\s*(?:g[bo]?|t[bo])\b`)
	reBareRate  = regexp.MustCompile(`\b([3-9]\d|[1-9]\d\d)\s?m[bo]([\s+),]|$)`)

	reToken  = regexp.MustCompile(`[\p{L}\p{M}\p{N}]+(?:\.\d+)*`)
	reClass  = regexp.MustCompile(`^c(2|4|6|10)$`)
	reRating = regexp.MustCompile(
		`^(?:(class)(2|4|6|10)|(u)([13])|(v)(6|10|30|60|90)|(a)([12])|()(\d+)mbs|(usb)([1-4][0-2]))$`)

	// rewrites apply to a product in this order before it is split into words. Each pattern applies only if the text
	// contains one of the strings in needs, which saves most patterns for most names.
	rewrites = []struct {
		needs   []string
		pattern *regexp.Regexp
		by      string
	}{
		{[]string{"™", "®", "©", "("}, regexp.MustCompile(`[™®©]|\((?:r|tm|c)\)`), " "},
		{[]string{"made in"}, regexp.MustCompile(`\bmade\s+in\s+[\p{L}.]+`), " "},
		{[]string{"sample", "#"}, regexp.MustCompile(`\bsample\s+#?\d\b|#\s?\d\b`), " "}, // which of several units
		{[]string{"b0"}, regexp.MustCompile(`\bb0[\da-z]{8}\b`), " "},                    // Amazon's number of the article
		{[]string{"["}, regexp.MustCompile(`\[\d{1,2}\]`), " "},                          // a footnote
		{[]string{":"}, regexp.MustCompile(`\b[0-9a-f]{4}:[0-9a-f]{4}\b`), " "},          // USB ids
		{[]string{"dt"}, regexp.MustCompile(`\bdt[\s-]?(\d{2,3}\b)?`), " datatraveler $1"},
		{[]string{"(2.0)", "(3.0)", "(3.1)", "(3.2)"}, regexp.MustCompile(`\(([23]\.[0-2])\)`), " usb $1 "},
		{[]string{"$", "€", "£", "¥", "руб", "usd", "eur"}, regexp.MustCompile( // a price
			`(?:[$€£¥]|\b(?:usd|eur)\b)\s?\d+(?:\s?[.,]\s?\d+)?|` +
				`\b\d+(?:\s?[.,]\s?\d+)?\s?(?:[$€£¥]|(?:usd|eur)\b|руб\p{L}*)`), " "},
		{[]string{"µ", "μ"}, regexp.MustCompile(`[µμ][\s-]*sd`), "microsd"},
		{[]string{"."}, regexp.MustCompile( // a shop's name
			`\b[a-z][a-z-]+\.(?:com?\.[a-z]{2}|com|net|org|a[tu]|br|c[ahnz]|de|e[su]|fr|i[nt]|jp|mx|nl|p[lt]|` +
				`ru|se|ua|uk|vn)\b`),
			" "},
		// A shop's department and its number of the article.
		{[]string{"rayon"}, regexp.MustCompile(`\s(?:achat\s+)?dans\s+le\s+rayon\s.*$`), " "},
		{[]string{"warenkorb"}, regexp.MustCompile(`\bin den warenkorb(?: gelegt)?`), " "},
		{[]string{"b's"}, regexp.MustCompile(`(\d[gt]b)'s\b`), "$1"},
		{[]string{"+ad", "+ ad"}, regexp.MustCompile(`\+\s?ad\b`), " adapter "},
		{[]string{"udma"}, regexp.MustCompile(`\budma(?:[\s-]?[4-7])?\b`), " "},
		{[]string{"4k"}, regexp.MustCompile(`\s(?:(?:i|in|en)\s+)?4k\s*$`), ""},
		{[]string{"memory zone", "rescue"}, regexp.MustCompile( // programs
			`[+\s]*\b(?:memory zone|rescue\s?pro(?:\s+deluxe)?)\b(?:\s+app\b)?`), " "},
		{[]string{"tesco"}, regexp.MustCompile(`^tesco\s+direct:`), " "},
		{[]string{""}, regexp.MustCompile(`(^|[\s(])\d{6,8}([\s)]|$)`), "$1 $2"},
		{[]string{"adapt", "адапт"}, regexp.MustCompile( // it is no card
			`^(?:(?:card|micro|sd|usb)[\s-]+)*(?:adapt|адапт)\p{L}*\s+(?:for|für|fuer|pour|para|per|voor|do|для)\s`),
			" accessory "},
		// An adapter in the box is not part of the name, and its "+" is no "Plus".
		{[]string{"adap", "адапт", "adatt"}, regexp.MustCompile(
			`(?:\+|&|/|\b(?:w/|w|in|with|and|incl|inkl|including|includes|plus|s|z|med|met|mit|avec|con|com|c/|et|e|y|` +
				`without|no|ohne|sans|sin|sem|senza|bez|zonder|utan|uden|kèm|dengan)\b\.?|(?:^|\s)(?:с|з|із|без)\s)*` +
				`[\s-]*(?:an?\s+)?(?:(?:full[\s-]?size|sd|usb|card|memory)[\s-]+)*` +
				`(?:\badapt?(?:[eoé]rs?|ador(?:es)?|ateurs?|[eé]rem|er[ai])?\b|\badatt(?:at)?or[ei]\b|адаптер\p{L}*)` +
				`(?:[\s-]+sd\b)?`), " "},
		// A "+" behind a size or a kind adds or means more, and is no "Plus" of the line.
		{[]string{"+"}, regexp.MustCompile(`(\d\s*(?:g[bo]?|tb|гб)|sd(?:hc|xc)?|cards?|class\s*10|u[13])\s*\+`), "$1 "},
		{[]string{"+"}, regexp.MustCompile(`\+`), " plus "},
		{[]string{"mic", "mir", "mik"}, regexp.MustCompile(
			`\b(?:micro|micr|mirco|mircro|micor|mikro)[\s-]*s(?:hdc|d)`), "microsd"},
		{[]string{"микро"}, regexp.MustCompile(`микро[\s-]*(?:sd|сд)`), "microsd"},
		{[]string{"micros "}, regexp.MustCompile(`\bmicros\s+sd`), "microsd"},
		{[]string{"model"}, regexp.MustCompile(`\bmodel\s+(?:number|no)\b`), " "},
		{[]string{"shdc"}, regexp.MustCompile(`\bshdc\b`), "sdhc"},
		{[]string{"sdh", "sdx"}, regexp.MustCompile(`sd([hx])\b`), "sd${1}c"},
		{[]string{"sd"}, regexp.MustCompile(`\bsd(?:hc|xc)?[\s-]*micro\b|\b(?:u[\s-]?|m)sd(hc|xc)?\b`), "microsd$1 "},
		{[]string{"flash"}, regexp.MustCompile(`\b(?:t|trans)[\s-]?flash\b`), " tf "},
		{[]string{"digital"}, regexp.MustCompile(`\bsecure[\s-]+digital\b`), " sd "},
		{[]string{"high"}, regexp.MustCompile(`\bhigh[\s-]+capacity\b`), " "},
		{[]string{"/"}, regexp.MustCompile( // reading and writing: "100/90 MB/s", "R95/W90"
			`\br?(\d{2,3})\s?/\s?w?(\d{2,3})\s?m[bo]/s|\br(\d{2,3})\s?/\s?w(\d{2,3})\b|` +
				`\b(\d{2,3})\s?r\s?/\s?(\d{2,3})\s?w\b`), " ${1}${3}${5}mb/s ${2}${4}${6}mb/s "},
		{[]string{"r", "w"}, regexp.MustCompile(`\b[rw][\s:=-]?(\d{2,3}\s?m[bo]/s)`), " $1"},
		{[]string{"r"}, regexp.MustCompile(`\br(\d{2,3})\b`), " ${1}mb/s "},
		{[]string{"video"}, regexp.MustCompile(`\bvideo[\s-]+speed[\s-]+class[\s-]*([369]0)\b`), " v$1 "},
		{[]string{"c i "}, regexp.MustCompile(`sd([hx])c\s+i\s+([13])\b`), "sd${1}c u$2 "},
		{[]string{"hc", "xc"}, regexp.MustCompile(`\b((?:microsd|sd)?[hx]c)[\s-]?[1i]\b`), "$1 uhsi "},
		{[]string{"for ", "für ", "fuer ", "pour ", "para ", "per ", "voor ", "till ", "для "}, regexp.MustCompile( // its use
			`(?:\b(?:for|fuer|pour|para|per|till|voor)|für|для)\s+(?:(?:the|my|a|el|la|il)\s+)?` +
				`(?:raspberry\s*pi\b|rpi\d?\b|` +
				`(?:smart)?phones?\b|tablets?\b|(?:action\s+)?cam(?:era)?s?\b|kamera\b|mobil\b|drones?\b|dash\s?cams?\b|` +
				`телефон\p{L}*|` +
				`видеорегистратор\p{L}*)` +
				`(?:\s+(?:zero|\d)\w?\b)*`), " "},
		{[]string{"compact"}, regexp.MustCompile(`\bcompact[\s-]*flash`), "compactflash"},
		{[]string{"memory", "flash"},
			regexp.MustCompile(`\b(?:flash[\s-]*memory|memory|flash)[\s-]*(cards?|drives?|sticks?)\b`), " $1 "},
		{[]string{"мб", "мбайт"}, regexp.MustCompile(`(\d)\s*мб(?:айт)?\s?/\s?с(?:ек)?`), "${1}mb/s "},
		{[]string{"гб", "гиг"}, regexp.MustCompile(`(\d)\s*(?:гб(?:айт\p{L}*)?|гиг\p{L}*)`), "${1}gb "},
		{[]string{"گیگ", "جيج", "غيغ", "גיגה", "ギガ", "기가", "जीबी"},
			regexp.MustCompile(`(\d)\s*(?:(?:گیگ|جيج|غيغ|גיגה)\p{L}*|ギガ(?:バイト)?|기가(?:바이트)?|जीबी)`), "${1}gb "},
		{[]string{"тб"}, regexp.MustCompile(`(\d)\s*тб(?:айт\p{L}*)?`), "${1}tb "},
		{[]string{"мб"}, regexp.MustCompile(`(\d)\s*мб(?:айт\p{L}*)?`), "${1}mb "},
		{[]string{"to"}, regexp.MustCompile(`\b(\d+)to\b`), "${1}tb "},
		{[]string{"gb", "go"}, regexp.MustCompile(`([a-z])(\d+(?:gb|go))\b`), "$1 $2"},
		{[]string{"gb"}, regexp.MustCompile(
			`\b(\d+gb)(micro|sd|tf|cf|usb|uhs|class|ultra|extreme|evo|pro|canvas|high|max|industrial|premium|elite|card)`),
			"$1 $2"},
		// A capacity in front, which is no count.
		{[]string{" g", " m", " t"}, regexp.MustCompile(`^([1-9])\s+([gmt]i?b(?:yte)?s?|go)\b`), "$1$2"},
		{[]string{"1 ", "2 ", "3 ", "4 ", "5 ", "x"}, regexp.MustCompile(
			`(?:^|[\s(])[1-9]\s?x([\s)]|\d|$)|^[1-9]\s+`), " $1"},
		{[]string{"two", "three", "four", "five", "six", "zwei", "drei", "vier", "deux", "trois", "quatre", "dos ", "tres",
			"cuatro", "dwa", "два", "две", "три"}, // a count, in front of all other words
			regexp.MustCompile(`^(?:two|three|four|five|six|zwei|drei|vier|deux|trois|quatre|dos|tres|cuatro|dwa|` +
				`два|две|три)\s+`), " "},
		{[]string{"pack", "pcs", "piece", "stück", "шт"}, regexp.MustCompile(
			`\bpack\s+of\s+\d{1,2}\b|\b\d{1,2}[\s-]*(?:er[\s-]*)?(?:pack\b|pcs\b|pieces?\b|stück|шт)`), " "},
		{[]string{"mmc"}, // the kernel's name of a slot: "mmcblk0: mmc0:0001 BJTD4R 29.1 GiB"
			regexp.MustCompile(`^(?:\[[\d. ]+\]\s*)?(?:mmcblk\d+:\s*)?mmc\d+:[\da-f]{4}\s`), " "},
		{[]string{"amazon"}, regexp.MustCompile(`\bamazon\s+basics\b`), "amazonbasics"}, // a brand, and no shop
		{[]string{"from ", "bought", "purchased"}, regexp.MustCompile(
			`\b(?:from|(?:bought|purchased)(?:\s+(?:in|on|at|from))?)\s+` +
				`(?:20[012]\d|amazon|aliexpress|ebay|walmart)\b`), " "},
		{[]string{"drive"}, regexp.MustCompile(`\b(?:pen|thumb)[\s-]*drives?\b`), " drive "},
		{[]string{"type", "tipo", "typ "}, regexp.MustCompile(`\b(?:type|tipo|typ)[\s-]?a\b`), " "},
		{[]string{"usb2", "usb3", "usb 2", "usb 3"}, regexp.MustCompile( // "USB 2 GB" is a size
			`\busb([23])(\s|[^.\w]|$)|\busb\s([23])(\s*[,;)]|\s+(?:pen|thumb|flash|drive|stick)|\s*$)`), "usb $1$3.0$2$4"},
		{[]string{"usb"}, regexp.MustCompile(
			`\busb(?:[\s-]*a\b|\s+de\b)?[\s-]*([1-3])\.([0-2])(?:[\s(-]*gen[\s-]*1)?\b`), " usb$1$2 "},
		{[]string{"uhs"}, regexp.MustCompile(`\buhs[\s-]*(?:1|i)[\s,/-]*(?:class|grade|klasse|cla[sc]s?e)[\s-]*([13])\b`),
			" uhsi u$1 "},
		{[]string{"grade"}, regexp.MustCompile(`\bgrade[\s-]*([13])\b`), "grade u$1 "},
		{[]string{"speed", "uhs"}, regexp.MustCompile(
			`\b(?:uhs[\s-]*)?speed\s+(?:class|grade)\s*([13])\b|\buhs[\s-]*(?:class|grade)\s*([13])\b`), " u$1$2 "},
		{[]string{"cl", "cals", "kl", "кла", "c-", "c ", "クラス", "클래스", "nıf", "nif", "říd", "rid", "luokka"},
			regexp.MustCompile(
				`(?:\b(?:cl(?:ass?e?|as[ae])?|cals(?:s|e|se)|kl(?:ass?[ea]?|as[ay]?)?|luokka|t[rř][ií]d[ay]|s[ıi]n[ıi]f)|` +
					`класс?а?|クラス|클래스)[\s.:-]*(2|4|6|10)\b|\bc[\s-](2|4|6|10)\b|` +
					`\b(2|4|6|10)[\s.-]*(?:класс?\p{L}*|klasse\b|clas[es]e?\b|class\b|s[ıi]n[ıi]f\b)`), " class$1$2$3 "},
		{[]string{"a1", "a2"}, regexp.MustCompile(
			`\b(?:(?:app(?:lication)?[\s-]+)?(?:performance[\s-]+)?(?:class|grade)|klasse|clas[es]e?)[\s-]+(a[12])\b|` +
				`\b(a[12])[\s-]+(?:app(?:lication)?s?\b[\s-]*(?:performance\b)?[\s-]*(?:class\b)?|class\b|klasse\b|rated\b)`),
			" $1$2 "},
		{[]string{"(4)", "(6)", "(10)"}, regexp.MustCompile(`\((4|6|10)\)`), " class$1 "},
		{[]string{"u-", "u ", "v-", "v "}, regexp.MustCompile(`\b(?:(u)[\s-]([13])|(v)[\s-]([369]0))\b`), " $1$2$3$4 "},
		{[]string{"uhs", "ush"}, regexp.MustCompile(`\bu(?:hs|sh)[\s-]*(?:1|i)\b`), " uhsi "},
		{[]string{"uhs"}, regexp.MustCompile(`\buhs[\s-]*(?:2|ii)\b`), " uhsii "},
	}
	// reFitFor matches a part of a list that only names a use: ", 4K," but not "4K Camera Pro".
	reFitFor = regexp.MustCompile(`^\s*(?:(?:full hd|fhd|[458]k|u?hd|ultra hd|and|&|y|et|und|/)\s*)+(?:videos?)?\s*$`)
	reParts  = regexp.MustCompile(`[,;|]|\s-\s`)
)

// tokens splits a product into the words for comparison, and the capacity in GB that it names (0 for none, negative for
// two). It moves the application class to the end.
func tokens(product string) (words []string, capacityGB float64) {
	s := spelledOut(strings.ToLower(cleanTo(product, maxRead)))
	if strings.ContainsAny(s, ",;|-") {
		s = strings.Join(without(reParts.Split(s, -1), reFitFor.MatchString), " , ")
	}
	for _, r := range rewrites {
		if slices.ContainsFunc(r.needs, func(part string) bool { return strings.Contains(s, part) }) {
			s = r.pattern.ReplaceAllString(s, r.by)
		}
	}
	if reGigabytes.MatchString(s) {
		s = reBareRate.ReplaceAllString(s, "${1}mb/s$2")
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
		case translated[w] != "":
			words = append(words, translated[w])
		case w == "plus" && len(words) > 0 && words[len(words)-1] == w: // "EVO+ (Plus)"
		default:
			words = append(words, w)
		}
	}
	return append(words, last...), capacityGB
}

// withoutGeneric removes the words that occur in the name of every card.
func withoutGeneric(words []string) []string {
	return without(words, func(w string) bool { return generic[w] })
}

// withoutSales also removes the words of sales.
func withoutSales(words []string) []string {
	return without(withoutGeneric(words), func(w string) bool { return sales[w] })
}

// withoutClasses also removes ratings, except for the application class and an advertised rate.
func withoutClasses(words []string) []string {
	return without(withoutSales(words), func(w string) bool {
		return reRating.MatchString(w) && !isApplicationClass(w) && !strings.HasSuffix(w, "mbs")
	})
}

// withoutRatings also removes rates. The rest names the product.
func withoutRatings(words []string) []string {
	return without(withoutClasses(words), func(w string) bool {
		return reRating.MatchString(w) && !isApplicationClass(w)
	})
}

// withoutColours removes colours.
func withoutColours(words []string) []string {
	return without(words, func(w string) bool { return colours[w] })
}

// ratingsLast puts ratings and UHS-I behind the other words, in one order: "UHS-I Class 10" is "Class 10 UHS-I".
func ratingsLast(words []string) []string {
	isRating := func(w string) bool { return w == "uhsi" || reRating.MatchString(w) }
	var rated []string
	for _, w := range words {
		if isRating(w) {
			rated = append(rated, w)
		}
	}
	slices.Sort(rated)
	return append(without(words, isRating), slices.Compact(rated)...)
}

// applicationClass returns the first application class among words, "a1" or "a2", or "".
func applicationClass(words []string) string {
	class, _ := first(words, isApplicationClass)
	return class
}

func isApplicationClass(w string) bool { return w == "a1" || w == "a2" }

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
