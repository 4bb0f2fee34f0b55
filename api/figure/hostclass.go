package figure

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"flashdex/result"
)

// HostClass is a kind of host. Modules are compared within one.
type HostClass struct{ Key, Label string }

// HostClasses lists them in the order of the tables.
var HostClasses = []HostClass{
	{"pi-5", "Raspberry Pi 5"}, {"pi-4", "Raspberry Pi 4"}, {"pi-3", "Raspberry Pi 3"},
	{"pi-zero-2", "Raspberry Pi Zero 2"},
	{"pi-2", "Raspberry Pi 2"}, {"pi-1", "Raspberry Pi 1 and Zero"},
	{"slot", "another card slot"}, {"usb-3", "USB 3"}, {"usb-2", "USB 2"}, {"usb-1", "USB 1"}, {"ata", "ATA"},
	{otherHosts, "another host"},
}

// otherHosts is the key of the class for hosts that belong to no other class.
const otherHosts = "other"

// HostClassLabel returns the label of a host class.
func HostClassLabel(key string) string {
	for _, class := range HostClasses {
		if class.Key == key {
			return class.Label
		}
	}
	return key
}

// boards maps prefixes of Raspberry Pis' names (device-tree/model) to host classes, longer ones first.
var boards = []struct{ begins, class string }{
	{"Raspberry Pi Zero 2", "pi-zero-2"}, {"Raspberry Pi Zero", "pi-1"},
	{"Raspberry Pi Compute Module 5", "pi-5"}, {"Raspberry Pi Compute Module 4", "pi-4"},
	{"Raspberry Pi Compute Module 3", "pi-3"}, {"Raspberry Pi Compute Module", "pi-1"},
	{"Raspberry Pi 5", "pi-5"}, {"Raspberry Pi 4", "pi-4"}, {"Raspberry Pi 3", "pi-3"}, {"Raspberry Pi 2", "pi-2"},
	{"Raspberry Pi Model", "pi-1"},
}

// hostClassOf returns the host class of a run: by the link of a USB reader or stick, else by the board's own slot. A
// stack has the class that all of its members share, or otherHosts.
func hostClassOf(d *result.Document) string {
	class := ""
	for i, device := range d.Devices() {
		switch of := hostClassOfDevice(d, device); {
		case i == 0:
			class = of
		case of != class:
			return otherHosts
		}
	}
	return class
}

func hostClassOfDevice(d *result.Document, device *result.Identity) string {
	if usb := device.USB; usb != nil {
		switch speed := usb.SpeedMbitPerS; {
		case speed > 480:
			return "usb-3"
		case speed > 12:
			return "usb-2"
		case speed > 0:
			return "usb-1"
		}
		return otherHosts
	}
	switch device.Bus {
	case "sd", "mmc":
		for _, board := range boards {
			if strings.HasPrefix(d.Host.Board, board.begins) {
				return board.class
			}
		}
		return "slot"
	case "ata":
		return "ata"
	}
	return otherHosts
}

// maxBoards limits how many models of hosts a summary names. It names the ones with the most units.
const maxBoards = 12

// BoardUnits counts the units of a module that were measured in hosts of one model.
type BoardUnits struct {
	Board string `json:"board"` // without its revision
	Units int    `json:"units"`
}

var reRevision = regexp.MustCompile(` Rev \d+(\.\d+)?$`)

// boardNames returns the models of hosts in which a unit was measured, each once and without its revision: "Raspberry
// Pi 4 Model B" of "Raspberry Pi 4 Model B Rev 1.4".
func boardNames(u *Unit) (names []string) {
	for _, b := range u.Boards {
		if name := reRevision.ReplaceAllString(b, ""); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// mostUsed lists the models with the most units.
func mostUsed(units map[string]int) []BoardUnits {
	all := make([]BoardUnits, 0, len(units))
	for board, n := range units {
		all = append(all, BoardUnits{board, n})
	}
	slices.SortFunc(all, func(a, b BoardUnits) int {
		return cmp.Or(cmp.Compare(b.Units, a.Units), strings.Compare(a.Board, b.Board))
	})
	return all[:min(len(all), maxBoards)]
}
