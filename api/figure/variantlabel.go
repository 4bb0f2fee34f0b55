package figure

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

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
