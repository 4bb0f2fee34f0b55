package catalogue

import (
	"cmp"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Device is a device that people put cards into.
type Device struct {
	Slug, Name string
	Aliases    []string // what else people type to find it
	Kind       string   // "board", "camera", ...
	Facts      []DeviceFact
}

// DeviceFact is one thing that a source says of a device's card slot. data/README.md lists the keys and their values.
type DeviceFact struct {
	Key, Value string
	Source     string // a web address, or the key of a Source
	LookedAt   string // day: YYYY-MM-DD
	Note       string // may be empty
}

// OneRowMBPerS is the most that a card with one row of contacts carries, in 10^6 bytes per second. Even in a UHS-II
// slot it works as a UHS-I card.
const OneRowMBPerS = 104

// sdExpress is a bus mode whose later versions carry more.
const sdExpress = "SD Express"

// busModeMBPerS holds the most that each bus mode carries, in 10^6 bytes per second. For sdExpress it holds the latest
// version's. The SD Association lists them:
// https://www.sdcard.org/developers/sd-standard-overview/bus-speed-default-speed-high-speed-uhs-sd-express/. SPI is one
// line at 50 MHz.
var busModeMBPerS = map[string]float64{
	"SPI": 6.25, "Default Speed": 12.5, "High Speed": 25, "UHS-I": OneRowMBPerS, "UHS-I SDR50": 50, "UHS-I DDR50": 50,
	"UHS-I SDR104": OneRowMBPerS, "UHS-II": 312, sdExpress: 3938,
}

// slotForms are the forms that fit a slot without an adapter. An SD Express card also works in an ordinary slot, but as
// an ordinary card, and its figures come from another slot.
var slotForms = map[string][]string{
	"microSD": {"microsd"}, "SD": {"sd"}, "CF": {"cf"}, "microSD Express": {"sdexpress", "microsd"},
	"SD Express": {"sdexpress", "sd"},
}

// Fact returns a fact about a device by its key.
func (d Device) Fact(key string) (DeviceFact, bool) {
	return first(d.Facts, func(f DeviceFact) bool { return f.Key == key })
}

// Number returns a fact that is a number; 0: no source states it.
func (d Device) Number(key string) float64 {
	f, _ := d.Fact(key)
	v, _ := strconv.ParseFloat(f.Value, 64)
	return v
}

// MBPerS returns the rate that the fact states. For a bus mode it is the most that the mode carries. 0: the fact states
// none.
func (f DeviceFact) MBPerS() float64 {
	switch {
	case f.Key == "bus_mode":
		return busModeMBPerS[f.Value]
	case strings.HasSuffix(f.Key, "_mb_per_s"):
		v, _ := strconv.ParseFloat(f.Value, 64)
		return v
	}
	return 0
}

// values returns the values of a fact that may have several; nil: no source states it.
func (d Device) values(key string) []string {
	f, ok := d.Fact(key)
	if !ok {
		return nil
	}
	return strings.Split(f.Value, "; ")
}

// Slots returns the kinds of cards that fit, as the source names them. The other facts are about the first kind.
func (d Device) Slots() []string { return d.values("slot") }

// Forms are the forms of modules that fit the device's slots.
func (d Device) Forms() (forms []string) {
	for _, slot := range d.Slots() {
		for _, form := range slotForms[slot] {
			forms = appendNew(forms, form)
		}
	}
	return forms
}

// FormsFor returns the forms of modules that fit and that suffice for the device's use of a card.
func (d Device) FormsFor(profile string) []string {
	if need, told := d.Fact(profile + "_need"); told {
		return []string{need.Value}
	}
	return d.Forms()
}

// BusMBPerS is the most that the slot's bus carries, in 10^6 bytes per second; 0: not known.
func (d Device) BusMBPerS() float64 {
	f, _ := d.Fact("bus_mode")
	return cmp.Or(d.Number("bus_mb_per_s"), f.MBPerS())
}

// BusFromMBPerS returns the least that the slot's bus carries, in 10^6 bytes per second, if that depends on the bus
// version and no source states the version; else 0.
func (d Device) BusFromMBPerS() float64 {
	if f, _ := d.Fact("bus_mode"); f.Value == sdExpress && d.Number("bus_mb_per_s") == 0 {
		return 985 // the first version has one lane of PCIe 3
	}
	return 0
}

// hostWords may follow the name of a device in the name of a host: "Raspberry Pi 4 Model B Rev 1.4 2GB".
var hostWords = []string{"model", "a", "b", "rev", "revision", "1gb", "2gb", "4gb", "8gb", "16gb", "board"}

// reVersion matches a version that follows the model in a host's name without making it another model: " Rev 1.3", "
// v1.2A". A "V2" makes it another model.
var reVersion = regexp.MustCompile(`(?i) (rev(ision)? \S+|v\d+\.[\w.]+)$`)

// DeviceOf returns the device that a host's name means. First it looks for the device that the kernel calls so, in any
// version. Else it takes the device with the longest name or alias that begins the host's name, unless a word follows
// that may mean another model.
func (c *Catalogue) DeviceOf(host string) (found Device, ok bool) {
	key := SearchKey(reVersion.ReplaceAllString(host, ""))
	isIt := func(name string) bool { return SearchKey(name) == key }
	if d, ok := first(c.Devices, func(d Device) bool { return slices.ContainsFunc(d.values("kernel_name"), isIt) }); ok {
		return d, true
	}
	if at := strings.IndexAny(host, "(,@"); at > 0 {
		host = host[:at]
	}
	words, longest := strings.Fields(strings.ToLower(host)), 0
	for _, d := range c.Devices {
		for _, name := range append([]string{d.Name}, d.Aliases...) {
			of := strings.Fields(strings.ToLower(name))
			if len(of) > longest && len(of) <= len(words) && slices.Equal(of, words[:len(of)]) {
				found, longest = d, len(of)
			}
		}
	}
	another := func(word string) bool {
		version := strings.Trim(word, "0123456789.") == "" && strings.Contains(word, ".")
		return !version && !slices.Contains(hostWords, word)
	}
	if longest == 0 || slices.ContainsFunc(words[longest:], another) {
		return Device{}, false
	}
	return found, true
}

// SearchKey is a name as searches compare it: case, spaces and punctuation don't count, "+" is "plus".
func SearchKey(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ReplaceAll(strings.ToLower(s), "+", "plus"))
}

func (c *Catalogue) loadDevices(fsys fs.FS) error {
	at := map[string]int{}
	if err := eachRow(fsys, "devices.csv", func(r *row) error {
		d := Device{Slug: r.get("slug"), Name: r.get("name"), Kind: r.get("kind")}
		if aliases := r.get("aliases"); aliases != "" {
			d.Aliases = strings.Split(aliases, "; ")
		}
		at[d.Slug] = len(c.Devices)
		c.Devices = append(c.Devices, d)
		return nil
	}); err != nil {
		return err
	}
	return eachRow(fsys, "device_facts.csv", func(r *row) error {
		i, ok := at[r.get("device")]
		if !ok {
			return r.errorf("devices.csv has no device %q", r.get("device"))
		}
		c.Devices[i].Facts = append(c.Devices[i].Facts, DeviceFact{Key: r.get("fact"), Value: r.get("value"),
			Source: r.get("source"), LookedAt: r.get("looked_at"), Note: r.get("note")})
		return nil
	})
}
