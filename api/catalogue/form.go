package catalogue

import (
	"regexp"
	"slices"
	"strings"
)

// wantedForm is what the evidence says about a module's form.
type wantedForm struct {
	stated string // one of Forms, or empty
	sd     bool   // not stated, but in an SD slot: sd or microsd
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

// formOf reads the form from what was typed, then from the product's words, then from the bus. A USB bus says nothing: it
// may be a stick or a reader.
func formOf(e Evidence, words []string) wantedForm {
	f := formNamed(e.Form)
	if f == "sd" && (microSD(words) || reAdapter.MatchString(e.Form+" "+e.Product)) {
		f = "microsd" // in its adapter it goes into an SD slot
	}
	if f != "" {
		return wantedForm{stated: f}
	}
	has := func(of ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(of, w) })
	}
	switch {
	case microSD(words):
		return wantedForm{stated: "microsd"}
	case has("compactflash", "cf"):
		return wantedForm{stated: "cf"}
	case has("emmc") || e.Bus == "mmc":
		return wantedForm{stated: "emmc"}
	case has("usb"):
		return wantedForm{stated: "usb"}
	}
	return wantedForm{sd: e.Bus == "sd" || has("sd", "sdhc", "sdxc", "sdcard")}
}

var reAdapter = regexp.MustCompile(`(?i)\badapt[eo]r`)

// microSD reports whether a product's words say so. Only a microSD comes with an adapter, but people leave the word out.
func microSD(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "microsd") || w == "tf" })
}

// formNamed is the form that a typed word means: "microSDHC", "TF" and "micro SD" are microsd. Empty for empty.
func formNamed(typed string) string {
	words, _ := tokens(typed)
	s := joined(words)
	switch {
	case s == "":
		return ""
	case slices.Contains(Forms, s):
		return s
	case strings.HasPrefix(s, "microsd") || strings.HasPrefix(s, "micro") || s == "tf" || s == "tfcard":
		return "microsd"
	case strings.HasPrefix(s, "sd"):
		return "sd"
	case strings.HasPrefix(s, "compactflash") || strings.HasPrefix(s, "cf") && !strings.HasPrefix(s, "cfe") && s != "cfast":
		return "cf"
	case strings.HasPrefix(s, "usb") || s == "stick" || s == "drive" || s == "flashdrive":
		return "usb"
	case strings.HasPrefix(s, "emmc") || s == "mmc":
		return "emmc"
	}
	return "other"
}
