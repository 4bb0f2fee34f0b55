package plausible

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"flashdex/result"
)

const (
	// Modules hold between 85 % of the printed capacity, where much of it is kept for wear, and 110 %, where 2^30 bytes are
	// sold as a GB.
	leastOfPrinted = 0.85
	mostOfPrinted  = 1.10

	// largestBytes is above the largest card and stick sold, of 4 TB.
	largestBytes = 4_500_000_000_000
)

// physical says whether the bus is one that modules have. A loop device or virtual disk is as large as somebody made it.
func physical(d *result.Document) bool {
	switch d.Identity.Bus {
	case "loop", "virtio":
		return false
	}
	return true
}

// capacity holds the printed capacity, which the contributor typed, against the device. A slip of the hand would put the
// result under another module.
func capacity(d *result.Document, add func(string, ...any)) {
	gb, gib := float64(d.Identity.SizeBytes)/1e9, float64(d.Identity.SizeBytes)/(1<<30)
	typed := d.Module.CapacityGB
	if !physical(d) || typed == 0 || gb >= leastOfPrinted*typed && gb <= mostOfPrinted*typed {
		return
	}
	add("The capacity was given as %.4g GB, but the device has %.4g GB (%.4g GiB).", typed, gb, gib)
}

func size(d *result.Document, add func(string, ...any)) {
	if physical(d) && d.Identity.SizeBytes > largestBytes {
		add("The device has %.4g TB, which is more than any flash module sold.", float64(d.Identity.SizeBytes)/1e12)
	}
}

// registers holds the fields that the kernel decodes from a card's CID against the CID.
func registers(d *result.Document, add func(string, ...any)) {
	id := &d.Identity
	if id.SD != nil && id.Bus != "sd" || id.MMC != nil && id.Bus != "mmc" {
		add("The document holds the registers of a card, but the bus is one that shows none.")
		return
	}
	if id.SD != nil {
		if field := contradiction(id.SD, decodeSD(id.SD.CID)); field != "" {
			add("The card's CID contradicts its %s as the kernel decodes it.", field)
		}
	}
	if id.MMC != nil {
		if field := contradiction(id.MMC, decodeMMC(id.MMC)); field != "" {
			add("The module's CID contradicts its %s as the kernel decodes it.", field)
		}
	}
}

// contradiction names the first field that both have and that differs.
func contradiction(shown *result.Register, decoded result.Register) string {
	for _, f := range []struct{ name, shown, decoded string }{
		{"manufacturer's number", shown.Manfid, decoded.Manfid},
		{"OEM's number", shown.OEMID, decoded.OEMID},
		{"name", shown.Name, decoded.Name},
		{"date", shown.Date, decoded.Date},
	} {
		if f.shown != "" && f.decoded != "" && f.shown != f.decoded {
			return f.name
		}
	}
	return ""
}

// decodeSD reads an SD card's CID: MID, OID, PNM of 5 characters, PRV, PSN, and MDT as (year-2000)<<4 | month
// (SD Physical Layer Simplified Specification, CID register).
func decodeSD(cid string) (r result.Register) {
	b, err := hex.DecodeString(cid)
	if err != nil || len(b) != 16 {
		return r
	}
	r.Manfid = fmt.Sprintf("0x%06x", b[0])
	r.OEMID = fmt.Sprintf("0x%04x", uint(b[1])<<8|uint(b[2]))
	r.Name = shownName(b[3:8])
	mdt := uint(b[13]&0xf)<<8 | uint(b[14]) // the upper half of the byte is reserved
	r.Date = fmt.Sprintf("%02d/%04d", mdt&0xf, 2000+mdt>>4)
	return r
}

// decodeMMC reads an eMMC's CID: MID, CBX, OID, PNM of 6 characters, PRV, PSN, and MDT as month<<4 | year, which holds only
// what is left of the year after 16s, so that the rest is taken from the date shown (JESD84-B51, CID register). Cards before
// MMC 2.0 have another layout, in which MID has three bytes.
func decodeMMC(shown *result.Register) (r result.Register) {
	b, err := hex.DecodeString(shown.CID)
	if err != nil || len(b) != 16 || b[1] != 0 && shown.Manfid == "0x"+shown.CID[:6] {
		return r
	}
	r.Manfid = fmt.Sprintf("0x%06x", b[0])
	r.Name = shownName(b[3:9])
	if month, text, ok := strings.Cut(shown.Date, "/"); ok && len(month) == 2 {
		year, _ := strconv.Atoi(text)
		r.Date = fmt.Sprintf("%02d/%04d", b[14]>>4, year-(year-1997-int(b[14]&0xf))&0xf)
	}
	return r
}

// shownName is the name as it reaches the document, or "" if it holds what might have been changed on the way.
func shownName(name []byte) string {
	text, _, _ := strings.Cut(string(name), "\x00")
	for _, c := range []byte(text) {
		if c < ' ' || c > '~' {
			return ""
		}
	}
	return strings.Join(strings.Fields(text), " ")
}
