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

// Ask returns the dialects in which a card of this manufacturer may answer, most likely first. What is sent is as
// little as can find an answer: the requests of Silicon Motion, Micron and Swissbit go to cards of the makers that use
// them.
func Ask(manufacturer, oem string) []string {
	switch {
	case manufacturer == "0x000003": // SanDisk and Western Digital
		return []string{SanDisk, TwoStep}
	case manufacturer == "0x000074" || oem == "0x4a45" || oem == "0x4a60": // Transcend
		return []string{ADATA, Transcend, SanDisk, TwoStep}
	case manufacturer == "0x00001d" || oem == "0x4144": // ADATA
		return []string{ADATA, SanDisk, TwoStep}
	case manufacturer == "0x00005d": // Swissbit
		return []string{Swissbit, SanDisk, TwoStep}
	case manufacturer == "0x000013" || manufacturer == "0x0000fe": // Micron, by its numbers of eMMC
		return []string{Micron, SanDisk, TwoStep}
	}
	return []string{SanDisk, TwoStep}
}
