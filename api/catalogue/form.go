package catalogue

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// formLabels are the names of the forms for readers.
var formLabels = map[string]string{
	"sd": "SD", "microsd": "microSD", "sdexpress": "SD Express", "cf": "CF", "usb": "USB", "emmc": "eMMC",
	FormStack: "Stack",
}

// FormLabel returns the name of a form for readers; "" for "other".
func FormLabel(form string) string { return formLabels[form] }

// wantedForm is the evidence about a module's form.
type wantedForm struct {
	stated string // one of Forms, or empty
	sd     bool   // not stated, but in an SD slot or called an SD card: sd or microsd
	saysSD bool   // the product's words call it an SD card, as people also call a microSD
}

func (f wantedForm) allows(m Module) bool {
	switch {
	case f.stated != "":
		return m.Form == f.stated || m.FormUnstated && f.stated == "microsd"
	case f.sd:
		return m.Form == "sd" || m.Form == "microsd"
	}
	return true
}

// orFromBus returns the form under which the catalogue lists a module, and whether the evidence leaves the form open.
func (f wantedForm) orFromBus() (form string, unstated bool) {
	switch {
	case f.stated != "":
		return f.stated, false
	case f.sd:
		return "sd", true
	}
	return "other", false
}

// formOf reads the form from the typed form, then from the product's words, then from the bus. The USB bus says
// nothing: the device may be a stick or a reader.
func formOf(e Evidence, words []string) wantedForm {
	f := formNamed(e.Form)
	if f == "sd" && (saysMicroSD(words) || reAdapter.MatchString(e.Form+" "+e.Product)) {
		f = "microsd" // in an adapter, which fits an SD slot
	}
	says := func(any ...string) bool {
		return slices.ContainsFunc(any, func(w string) bool { return slices.Contains(words, w) })
	}
	saysSD := says("sd", "sdhc", "sdxc", "sdcard", "sdkarte") && !saysMicroSD(words)
	if sdID(e.card()) != "" { // the registers outweigh what was typed
		switch {
		case e.Bus == "mmc" && e.MMC != nil && removableMMC(*e.MMC):
			return wantedForm{stated: "other"}
		case e.Bus == "mmc" && e.MMC != nil:
			return wantedForm{stated: "emmc"}
		case e.Bus == "sd" && !saysMicroSD(words) && !slices.Contains([]string{"", "sd", "microsd", "sdexpress"}, f):
			return wantedForm{sd: true, saysSD: saysSD}
		}
	}
	if f != "" {
		return wantedForm{stated: f, saysSD: saysSD && says("sdhc", "sdxc")}
	}
	switch {
	case says("express") && (saysSD || saysMicroSD(words)):
		return wantedForm{stated: "sdexpress"}
	case saysMicroSD(words):
		return wantedForm{stated: "microsd"}
	case says("compactflash", "cf"):
		return wantedForm{stated: "cf"}
	case e.Bus == "mmc" && removableMMC(e.card()):
		return wantedForm{stated: "other"}
	case says("emmc") || e.Bus == "mmc":
		return wantedForm{stated: "emmc"}
	case says(sticks...) || slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "usb") }):
		return wantedForm{stated: "usb"}
	}
	if reAdapter.MatchString(e.Product) {
		return wantedForm{stated: "microsd"}
	}
	return wantedForm{sd: e.Bus == "sd" || saysSD, saysSD: saysSD}
}

// kindsIn returns the kinds of modules that a typed form and the words of a product name. No module is of two kinds,
// except that a microSD is an SD card.
func kindsIn(form string, words []string) (kinds []string) {
	for _, w := range append([]string{formNamed(form)}, words...) {
		switch {
		case w == "sd" || w == "tf" || strings.HasPrefix(w, "sdhc") || strings.HasPrefix(w, "sdxc") ||
			strings.HasPrefix(w, "microsd"):
			kinds = appendNew(kinds, "sd")
		case w == "cf" || w == "compactflash":
			kinds = appendNew(kinds, "cf")
		case slices.Contains(strings.Fields("stick sticks pendrive flashdrive chiavetta"), w) ||
			strings.HasPrefix(w, "usb"):
			kinds = appendNew(kinds, "usb")
		case w == "emmc":
			kinds = appendNew(kinds, "emmc")
		}
	}
	return kinds
}

