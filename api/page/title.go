package page

import (
	"strings"
	"unicode/utf8"

	"flashdex/api/catalogue"
	"flashdex/api/page/chart"
	"flashdex/result"
)

// LongestTitle is how many letters of a title search engines and tabs show. longestDescription is the same for a
// description.
const (
	LongestTitle       = 59
	longestDescription = 160
)

// ModuleTitle is the title of a page about a module's 4K random write: "Samsung EVO Plus 32 GB: 768 IOPS, 8.5 times a
// laptop disk". If that is too long, it leaves out the form, the comparison or the figure. figure is in words; empty:
// none is known. iops is 0 if there is no single rate to compare.
func ModuleTitle(m catalogue.Module, figure string, iops float64) string {
	name := m.Name()
	if figure == "" {
		return name
	}
	titles := []string{name + ": " + figure}
	if iops > 0 {
		times := ", " + result.Number(result.Round(iops/chart.LaptopDiskIOPS, 2)) + " times a laptop disk"
		short := strings.TrimSuffix(name, " "+catalogue.FormLabel(m.Form))
		titles = []string{name + ": " + figure + times, short + ": " + figure + times, titles[0]}
	}
	for _, title := range titles {
		if utf8.RuneCountInString(title) <= LongestTitle {
			return title
		}
	}
	return name
}

// shorten cuts a text to at most this many letters.
func shorten(text string, most int) string {
	if letters := []rune(text); len(letters) > most {
		return string(letters[:most-1]) + "…"
	}
	return text
}
