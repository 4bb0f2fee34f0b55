package health

import "slices"

// DropsOff returns why an SD card of this manufacturer and OEM (0x000074, 0x4a45) and size must not be asked by CMD56:
// a card of its kind vanished from its computer after it. It is "" for cards of which nobody reported that. The reports
// are the rows of data/health.csv that say harmful. The registers of the reported card aren't published, so all cards
// that it may be are spared: those whose ids anybody takes for its maker's (data/manufacturer_ids.csv), Samsung's among
// them, and those that name no manufacturer.
func DropsOff(manufacturer, oem string, sizeBytes int64) string {
	const gb = 1e9
	mayBeTranscend := oem == "0x4a45" || oem == "0x4a60" ||
		slices.Contains([]string{"", "0x000074", "0x00001b", "0x00001c", "0x00001e"}, manufacturer)
	if mayBeTranscend && sizeBytes > 14*gb && sizeBytes < 17*gb {
		return "a Transcend Ultimate of 16 GB was gone from its computer after such a request, until the next start, and " +
			"by its registers this card may be of its kind"
	}
	return ""
}

// Ask returns the dialects in which an SD card with these registers may answer, most likely first. What is sent is as
// little as can find an answer: the requests of Silicon Motion, Micron and Swissbit go to cards of the makers that use
// them, and those of the two-step dialect, the only one that writes, to cards that writesToController allows.
func Ask(manufacturer, oem, name, hardware, firmware string) []string {
	switch {
	case writesToController(manufacturer, oem, name, hardware, firmware):
		return []string{SanDisk, TwoStep}
	case manufacturer == "0x000074" || oem == "0x4a45" || oem == "0x4a60": // Transcend
		return []string{ADATA, Transcend, SanDisk}
	case manufacturer == "0x00001d" || oem == "0x4144": // ADATA
		return []string{ADATA, SanDisk}
	case manufacturer == "0x00005d": // Swissbit
		return []string{Swissbit, SanDisk}
	case manufacturer == "0x000013" || manufacturer == "0x0000fe": // Micron, by its numbers of eMMC
		return []string{Micron, SanDisk}
	}
	return []string{SanDisk}
}

// writesToController reports whether a card may get the 512 zeros with which the two-step dialect begins. They go to
// cards of makers of whose cards such an answer is published (data/health_dumps.csv), and to those of Longsys, whose
// layout it is by the same file. No number that somebody takes for another maker's (data/manufacturer_ids.csv) is among
// them: so not 0x00009f, which is Kingston's for some and Texas Instruments' for others. One answer is of a card that
// calls itself SanDisk's. It has the name SD128 and the revision 8.5.
func writesToController(manufacturer, oem, name, hardware, firmware string) bool {
	switch manufacturer {
	case "0x000027", // Apacer, and Phison, which makes its cards
		"0x000041", "0x00001f": // Kingston
		return true
	case "0x0000ad": // Longsys, with the letters LS that lists have with it
		return oem == "0x4c53"
	case "0x000003":
		return name == "SD128" && hardware == "0x8" && firmware == "0x5"
	}
	return false
}
