package plausible

import (
	"fmt"
	"strings"

	"flashdex/result"
	"flashdex/result/register"
)

// registers holds what the kernel decodes from a card's CID against the CID.
func registers(d *result.Document, add func(string, ...any)) {
	for _, device := range d.Devices() {
		registersOf(device, add)
	}
}

func registersOf(id *result.Identity, add func(string, ...any)) {
	if id.SD != nil && id.Bus != "sd" || id.MMC != nil && id.Bus != "mmc" {
		add("The document holds the registers of a card, but the bus is one that shows none.")
		return
	}
	field := ""
	if id.SD != nil {
		if cid, err := register.ParseCID(id.SD.CID); err == nil {
			field = contradiction(id.SD, cid.Manufacturer, cid.OEM.Hex, cid.Name, fmt.Sprintf("%02d/%04d", cid.Month, cid.Year))
		}
	}
	// An MMC card before version 2.0 has another layout, in which the manufacturer's number has three bytes.
	if id.MMC != nil && (id.MMC.Manfid == "" || !strings.HasPrefix("0x"+id.MMC.CID, id.MMC.Manfid)) {
		if cid, err := register.ParseMMCCID(id.MMC.CID); err == nil {
			// How much of the OEM's number is shown, and which sixteen years the code counts in, depends on the kernel and the
			// revision.
			date := id.MMC.Date
			var month, year int
			if _, err := fmt.Sscanf(date, "%d/%d", &month, &year); err == nil && (month != cid.Month || (year-1997-cid.YearCode)%16 != 0) {
				date = "another"
			}
			field = contradiction(id.MMC, cid.Manufacturer, id.MMC.OEMID, cid.Name, date)
		}
	}
	if field != "" {
		add("The CID of the module contradicts its %s, which the kernel decodes from it.", field)
	}
}

// contradiction names the first field that the document has and that is not what the CID says.
func contradiction(shown *result.Register, manufacturer int, oem, name, date string) string {
	switch {
	case shown.Manfid != "" && shown.Manfid != fmt.Sprintf("0x%06x", manufacturer):
		return "manufacturer's number"
	case shown.OEMID != "" && shown.OEMID != oem:
		return "OEM's number"
	case shown.Name != "" && !sameName(shown.Name, name):
		return "name"
	case shown.Date != "" && shown.Date != date:
		return "date"
	}
	return ""
}

// sameName compares a name as the kernel showed it, which ends at a zero byte and is sent without control characters and
// double spaces, with the whole one, in which "?" stands for what is not printable.
func sameName(shown, whole string) bool {
	rest, ok := strings.CutPrefix(strings.Join(strings.Fields(whole), " "), shown)
	return ok && (rest == "" || rest[0] == ' ') || strings.Contains(whole, "?")
}
