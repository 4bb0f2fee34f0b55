package figure

import (
	"cmp"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/result"
)

// A kind of host is the finest class of hosts that a run shows, as class/queue/model. class is a key of HostClasses.
// queue says whether the card's command queue was on. model is the board's if its own slot was used, else the reader's
// USB ids. So a coarser class is the beginning of a kind, up to a slash: pi-5, pi-5/queue, pi-5/queue/Raspberry Pi 5
// Model B.
const (
	kindQueue   = "queue"
	kindNoQueue = "no-queue"
	kindUnknown = "-" // a queue or model that doesn't exist or that the kernel doesn't show
)

// maxModel limits the bytes of a model in a kind of host. The longest name of a Raspberry Pi has 35.
const maxModel = 48

var kindsOfQueue = map[string]string{result.QueueOn: kindQueue, result.QueueOff: kindNoQueue}

// hostKindOf returns the kind of host of a run. For a stack only the class that its members share is known.
func hostKindOf(d *result.Document) string {
	queue, model := kindUnknown, kindUnknown
	bus, usb := d.Identity.Bus, d.Identity.USB
	switch {
	case usb != nil:
		model = modelOf(usb.VendorID + ":" + usb.ProductID)
	case bus == "sd" || bus == "mmc":
		queue, model = cmp.Or(kindsOfQueue[d.Host.CommandQueue], kindUnknown), modelOf(d.Host.Board)
	}
	return strings.Join([]string{hostClassOf(d), queue, model}, "/")
}

// placeholders are what makers of boards leave in place of a name.
var placeholders = map[string]bool{
	"To Be Filled By O.E.M.": true, "To be filled by O.E.M.": true, "System Product Name": true, "Default string": true,
	"Not Applicable": true, "Not Specified": true, "None": true, "Unknown": true,
}

// modelOf returns a name as part of a kind of host: without its revision, and only with letters, digits and signs that
// mean nothing in a path, a page or a table, because anybody may upload any name. If nothing is left, the model is
// unknown.
func modelOf(name string) string {
	name = strings.Map(func(r rune) rune {
		if isAlphanumeric(r) || strings.ContainsRune(".,:+-_()", r) {
			return r
		}
		return ' '
	}, name)
	name = reRevision.ReplaceAllString(strings.Join(strings.Fields(name), " "), "")
	name = strings.TrimSpace(name[:min(len(name), maxModel)])
	if !strings.ContainsFunc(name, isAlphanumeric) || placeholders[name] {
		return kindUnknown
	}
	return name
}

func isAlphanumeric(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// BoardOf returns the name of a host's board; empty: it has none, or only a placeholder, so nobody can tell whether
// another host is the same.
func BoardOf(h result.Host) string {
	if modelOf(h.Board) == kindUnknown {
		return ""
	}
	return h.Board
}

// baseOf returns the key of HostClasses that a class or kind of host is part of.
func baseOf(kind string) string {
	base, _, _ := strings.Cut(kind, "/")
	if !slices.ContainsFunc(HostClasses, func(class HostClass) bool { return class.Key == base }) {
		return otherHosts
	}
	return base
}

// modelIn returns the model in a kind of host.
func modelIn(kind string) string { return kind[strings.LastIndexByte(kind, '/')+1:] }

// KindLabel puts a class or kind of host, or of published figures, into words: "Raspberry Pi 5 Model B, command queue
// on", "USB 3, reader 05e3:0749 (Genesys Logic, Inc. SD Card Reader and Writer)". The catalogue knows the names of
// readers.
func KindLabel(key string, c *catalogue.Catalogue) string {
	if label, published := PublishedLabel(key); published {
		return label
	}
	parts := append(strings.SplitN(key, "/", 3), "", "")
	class, queue, model := parts[0], parts[1], parts[2]
	label := HostClassLabel(class)
	switch {
	case model == "" || model == kindUnknown:
	case strings.HasPrefix(class, "usb-"):
		label += ", reader " + model
		if name := c.USBName(model); name != "" {
			label += " (" + name + ")"
		}
	case strings.HasPrefix(class, "pi-"):
		label = model
	default:
		label += ", " + model
	}
	switch queue {
	case kindQueue:
		label += ", command queue on"
	case kindNoQueue:
		label += ", command queue off"
	}
	return label
}
