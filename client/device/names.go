package device

import (
	"slices"
	"strings"
)

// diskName is a name of a disk in the kernel's log. Its parts have the same name with part and a number after it.
// Regular expressions would be shorter, but make the client 250 kB larger.
type diskName struct {
	name, part string
	parts      bool // there are parts
}

// namesOf finds the names of the disk in the kernel's log: its own and its partitions', its SCSI address, its mmc host,
// its USB port and its ATA port.
func namesOf(d Disk) []diskName {
	own := diskName{d.Name, "", true} // sda1
	if strings.ContainsAny(d.Name[len(d.Name)-1:], Digits) {
		own.part = "p" // mmcblk0p1
	}
	names := []diskName{own}
	for _, host := range mmcHosts(d.dir) {
		names = append(names, diskName{name: host})
	}
	for element := range strings.SplitSeq(d.dir, "/") {
		ata, isATA := strings.CutPrefix(element, "ata")
		hub, port, isUSB := strings.Cut(element, "-")
		switch address := strings.Split(element, ":"); {
		case len(address) == 4 && areNumbers(address...):
			names = append(names, diskName{name: element})
		case isATA && areNumbers(ata):
			names = append(names, diskName{element, ".", true}) // the parts are the devices at the port
		case isUSB && areNumbers(hub) && areNumbers(strings.Split(port, ".")...):
			names = append(names, diskName{name: "usb " + element})
		}
	}
	return names
}

func areNumbers(texts ...string) bool {
	return !slices.ContainsFunc(texts, func(text string) bool { return text == "" || strings.Trim(text, Digits) != "" })
}

// mentions reports whether a message contains one of the names, or a part's, as a word.
func mentions(message string, names []diskName) bool {
	const within, further = Letters + Digits, Letters + Digits + "."
	return slices.ContainsFunc(names, func(n diskName) bool {
		return hasWord(message, n.name, within, func(after string) bool {
			if endsBefore(after, further) {
				return true
			}
			number, isPart := strings.CutPrefix(after, n.part)
			rest := strings.TrimLeft(number, Digits)
			return n.parts && isPart && len(rest) < len(number) && endsBefore(rest, further)
		})
	})
}

// isTrouble reports whether a message is about an error.
func isTrouble(message string) bool {
	const within = Letters + Digits + "_"
	message = strings.ToLower(message)
	return slices.ContainsFunc([]string{"error", "failed", "timeout", "time-out", "timed out", "reset"},
		func(word string) bool {
			return hasWord(message, word, within, func(after string) bool { return endsBefore(after, within) })
		})
}

// hasWord looks for a word with no character of within before it, and for which ends accepts the text after it.
func hasWord(text, word, within string, ends func(after string) bool) bool {
	for at := 0; ; at++ {
		next := strings.Index(text[at:], word)
		if next < 0 {
			return false
		}
		at += next
		if (at == 0 || !strings.Contains(within, text[at-1:at])) && ends(text[at+len(word):]) {
			return true
		}
	}
}

func endsBefore(after, within string) bool {
	return after == "" || !strings.Contains(within, after[:1])
}