// sticks are words for a USB stick.
var sticks = strings.Fields(
	"stick sticks speicherstick geheugenstick laufwerk drive drives pendrive flashdrive " +
		"chiavetta clé cle clef флешка флэшка")

// reAdapter finds an adapter. Only a microSD comes with one, but people often leave the word microSD out.
var reAdapter = regexp.MustCompile(`(?i)\badapt|\badatta|адаптер|アダプタ|어댑터|适配器|卡套`)

// onCards are words that only cards have. Beside them "micro" means microSD; a Cruzer Micro is a stick.
var onCards = strings.Fields("card cards sd sdhc sdxc hc xc a1 a2")

func saysMicroSD(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return strings.HasPrefix(w, "microsd") || w == "tf" || w == "micro" &&
			slices.ContainsFunc(words, func(w string) bool { return slices.Contains(onCards, w) })
	})
}

// reForms recognizes typed forms, without spaces. The first match counts.
var reForms = []struct {
	form    string
	pattern *regexp.Regexp
}{
	{"sdexpress", regexp.MustCompile(`^(micro)?sd(uc|xc|hc)?express`)},
	{"microsd", regexp.MustCompile(`^micro|^tf(card)?$`)},
	{"sd", regexp.MustCompile(`^sd`)},
	{"other", regexp.MustCompile(`^cfe|^cfast$`)},
	{"cf", regexp.MustCompile(`^compactflash|^cf`)},
	{"usb", regexp.MustCompile(`^usb|^stick$|^drive$|^flashdrive$`)},
	{"emmc", regexp.MustCompile(`^emmc`)},
}

// formNamed returns the form that a typed text means: "microSDHC", "TF" and "micro SD" mean microsd. It returns "" for
// no text, and "other" for an unknown one.
func formNamed(typed string) string {
	if typed == "" || slices.Contains(Forms, typed) {
		return typed
	}
	words, _ := tokens(typed)
	s := joined(words)
	if s == "" || slices.Contains(Forms, s) {
		return s
	}
	for _, f := range reForms {
		if f.pattern.MatchString(s) {
			return f.form
		}
	}
	return "other"
}

// diskSizesGB are sizes of disks. Some flash modules are sold in them, although flash comes in powers of two. A typed
// disk size stays as it is.
var diskSizesGB = []float64{120, 240, 250, 480, 500, 960}

// parseCapacity converts a match of reCapacity, a number and its unit, to GB. It treats GiB as GB, because some people
// call a 32 GB card 32 GiB.
func parseCapacity(match []string) float64 {
	v, err := strconv.ParseFloat(match[1], 64)
	if err != nil || v <= 0 || v > 1e6 {
		return 0
	}
	switch match[2][0] {
	case 't':
		v *= 1000
	case 'm':
		v /= 1000
	}
	return marketedGB(v)
}

// marketedGB returns the size in GB under which a module of about gb GB (or GiB) is sold: 32 for 29.7, 31.9 and 32. A
// size that is near no marketed one keeps three digits. It returns 0 for an impossible capacity.
func marketedGB(gb float64) float64 {
	if !(gb > 0.001) || gb > 1e5 {
		return 0
	}
	if slices.Contains(diskSizesGB, gb) {
		return gb
	}
	power := math.Round(math.Log2(gb) + 0.04) // usable sizes are below the marketed one
	size := math.Exp2(power)
	if ratio := gb / size; ratio < 0.88 || ratio > 1.08 {
		digits := math.Pow(10, 2-math.Floor(math.Log10(gb)))
		return math.Round(gb*digits) / digits
	}
	if size >= 1024 {
		size = size / 1024 * 1000 // 1 TB, 2 TB
	}
	return size
}

// CapacityLabel returns a capacity in GB as a module prints it: "512 MB", "32 GB", "1 TB"; "" for zero.
func CapacityLabel(gb float64) string {
	switch {
	case gb <= 0:
		return ""
	case gb < 1 && gb*1024 == math.Trunc(gb*1024): // cards below 1 GB have capacities that are binary fractions of it
		return fmt.Sprintf("%g MB", gb*1024)
	case gb < 1:
		return fmt.Sprintf("%.3g MB", gb*1000)
	case gb >= 1000:
		return fmt.Sprintf("%.3g TB", gb/1000)
	}
	return fmt.Sprintf("%.3g GB", gb)
}
