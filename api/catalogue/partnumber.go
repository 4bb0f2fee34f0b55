package catalogue

import (
	"io/fs"
	"regexp"
	"strconv"
	"strings"
)

// partNumber is one row of part_numbers.csv: the beginning of a vendor's part numbers, and the product that they mean.
type partNumber struct {
	head, tail string // around the digits of the capacity in GB, in lower case, with "-" for every separator
	prefix     string // as in the file: "MB-MC*H", "SDCS2/*GB"
	vendor     string
	product    string // with application class and advertised rate: "Extreme A1 100MB/s"
	revision   string // the year of the revision; empty: the vendor tells none apart
	form       string
}

func (c *Catalogue) loadPartNumbers(fsys fs.FS) error {
	return eachRow(fsys, "part_numbers.csv", func(r *row) error {
		p := partNumber{
			prefix: r.get("prefix"), vendor: r.get("vendor"), product: r.get("product"), revision: r.get("revision"),
			form: r.get("form"),
		}
		p.head, p.tail, _ = strings.Cut(separated(strings.ToLower(p.prefix)), "*")
		if len(p.head) < 2 {
			return r.errorf("the prefix %q needs two letters before the *, which stands for the capacity in GB", p.prefix)
		}
		c.parts[p.head[:2]] = append(c.parts[p.head[:2]], p)
		words, _ := tokens(p.product)
		c.addWords(words)
		c.addUSBVersions(p.vendor, words)
		for _, key := range []string{joined(words), joined(withoutRatings(words))} {
			c.addForm(nameKey{p.vendor, key}, p.form)
		}
		return nil
	})
}

// shown is the name that the number stands for: "EVO Plus 2020".
func (p partNumber) shown() string { return strings.TrimSpace(p.product + " " + p.revision) }

// words splits that name.
func (p partNumber) words() []string {
	words, _ := tokens(p.shown())
	return words
}

// line returns the words without the ones that tell generations of a line apart. It keeps the application class.
func (p partNumber) line() []string {
	return without(p.words(), func(w string) bool {
		return reRating.MatchString(w) && !isApplicationClass(w) || w == p.revision
	})
}

// separated writes every separator of a part number as a hyphen, byte for byte.
func separated(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '/' || r == '_' || r == ' ' {
			return '-'
		}
		return r
	}, s)
}

// foundPart is a part number in a typed text.
type foundPart struct {
	partNumber
	capacityGB float64 // 0: the text leaves it out
	start, end int     // its place in the text
}

// part finds the first part number in a text in lower case.
func (c *Catalogue) part(text string) (found foundPart, ok bool) {
	s := separated(text)
	for at := range len(s) - 1 {
		if at > 0 && isWordByte(s[at-1]) {
			continue
		}
		for _, p := range c.parts[s[at:at+2]] {
			capacity, end, ok := p.matches(s, at)
			if ok && end > found.end { // "SDCZ430" goes before "SDCZ43"
				found = foundPart{p, capacity, at, end}
			}
		}
		if found.end > 0 {
			for found.end < len(s) && text[found.end] != ' ' {
				rest := reRegion.FindString(s[found.end:])
				if rest == "" {
					break
				}
				found.end += len(rest)
			}
			return found, true
		}
	}
	return foundPart{}, false
}

// reRegion matches the rest of a part number: the region and the packaging.
var reRegion = regexp.MustCompile(`^-(?:[a-z]{0,4}\d+[a-z0-9]{0,4}|[a-z]{1,3})(?:\b|$)`)

// rePartCapacity matches the capacity in a part number, in GB or, as 1T50, in TB and hundredths of it.
var rePartCapacity = regexp.MustCompile(`^0*(\d{1,4})(?:(t)(\d*))?`)

// matches reports whether the part number stands at a place in s, with which capacity, and where it ends. Without a
// capacity, only a long part number can be told from a word.
func (p partNumber) matches(s string, at int) (capacityGB float64, end int, ok bool) {
	const long = 5
	rest := s[at:]
	if after, found := strings.CutPrefix(rest, p.head); found {
		if m := rePartCapacity.FindStringSubmatch(after); m != nil {
			capacity, _ := strconv.ParseFloat(m[1], 64)
			tail := p.tail
			if m[2] != "" {
				hundredths, _ := strconv.ParseFloat(m[3], 64)
				capacity, tail = 1000*capacity+10*hundredths, strings.TrimPrefix(tail, "g")
			}
			capacity = marketedGB(capacity)
			end := at + len(p.head) + len(m[0])
			if tail == "gb" && strings.HasPrefix(s[end:], "-gb") { // "SDC4/16 GB"
				end++
			}
			if capacity > 0 && strings.HasPrefix(s[end:], tail) {
				return capacity, wordEnd(s, end), true
			}
		}
	}
	stem := strings.TrimRight(p.head, "-")
	end = at + len(stem)
	if len(stem) >= long && stem != p.head && strings.HasPrefix(rest, stem) && end == wordEnd(s, at) {
		return 0, end, true
	}
	return 0, 0, false
}

func wordEnd(s string, from int) int {
	for from < len(s) && isWordByte(s[from]) {
		from++
	}
	return from
}

func isWordByte(b byte) bool { return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' }
