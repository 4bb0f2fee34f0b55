package catalogue

import (
	"slices"
	"testing"

	"flashdex/data"
)

func loaded(t *testing.T) *Catalogue {
	t.Helper()
	c, err := Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A figure of another model would be a lie about this one.
func TestAHostsNameMeansADeviceOnlyIfNoOtherModelIsMeant(t *testing.T) {
	t.Parallel()
	c := loaded(t)
	for host, want := range map[string]string{
		"Raspberry Pi 4 Model B Rev 1.4": "raspberry-pi-4", "Raspberry Pi 4 model B (Ubuntu 20.04)": "raspberry-pi-4",
		"Raspberry Pi 4 2GB": "raspberry-pi-4", "Raspberry Pi 3 Model B": "raspberry-pi-3",
		"Raspberry Pi 3 Model B+": "raspberry-pi-3-b-plus", "Raspberry Pi Zero 2 W Rev 1.0": "raspberry-pi-zero-2-w",
		"Raspberry Pi 3 Model A Plus": "", "Raspberry Pi 400": "raspberry-pi-400", "Raspberry Pi": "", "x86_64": "", "": "",
		"Raspberry Pi 4 Compute": "", "Raspberry Pi 2 3": "",
		"Raspberry Pi 3 Model B Plus Rev 1.3": "raspberry-pi-3-b-plus", "Raspberry Pi Model B Plus Rev 1.2": "raspberry-pi-1",
		"Raspberry Pi Model B Rev 2": "", "Hardkernel ODROID-C4": "odroid-c4", "Hardkernel ODROID-N2Plus": "odroid-n2-plus",
		"Hardkernel ODROID-N2L": "", "Xunlong Orange Pi 5": "orange-pi-5", "Xunlong Orange Pi 5 Ultra": "",
		"Xunlong Orange Pi 3B v2.1": "orange-pi-3b", "TI AM335x BeagleBone Black": "beaglebone-black",
		"Pine64 RockPro64 v2.1": "pine64-rockpro64", "pine64 rock64": "pine64-rock64",
		"StarFive VisionFive 2 v1.2A": "starfive-visionfive-2", "StarFive VisionFive 2 Lite": "",
		"StarFive VisionFive V2": "starfive-visionfive-2", "Libre Computer AML-S905X-CC V2": "",
		"Radxa ROCK 5 Model B": "radxa-rock-5b", "FriendlyElec NanoPi M4 Ver2.0": "", "FriendlyElec NanoPi M4": "nanopi-m4",
		"Anbernic RG353VS": "anbernic-rg353", "Anbernic RG353PS": "", "The Fairphone (Gen. 6)": "fairphone-6",
		"Apple MacBook Pro (16-inch, M1 Max, 2021)": "macbook-pro-2021", "Apple MacBook Pro (16-inch, M3 Max, 2023)": "",
		"Jupiter": "steam-deck", "Galileo": "steam-deck", "83E1": "legion-go", "83N6": "legion-go-s", "83N0": "",
		"ROG Ally RC71L_RC71L": "rog-ally", "ROG Ally X RC72LA_RC72LA": "",
		"ROG Xbox Ally RC73YA_RC73YA": "rog-xbox-ally", "ROG Xbox Ally X RC73XA_RC73XA": "rog-xbox-ally-x",
	} {
		if d, _ := c.DeviceOf(host); d.Slug != want {
			t.Errorf("%q means %q, want %q", host, d.Slug, want)
		}
	}
}

// If several cards reach the same limit, no other card is faster.
func TestASlotCarriesNoMoreThanWhatAllCardsEndAt(t *testing.T) {
	t.Parallel()
	c := loaded(t)
	hosts, err := loadPublishedHosts(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	limited, withoutQueue := map[string]bool{}, map[string]bool{}
	for _, h := range hosts {
		d, ok := c.DeviceOf(h.name)
		if !ok || h.on != interfaceCard {
			continue
		}
		if h.mbPerS > 0 {
			limited[d.Slug] = true
			if carries := d.BusMBPerS(); carries == 0 || carries > 1.05*h.mbPerS {
				t.Errorf("cards end at %v MB/s in %s, which carries %v", h.mbPerS, d.Name, carries)
			}
		}
		if h.commandQueue == "none" {
			withoutQueue[d.Slug] = true
			if f, _ := d.Fact("command_queue"); f.Value != "no" {
				t.Errorf("%s has no command queue, but its fact says %q", d.Name, f.Value)
			}
		}
	}
	if len(limited) < 5 || len(withoutQueue) < 5 {
		t.Errorf("%d devices end at a rate, %d have no command queue", len(limited), len(withoutQueue))
	}
}

// The first version of SD Express carries a quarter of what the latest does.
func TestWhatABusCarriesByItsVersion(t *testing.T) {
	t.Parallel()
	express := DeviceFact{Key: "bus_mode", Value: "SD Express"}
	for _, c := range []struct {
		facts []DeviceFact
		want  float64
	}{
		{[]DeviceFact{express}, 985}, {[]DeviceFact{express, {Key: "bus_mb_per_s", Value: "1969"}}, 0},
		{[]DeviceFact{{Key: "bus_mode", Value: "UHS-II"}}, 0}, {nil, 0},
	} {
		if from := (Device{Facts: c.facts}).BusFromMBPerS(); from != c.want {
			t.Errorf("%+v: from %v MB/s, want %v", c.facts, from, c.want)
		}
	}
}

func TestASlotCarriesWhatASourceSaysElseWhatItsModeDoes(t *testing.T) {
	t.Parallel()
	c := loaded(t)
	for slug, want := range map[string]float64{"anbernic-rg353": 75, "jetson-orin-nano": 104, "asus-tinker-board": 25,
		"lego-ev3": 0} {
		d, ok := first(c.Devices, func(d Device) bool { return d.Slug == slug })
		if carries := d.BusMBPerS(); !ok || carries != want {
			t.Errorf("%s: %v MB/s, want %v", slug, carries, want)
		}
	}
}

func TestOnlyFormsThatFitTheSlotAreListed(t *testing.T) {
	t.Parallel()
	for slots, want := range map[string][]string{"microSD": {"microsd"}, "SD; CF": {"sd", "cf"},
		"SD; CFexpress Type B": {"sd"}, "microSD Express": {"sdexpress", "microsd"}} {
		d := Device{Facts: []DeviceFact{{Key: "slot", Value: slots}}}
		if got := d.Forms(); !slices.Equal(got, want) {
			t.Errorf("%s takes %v, want %v", slots, got, want)
		}
	}
	if forms := (Device{}).Forms(); forms != nil {
		t.Errorf("a slot that nobody describes takes %v", forms)
	}
	for _, slot := range deviceSlots {
		for _, form := range slotForms[slot] {
			if !slices.Contains(Forms, form) {
				t.Errorf("%s takes the form %q, which is none", slot, form)
			}
		}
	}
}

// The device's maker says that ordinary microSD cards fit, but that games need others. This is no rule for all such
// slots.
func TestACardThatFitsNeedNotSuffice(t *testing.T) {
	t.Parallel()
	d, _ := first(loaded(t).Devices, func(d Device) bool { return d.Slug == "nintendo-switch-2" })
	both := []string{"sdexpress", "microsd"}
	if fits := d.Forms(); !slices.Equal(fits, both) {
		t.Errorf("%v fit", fits)
	}
	if forms := d.FormsFor("games"); !slices.Equal(forms, both[:1]) {
		t.Errorf("it loads games from %v", forms)
	}
	if forms := d.FormsFor("files"); !slices.Equal(forms, both) {
		t.Errorf("it keeps files on %v", forms)
	}
	other := Device{Facts: []DeviceFact{{Key: "slot", Value: "microSD Express"}}}
	if forms := other.FormsFor("games"); !slices.Equal(forms, both) {
		t.Errorf("another loads games from %v", forms)
	}
}

func TestEachDeviceHasItsFacts(t *testing.T) {
	t.Parallel()
	facts, c := 0, loaded(t)
	for _, d := range c.Devices {
		facts += len(d.Facts)
		for _, f := range d.Facts {
			if f.Value == "" || f.Source == "" || f.LookedAt == "" {
				t.Errorf("%s: %+v", d.Slug, f)
			}
		}
	}
	if len(c.Devices) < 60 || facts < 2*len(c.Devices) {
		t.Errorf("%d devices with %d facts", len(c.Devices), facts)
	}
}

// People need cards for these as often as for boards and cameras, so several devices of each kind have a page.
func TestDevicesOfEachKindHaveASlot(t *testing.T) {
	t.Parallel()
	have := map[string]int{}
	for _, d := range loaded(t).Devices {
		if len(d.Forms()) > 0 {
			have[d.Kind]++
		}
	}
	kinds := []string{"board", "camera", "console", "dash cam", "drone", "hand-held", "phone", "reader", "router"}
	for _, kind := range kinds {
		if have[kind] < 3 {
			t.Errorf("%d devices are a %s with a known slot, want three", have[kind], kind)
		}
	}
}
