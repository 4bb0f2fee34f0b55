package plausible

import (
	"fmt"
	"strings"

	"flashdex/result"
	"flashdex/result/register"
)

// registers compares a card's CID with the fields that the kernel decodes from it.
func registers(d *result.Document, add report) {
	for _, device := range d.Devices() {
		if device.SD != nil && device.Bus != "sd" || device.MMC != nil && device.Bus != "mmc" {
			add("The document holds the registers of a card, but the bus is one that shows none.")
		} else if field := contradictedField(device); field != "" {
			add("The CID of the module contradicts its %s, which the kernel decodes from it.", field)
		}
	}
}

func contradictedField(id *result.Identity) string {
	// An MMC card before version 2.0 has another layout, in which the manufacturer's number has three bytes.
	if id.MMC != nil && (id.MMC.Manfid == "" || !strings.HasPrefix("0x"+id.MMC.CID, id.MMC.Manfid)) {
		if cid, err := register.ParseMMCCID(id.MMC.CID); err == nil {
			// The kernel decides how much of the OEM's number it shows, and which sixteen years the year's code means.
			date := id.MMC.Date
			var month, year int
			_, err := fmt.Sscanf(date, "%d/%d", &month, &year)
			if err == nil && (month != cid.Month || (year-1997-cid.Year)%16 != 0) {
				date = "another"
			}
			return contradiction(id.MMC, cid.Manufacturer, id.MMC.OEMID, cid.Name, date)
		}
	}
	if id.SD != nil {
		if cid, err := register.ParseCID(id.SD.CID); err == nil {
			date := fmt.Sprintf("%02d/%04d", cid.Month, cid.Year)
			return contradiction(id.SD, cid.Manufacturer, cid.OEM, cid.Name, date)
		}
	}
	return ""
}

// contradiction names the first field of shown that differs from the CID. Fields that the kernel didn't show are empty.
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

// sameName compares a name as the kernel showed it with the complete name in the CID. The kernel's name ends at a zero
// byte and has no control characters or double spaces. In the complete name, "?" replaces unprintable characters.
func sameName(shown, whole string) bool {
	rest, ok := strings.CutPrefix(strings.Join(strings.Fields(whole), " "), shown)
	return ok && (rest == "" || rest[0] == ' ') || strings.Contains(whole, "?")
}
