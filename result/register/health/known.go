package health

import "slices"

// DropsOff returns why an SD card of this manufacturer, OEM (0x000074, 0x4a45) and size must not be asked by CMD56. A
// card of its kind vanished from its computer after CMD56; the rows of data/health.csv that say harmful report it.
// DropsOff returns "" for cards without such a report. The reported card's registers aren't published, so we spare all
// cards that it may be. These are cards with any id that somebody takes for its maker's (data/manufacturer_ids.csv),
// even Samsung's, and cards that name no manufacturer.
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

// Ask returns the dialects in which an SD card with these registers may answer, most likely first. It keeps the
// requests to the fewest that can find an answer. The requests of Silicon Motion, Micron and Swissbit go only to cards
// of makers that use them. The requests of the two-step dialect, the only ones that write, go only to cards that
// writesToController allows.
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

// writesToController reports whether a card may get the 512 zeros with which the two-step dialect begins. A card may if
// an answer of one of its maker's cards is published (data/health_dumps.csv). Longsys' cards may, too, since the same
// file says that the layout is Longsys'. No manufacturer's number here is taken by somebody for another maker's
// (data/manufacturer_ids.csv). So 0x00009f isn't here: it is Kingston's for some and Texas Instruments' for others. One
// published answer is of a card that calls itself SanDisk's, with the name SD128 and the revision 8.5.
func writesToController(manufacturer, oem, name, hardware, firmware string) bool {
	switch manufacturer {
	case "0x000027", // Apacer, and Phison, which makes its cards
		"0x000041", "0x00001f": // Kingston
		return true
	case "0x0000ad": // Longsys, with the letters LS that lists give for it
		return oem == "0x4c53"
	case "0x000003":
		return name == "SD128" && hardware == "0x8" && firmware == "0x5"
	}
	return false
}
