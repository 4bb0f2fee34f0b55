package catalogue_test

import (
	"slices"
	"strings"
	"testing"

	"flashdex/api/catalogue"
)

// Each listed module is typed with a change in front, within or behind that makes it another product or contradicts it.
// None may be taken for a listed module, unless that module has the changed name.
func TestAChangedNameIsTakenForNoListedModule(t *testing.T) {
	t.Parallel()
	c := load(t)
	others := strings.Split("clone|fake|like|not|compatible|vs|or|case for|replacement for|копия|falso|假|仿|kein|"+
		"Plus|Max|Select|Fit|II|III|2|3|One|Two|G3|Gen 2|V2|Mini|Lite|Gold|Ultra|EVO|Extreme|Endurance|Canvas|2017|2021|"+
		"Gaming|Type-C|R|W|SSD|NVMe|CFexpress|XQD|UHS-II|A1 A2|U1 U3|U1 V30|C4 U1|C4 A1|V90|V60|1066x|175MB/s|"+
		"Samsumg|Kingspec|SDSQUNC-512G|MB-ME512KA|SDCS2/512GB", "|")
	contradicting := map[string]string{
		"microsd": "CF|USB 3.0|USB stick|eMMC|C2", "sd": "CF|CompactFlash|USB stick|eMMC|C2",
		"cf": "microSD|SDHC|TF|USB stick|C10|U3|V30", "usb": "microSD|SDXC|TF|CF|C10|U3|V30",
	}
	tried := 0
	for i, m := range c.Modules {
		if m.Vendor == "" || m.Provisional || m.Form == "emmc" {
			continue
		}
		size := catalogue.CapacityLabel(m.CapacityGB) + " " + catalogue.FormLabel(m.Form)
		for j, change := range append(strings.Split(contradicting[m.Form], "|"), others...) {
			name := m.Vendor + " " + m.Product + " " + change + " " + size
			switch count := slices.Contains([]string{"2", "3", "Two"}, change); {
			case (i+j)%3 == 1:
				name = m.Vendor + " " + m.Product + " " + size + " " + change
			case (i+j)%3 == 2 && !count: // a count stands in front
				name = change + " " + m.Vendor + " " + m.Product + " " + size
			}
			if strings.HasSuffix(name, "USB 2") || strings.HasSuffix(name, "USB 3") {
				continue // the bus version, which may be typed
			}
			tried++
			if got, listed := c.Module(resolve(c, typed("", name, 0, "")).Slug); listed && !says(got, change) {
				t.Errorf("%q is taken for %s", name, got.Slug)
			}
		}
	}
	if tried < 5000 {
		t.Errorf("%d names, want at least 5,000", tried)
	}
}

// says reports whether a module has the words of a change in its names, classes or rates.
func says(m catalogue.Module, change string) bool {
	own := strings.ToLower(m.Vendor + " " + m.Product + " " + strings.Join(append(m.Aliases, m.Classes...), " "))
	plain := strings.NewReplacer("class ", "c", "+", "plus", "-", " ").Replace
	own = plain(own)
	return !slices.ContainsFunc(strings.Fields(plain(strings.ToLower(change))), func(w string) bool {
		return !slices.Contains(strings.Fields(own), w)
	})
}
