package catalogue

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"flashdex/data"
)

// The words of data/devices.csv and data/device_facts.csv. data/README.md explains each of them.
var (
	deviceKinds = []string{"board", "computer", "console", "hand-held", "phone", "tablet", "camera", "action camera",
		"dash cam", "security camera", "drone", "flight controller", "router", "3D printer", "reader"}
	deviceProfiles = []string{"system", "video", "photos", "games", "retro", "apps", "files", "logs"}
	deviceSlots    = []string{"microSD", "SD", "microSD Express", "SD Express", "CF", "CFexpress Type A",
		"CFexpress Type B"}
	numericFacts = []string{"bus_mb_per_s", "measured_read_mb_per_s", "measured_write_mb_per_s", "max_capacity_gb"}
	deviceFacts  = append([]string{"slot", "bus_mode", "command_queue", "profile", "games_need", "kernel_name"},
		numericFacts...)
)

// checkDevices verifies devices.csv and device_facts.csv: each searched word leads to one device, and each fact has a
// source.
func (c *checker) checkDevices(fsys fs.FS) error {
	lines, leads := map[string]int{}, map[string]string{} // by slug: its line; by searched word: the slug
	err := eachRow(fsys, "devices.csv", func(r *row) error {
		slug, name, kind := r.get("slug"), r.get("name"), r.get("kind")
		switch {
		case !safeSlug(slug):
			return r.errorf("slug %q must be lower-case letters, digits and hyphens", slug)
		case lines[slug] > 0:
			return r.errorf("slug %q is already in line %d", slug, lines[slug])
		case name == "":
			return r.errorf("%s has no name", slug)
		case !slices.Contains(deviceKinds, kind):
			return r.errorf("kind %q of %s is not one of %s", kind, slug, strings.Join(deviceKinds, ", "))
		}
		lines[slug] = r.line
		words := []string{name}
		if aliases := r.get("aliases"); aliases != "" {
			words = append(words, strings.Split(aliases, "; ")...)
		}
		for _, word := range words {
			switch key := SearchKey(word); {
			case key == "":
				return r.errorf("the alias %q of %s has no letter or digit; aliases are separated by \"; \"", word, slug)
			case leads[key] == slug:
				return r.errorf("%q leads to %s already: case, spaces and punctuation don't count, \"+\" is \"plus\"", word, slug)
			case leads[key] != "":
				return r.errorf("%q of %s already leads to %s (line %d); an alias leads to one device", word, slug, leads[key],
					lines[leads[key]])
			default:
				leads[key] = slug
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.checkDeviceFacts(fsys, lines, leads)
}

// checkDeviceFacts verifies device_facts.csv. lines has the line of each device, and leads the device of each searched
// word.
func (c *checker) checkDeviceFacts(fsys fs.FS, lines map[string]int, leads map[string]string) error {
	const name = "device_facts.csv"
	values := map[string]map[string]string{} // by device and fact
	err := eachRow(fsys, name, func(r *row) error {
		device, fact, value, source := r.get("device"), r.get("fact"), r.get("value"), r.get("source")
		_, known := c.Source(source)
		_, dateErr := time.Parse(time.DateOnly, r.get("looked_at"))
		switch {
		case lines[device] == 0:
			return r.errorf("devices.csv has no device %q", device)
		case !slices.Contains(deviceFacts, fact):
			return r.errorf("fact %q of %s is not one of %s", fact, device, strings.Join(deviceFacts, ", "))
		case values[device][fact] != "":
			return r.errorf("%s has two rows for %s; join them, or keep the better source", device, fact)
		case source == "":
			return r.errorf("who says that the %s of %s is %s? A fact without a source stays out", fact, device, value)
		case !known && !isWebAddress(source):
			return r.errorf("the source %q of %s is neither a key of sources.csv nor a web address", source, device)
		case dateErr != nil:
			return r.errorf("looked_at %q is no date like 2026-11-25", r.get("looked_at"))
		}
		if values[device] == nil {
			values[device] = map[string]string{}
		}
		values[device][fact] = value
		if fact == "kernel_name" {
			return r.checkKernelNames(device, value, leads)
		}
		return r.checkFact(device, fact, value, busModeMBPerS[values[device]["bus_mode"]])
	})
	for device, line := range lines {
		if err == nil && values[device] == nil {
			err = fmt.Errorf("devices.csv:%d: %s has no fact in %s; a device needs at least one", line, device, name)
		}
	}
	return err
}

// checkFact verifies the value of a fact. mbPerS is what the device's bus mode carries; 0 if no row above says it.
func (r *row) checkFact(device, fact, value string, mbPerS float64) error {
	oneOf := func(words []string, values ...string) error {
		for _, v := range values {
			if !slices.Contains(words, v) {
				return r.errorf("%s %q of %s is not one of %s", fact, v, device, strings.Join(words, ", "))
			}
		}
		return nil
	}
	switch {
	case slices.Contains(numericFacts, fact):
		v := r.number("value")
		if v == 0 && r.err == nil {
			return r.errorf("%s of %s is not above 0; where nobody says it, leave the row out", fact, device)
		}
		if mbPerS > 0 && v > mbPerS && strings.HasSuffix(fact, "mb_per_s") {
			return r.errorf("%s of %s is %s, but its bus mode carries %v MB/s at most", fact, device, value, mbPerS)
		}
		return nil
	case fact == "slot":
		return oneOf(deviceSlots, strings.Split(value, "; ")...)
	case fact == "bus_mode":
		return oneOf(sortedKeys(busModeMBPerS), value)
	case fact == "profile":
		return oneOf(deviceProfiles, value)
	case fact == "games_need":
		return oneOf(Forms, value)
	}
	return oneOf([]string{"yes", "no"}, value) // command_queue
}

// checkKernelNames verifies that a host's name means one device, even if people type it.
func (r *row) checkKernelNames(device, value string, leads map[string]string) error {
	for _, name := range strings.Split(value, "; ") {
		key := SearchKey(name)
		switch of := leads[key]; {
		case key == "":
			return r.errorf("kernel_name %q of %s has no letter or digit; names are separated by \"; \"", name, device)
		case reVersion.MatchString(name):
			return r.errorf("kernel_name %q of %s ends in a version; leave it out", name, device)
		case of != "" && of != device:
			return r.errorf("kernel_name %q of %s already leads to %s; a name leads to one device", name, device, of)
		}
		leads[key] = device
	}
	return nil
}

func sortedKeys(m map[string]float64) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func isWebAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && !strings.ContainsAny(s, " \t")
}

func TestDeviceMistakesAreToldWithFileAndLine(t *testing.T) {
	t.Parallel()
	c := &checker{Catalogue: &Catalogue{Sources: []Source{{Key: "somebody_2020"}}}}
	const devices = "slug,name,aliases,kind\nacme-one,Acme One,one; a1,board\nacme-two,Acme Two+,two,camera\n"
	const facts = "device,fact,value,source,looked_at,note\n" +
		"acme-one,slot,microSD,https://acme.example/one,2026-11-25,\n" +
		"acme-one,bus_mode,High Speed,https://acme.example/one,2026-11-25,\n" +
		"acme-one,measured_read_mb_per_s,24,somebody_2020,2026-11-25,one card\n" +
		"acme-two,command_queue,no,https://acme.example/two,2026-11-25,\n" +
		"acme-two,profile,photos,https://acme.example/two,2026-11-25,\n" +
		"acme-two,kernel_name,Acme 2; 83E1,https://acme.example/two,2026-11-25,\n"
	check := func(devices, facts string) error {
		return c.checkDevices(fstest.MapFS{"devices.csv": {Data: []byte(devices)},
			"device_facts.csv": {Data: []byte(facts)}})
	}
	if err := check(devices, facts); err != nil {
		t.Fatalf("sound tables: %v", err)
	}
	for _, tc := range []struct{ name, old, new, want string }{
		{"slug twice", "acme-two,Acme Two+", "acme-one,Acme Two+", `devices.csv:3: slug "acme-one" is already in line 2`},
		{"unsafe slug", "acme-two,Acme Two+", "../two,Acme Two+", `devices.csv:3: slug "../two" must be lower-case`},
		{"no name", "acme-two,Acme Two+", "acme-two,", `devices.csv:3: acme-two has no name`},
		{"unknown kind", ",camera", ",toaster", `devices.csv:3: kind "toaster" of acme-two is not one of board,`},
		{"alias of two", ",two,", ",ONE,", `devices.csv:3: "ONE" of acme-two already leads to acme-one (line 2)`},
		{"alias that is a name", ",two,", ",acme-one,", `devices.csv:3: "acme-one" of acme-two already leads to acme-one`},
		{"alias that says the name", ",two,", ",acme two plus,", `"acme two plus" leads to acme-two already`},
		{"empty alias", ",two,", ",two; -,", `devices.csv:3: the alias "-" of acme-two has no letter`},
		{"device without facts", "kind\n", "kind\nacme-0,Acme 0,,board\n", `devices.csv:2: acme-0 has no fact`},
		{"unknown device", "acme-two,command", "acme-three,command", `facts.csv:5: devices.csv has no device "acme-three"`},
		{"unknown fact", ",command_queue,", ",colour,", `device_facts.csv:5: fact "colour" of acme-two is not one of slot,`},
		{"fact twice", ",profile,photos", ",command_queue,no", `facts.csv:6: acme-two has two rows for command_queue`},
		{"no source", "no,https://acme.example/two", "no,", `device_facts.csv:5: who says that the command_queue of`},
		{"unknown source", ",somebody_2020,", ",somebody,", `facts.csv:4: the source "somebody" of acme-one is neither`},
		{"source that is no address", "no,https://acme", "no,ftp://acme", `facts.csv:5: the source "ftp://acme.example`},
		{"no date", "2026-11-25,one card", "25.11.2026,one card", `device_facts.csv:4: looked_at "25.11.2026" is no date`},
		{"unknown slot", ",slot,microSD", ",slot,microSD; miniSD", `device_facts.csv:2: slot "miniSD" of acme-one is not`},
		{"unknown bus mode", ",High Speed", ",Fast", `device_facts.csv:3: bus_mode "Fast" of acme-one is not one of Default`},
		{"unknown profile", ",photos", ",fun", `device_facts.csv:6: profile "fun" of acme-two is not one of system,`},
		{"unknown form", "command_queue,no", "games_need,express", `games_need "express" of acme-two is not one of`},
		{"unknown state of a queue", ",command_queue,no", ",command_queue,maybe", `command_queue "maybe" of acme-two`},
		{"kernel name of another", "; 83E1", "; A1", `"A1" of acme-two already leads to acme-one`},
		{"kernel name with a version", "; 83E1", "; A3 v1.1", `device_facts.csv:7: kernel_name "A3 v1.1" of acme-two ends`},
		{"empty kernel name", "; 83E1", "; -", `device_facts.csv:7: kernel_name "-" of acme-two has no letter`},
		{"no number", ",24,", ",24 MB/s,", `device_facts.csv:4: value "24 MB/s" is not a number`},
		{"zero", ",24,", ",0,", `device_facts.csv:4: measured_read_mb_per_s of acme-one is not above 0`},
		{"faster than its bus", ",24,", ",26,", `device_facts.csv:4: measured_read_mb_per_s of acme-one is 26, but its bus`},
		{"missing column", "looked_at", "date", `device_facts.csv:1: no column "looked_at"`},
	} {
		if strings.Count(devices+facts, tc.old) != 1 {
			t.Errorf("%s: %q is not there once", tc.name, tc.old)
		}
		err := check(strings.Replace(devices, tc.old, tc.new, 1), strings.Replace(facts, tc.old, tc.new, 1))
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: error %v, want %q in it", tc.name, err, tc.want)
		}
	}
}

// data/README.md, where people look before they correct a row, defines the words.
func TestTheWordsOfDevicesAreExplained(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../data/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range [][]string{deviceKinds, deviceProfiles, deviceSlots, deviceFacts, sortedKeys(busModeMBPerS)} {
		for _, word := range words {
			if !strings.Contains(string(text), "`"+word+"`") {
				t.Errorf("data/README.md doesn't explain `%s`", word)
			}
		}
	}
}

// The devices that people search for most are found by the words that people use.
func TestDevicesAreFoundByTheWordsOfPeople(t *testing.T) {
	t.Parallel()
	leads := map[string]string{}
	err := eachRow(data.FS, "devices.csv", func(r *row) error {
		for _, word := range append(strings.Split(r.get("aliases"), "; "), r.get("name")) {
			leads[SearchKey(word)] = r.get("slug")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]string{"pi4": "raspberry-pi-4", "Pi 5": "raspberry-pi-5",
		"zero 2": "raspberry-pi-zero-2-w", "steam deck": "steam-deck", "Switch": "nintendo-switch",
		"Switch 2": "nintendo-switch-2"} {
		if got := leads[SearchKey(word)]; got != want {
			t.Errorf("%q leads to %q, want %q", word, got, want)
		}
	}
}
