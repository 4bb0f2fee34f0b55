package device

import (
	"slices"
	"strings"
)

// diskName is what the kernel's lines call a disk, or a part of it: the name, part and a number. Regular expressions would
// say it shorter, and make the client 250 kB larger.
type diskName struct {
	name, part string
	parts      bool // there are such
}

// namesOf finds the names by which the kernel's lines call the disk: its own and its partitions', and those of its SCSI
// address, its mmc host, its USB and ATA port.
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
			names = append(names, diskName{element, ".", true}) // and the device at the port
		case isUSB && areNumbers(hub) && areNumbers(strings.Split(port, ".")...):
			names = append(names, diskName{name: "usb " + element})
		}
	}
	return names
}

func areNumbers(texts ...string) bool {
	return !slices.ContainsFunc(texts, func(text string) bool { return text == "" || strings.Trim(text, Digits) != "" })
}

// mentions reports whether one of the names, or of a part, stands in a message for itself.
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

// tellsTrouble reports whether a message says that something went wrong.
func tellsTrouble(message string) bool {
	const within = Letters + Digits + "_"
	message = strings.ToLower(message)
	return slices.ContainsFunc([]string{"error", "failed", "timeout", "time-out", "timed out", "reset"}, func(word string) bool {
		return hasWord(message, word, within, func(after string) bool { return endsBefore(after, within) })
	})
}

// hasWord looks for a word that no character of within stands before, and after which it ends.
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
