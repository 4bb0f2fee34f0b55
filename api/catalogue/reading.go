package catalogue

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// reading is what the typed fields say.
type reading struct {
	name                   // the first choice
	others       []name    // further readings of the fields
	known        bool      // the vendor is listed
	part         foundPart // part.vendor is empty without one
	capacityGB   float64   // from the kernel, if nothing is typed
	otherGB      float64   // a second capacity that contradicts the first; 0: none
	said         int       // how often the capacity is stated
	form         wantedForm
	text         string // the product without the part number
	shown        string // the product's name, if it isn't the typed one
	contradicted bool   // the fields name two capacities
	impossible   bool   // no module has everything that the words say
	asks         bool   // the contributor wasn't sure
}

// read reads the typed fields.
func (c *Catalogue) read(e Evidence) (r reading) {
	r.text = strings.ToLower(cleanTo(e.Product, maxRead))
	r.asks = reAsks.MatchString(r.text)
	if part, ok := c.part(r.text); ok {
		r.part, r.text = part, r.text[:part.start]+" "+r.text[part.end:]
	}
	words, inName := tokens(r.text)
	if at, gb := bareCapacity(words); inName == 0 && gb > 0 {
		if r.capacities(e, gb); r.contradicted {
			r.capacityGB, r.otherGB, r.contradicted = 0, 0, false // the number isn't a capacity
		} else {
			words = slices.Delete(words, at, at+1)
		}
	}
	r.capacities(e, inName)
	r.impossible = wrongType(words, r.capacityGB) && r.said < 2 || ratingsIn(words).contradictory() ||
		len(kindsIn(e.Form, words)) > 1
	said := words // without the brand, which may be "Micro Center"
	if _, rest, ok := c.vendors.split(words); ok {
		said = rest
	}
	r.form = formOf(e, said)
	if r.form.stated == "" && r.part.form != "" {
		r.form = wantedForm{stated: r.part.form}
	}
	if slices.Contains(said, "micro") && r.form.stated == "microsd" {
		words = without(words, func(w string) bool { return w == "micro" })
	}
	c.readNames(&r, e, words)
	otherForm := r.part.form != "" && r.form.stated != "" && r.form.stated != r.part.form
	r.impossible = r.impossible || r.foreignPart() || otherForm || c.namesTwo(r)
	return r
}

// namesTwo reports whether a text names modules of two brands: "SanDisk Ultra or Samsung EVO".
func (c *Catalogue) namesTwo(r reading) bool {
	return reEither.MatchString(r.text) && slices.ContainsFunc(r.words, func(w string) bool {
		brand := c.vendors[w]
		return brand != "" && brand != r.vendor
	})
}

var reEither = regexp.MustCompile(`\b(?:or|oder|ou)\b|/`)

// bareCapacity finds a capacity without a unit, "Samsung EVO 32", and its place. It ignores numbers below 16, which may
// be versions of products.
func bareCapacity(words []string) (at int, gb float64) {
	bare := strings.Fields("16 32 64 128 256 512")
	is := func(w string) bool { return slices.Contains(bare, w) }
	at = slices.IndexFunc(words, is)
	if at < 1 || len(without(words, is)) < len(words)-1 {
		return 0, 0
	}
	gb, _ = strconv.ParseFloat(words[at], 64)
	return at, gb
}

// reAsks finds a question mark, but not one that stands for a lost letter ("mem?ria").
var reAsks = regexp.MustCompile(`[^\s?][?？](?:[\s),]|$)`)

// wrongType reports whether words name a type of card that doesn't exist in this capacity. SDHC ends at 32 GB, where
// SDXC begins (SD Physical Layer Simplified Specification, 3.2). Smaller cards of 2 GB are often called SDHC.
func wrongType(words []string, capacityGB float64) bool {
	hc := slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, "sdhc") || w == "hc" })
	xc := slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, "sdxc") || w == "xc" })
	return hc != xc && capacityGB > 0 && xc == (capacityGB <= 32)
}

// capacities finds the capacity, and whether another one contradicts it: in the fields, or on the device itself.
func (r *reading) capacities(e Evidence, inName float64) {
	size := marketedGB(float64(e.SizeBytes) / 1e9)
	stated := []float64{marketedGB(e.CapacityGB), max(inName, 0), r.part.capacityGB}
	if (e.Bus == "sd" || e.Bus == "mmc") && e.card().Name != "" {
		stated = append(stated, size)
	}
	r.said = 0
	for _, gb := range stated {
		if gb == 0 {
			continue
		}
		r.said++
		switch {
		case r.capacityGB == 0:
			r.capacityGB = gb
		case gb < 0.85*r.capacityGB || gb > 1.18*r.capacityGB:
			r.otherGB, r.contradicted = gb, true
		}
	}
	// Behind a reader, or without a name in the registers, the device says nothing but its size.
	if slices.Contains([]string{"sd", "mmc", "usb", "ata"}, e.Bus) && r.capacityGB > 0 && size > 0 &&
		(size < 0.85*r.capacityGB || size > 1.18*r.capacityGB) {
		r.otherGB, r.contradicted = cmp.Or(r.otherGB, size), true
	}
	r.contradicted = r.contradicted || inName < 0
	r.capacityGB = cmp.Or(r.capacityGB, size)
}

// readNames finds vendor and product. The vendor's field may hold the whole name, and the product's field the vendor.
func (c *Catalogue) readNames(r *reading, e Evidence, words []string) {
	vendor, known := c.vendors.named(e.Vendor)
	r.name, r.known = name{vendor, words}, known
	if v, rest, ok := c.vendors.split(words); ok && (!known || v == vendor) {
		r.name, r.known = name{v, rest}, true
	} else if !known && e.Vendor != "" {
		all, _ := tokens(e.Vendor + " " + r.text)
		if v, rest, ok := c.vendors.split(all); ok {
			r.name, r.known = name{v, rest}, true
		}
	}
	if v := c.vendors[joined(words)]; v != "" && !known { // only the vendor's name
		r.others, r.known = append(r.others, name{v, words}), true
		if !r.namesProduct() || r.vendor == "" {
			r.name = name{v, nil}
			r.others = []name{{v, words}}
		}
	}
	if v, rest, ok := c.vendors.split(words); ok && v != r.vendor { // "Western Digital" "SanDisk Ultra"
		r.others = append(r.others, name{v, rest})
	}
	if !r.known && r.part.vendor != "" && (r.vendor == "" || unhelpful(r.vendor)) {
		r.name, r.known = name{r.part.vendor, words}, true
	}
}

// brand returns the typed brand of the module; empty: nobody typed one.
func (r reading) brand() string {
	if unhelpful(r.vendor) {
		return ""
	}
	return r.vendor
}

// foreignPart reports whether the part number is another brand's.
func (r reading) foreignPart() bool { return r.part.vendor != "" && r.part.vendor != r.vendor }

// foreignVendor reports whether the typed vendor is a listed brand other than the module's brand and its owner.
func (r reading) foreignVendor(m Module) bool {
	return r.known && m.Vendor != r.vendor && m.owner != r.vendor
}

// names returns all readings of the typed fields.
func (r reading) names() []name { return append([]name{r.name}, r.others...) }

// says reports whether the typed words include all words of a name.
func (r reading) says(words []string) bool {
	all := joined(r.words)
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(all, w) })
}
