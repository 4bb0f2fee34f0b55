package figure

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"flashdex/result"
)

// Variant identifies the silicon in a unit, as far as the unit tells. Units of one module may be of different variants,
// and these may differ in speed. The zero Variant is unknown, as behind most USB readers.
type Variant struct {
	Bus      string `json:"bus"`              // sd, mmc, usb, ata
	Manfid   string `json:"manfid,omitempty"` // from a CID as the kernel prints it; on USB the vendor id
	OEMID    string `json:"oemid,omitempty"`  // on USB the product id
	Name     string `json:"name"`
	Revision string `json:"revision"`
}

// variantOf reads the variant of a unit. A USB reader identifies itself, not the card in it.
func variantOf(d *result.Document) Variant {
	bus, card := "sd", d.Identity.SD
	if card == nil {
		bus, card = "mmc", d.Identity.MMC
	}
	if card != nil && card.Manfid != "" {
		return Variant{bus, card.Manfid, card.OEMID, card.Name, strings.TrimSpace(card.HWRev + " " + card.FWRev)}
	}
	if ata := d.Identity.ATA; ata != nil {
		return Variant{Bus: "ata", Name: ata.Model, Revision: ata.Firmware}
	}
	if usb := d.Identity.USB; usb != nil && !usb.Reader && d.Module.Form == "usb" {
		return Variant{"usb", usb.VendorID, usb.ProductID, usb.Product, usb.DeviceVersion}
	}
	return Variant{}
}

const variantSeparator = "\x1f" // stands in none of its parts: they are printable

// Key returns the variant as it is stored and linked to. It is empty for the zero Variant.
func (v Variant) Key() string {
	if v == (Variant{}) {
		return ""
	}
	return strings.Join([]string{v.Bus, v.Manfid, v.OEMID, v.Name, v.Revision}, variantSeparator)
}

// VariantOf returns the variant with this key.
func VariantOf(key string) Variant {
	parts := append(strings.Split(key, variantSeparator), "", "", "", "", "")
	return Variant{parts[0], parts[1], parts[2], parts[3], parts[4]}
}

// Label describes the variant in words: "manufacturer 0x03, OEM SD, name SL16G, revision 8.0". It is text of the
// module that nobody has checked. It is empty for the zero Variant.
func (v Variant) Label() string {
	var parts []string
	add := func(what, value string) {
		if value != "" {
			parts = append(parts, what+" "+value)
		}
	}
	switch v.Bus {
	case "usb":
		add("USB id", strings.TrimSuffix(v.Manfid+":"+v.OEMID, ":"))
		add("product", v.Name)
		add("version", v.Revision)
	case "ata":
		add("model", v.Name)
		add("firmware", v.Revision)
	default:
		add("manufacturer", shortHex(v.Manfid))
		add("OEM", v.oem())
		add("name", v.Name)
		add("revision", revision(v.Revision))
	}
	return strings.Join(parts, ", ")
}

// oem returns the OEM id of a CID: on an SD card as its two letters (SD 5.2) if they are printable, else in hex.
func (v Variant) oem() string {
	id, err := strconv.ParseUint(v.OEMID, 0, 16)
	if err != nil {
		return v.OEMID
	}
	letters := string([]byte{byte(id >> 8), byte(id)})
	unprintable := func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsGraphic(r) }
	if v.Bus == "sd" && !strings.ContainsFunc(letters, unprintable) && id != 0x2020 {
		return strings.TrimSpace(letters)
	}
	return shortHex(v.OEMID)
}

// shortHex writes a number of a register without the leading zeros of the kernel.
func shortHex(text string) string {
	n, err := strconv.ParseUint(text, 0, 64)
	if err != nil {
		return text
	}
	return fmt.Sprintf("0x%02x", n)
}

// revision writes the two digits of a product revision (SD 5.2: hardware, firmware): "8.0" for "0x8 0x0".
func revision(text string) string {
	hardware, firmware, two := strings.Cut(text, " ")
	h, err1 := strconv.ParseUint(hardware, 0, 64)
	f, err2 := strconv.ParseUint(firmware, 0, 64)
	if !two || err1 != nil || err2 != nil || h > 9 || f > 9 {
		return text
	}
	return fmt.Sprintf("%d.%d", h, f)
}
