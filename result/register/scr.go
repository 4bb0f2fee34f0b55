package register

import "fmt"

// SCR is the configuration register of an SD card, SD 5.6.
type SCR struct {
	SpecVersion  string   `json:"spec_version"` // newest Physical Layer version that the card follows: "1.0", "1.10", "2.00", "3.0x", "6.xx"
	BusWidths    []int    `json:"bus_widths"`   // SD_BUS_WIDTHS 51:48, in data lines
	ErasedToOnes bool     `json:"erased_to_ones"`
	Security     string   `json:"security"` // SD_SECURITY 54:52: the family that the copy protection is for; "none" without
	Commands     []string `json:"commands"` // CMD_SUPPORT 35:32: optional commands
}

// ParseSCR reads the SCR from 16 hex digits. The error is a *LengthError. The last 32 bits are the maker's own and left out.
func ParseSCR(text string) (SCR, error) {
	b, err := parse("SCR", text, 8)
	if err != nil {
		return SCR{}, err
	}
	c := SCR{SpecVersion: b.specVersion(), ErasedToOnes: b.flag(55), Security: security(b.field(54, 52))}
	for _, width := range []struct{ bit, lines int }{{48, 1}, {50, 4}} {
		if b.flag(width.bit) {
			c.BusWidths = append(c.BusWidths, width.lines)
		}
	}
	for i, command := range []string{"CMD20", "CMD23", "CMD48/49", "CMD58/59"} {
		if b.flag(32 + i) {
			c.Commands = append(c.Commands, command)
		}
	}
	return c, nil
}

// specVersion reads SD_SPEC 59:56, SD_SPEC3 47, SD_SPEC4 42 and SD_SPECX 41:38, SD 5.6, table of Physical Layer versions.
func (b bits) specVersion() string {
	spec, later := b.field(59, 56), b.field(41, 38)
	switch {
	case spec == 0:
		return "1.0"
	case spec == 1:
		return "1.10"
	case spec == 2 && !b.flag(47):
		return "2.00"
	case spec == 2 && later > 0: // 1 is version 5, 2 is version 6 and so on
		return fmt.Sprintf("%d.xx", later+4)
	case spec == 2 && b.flag(42):
		return "4.xx"
	case spec == 2:
		return "3.0x"
	}
	return fmt.Sprintf("reserved (%d)", spec)
}

func security(code uint64) string {
	return [8]string{"none", "not used", "SDSC", "SDHC", "SDXC", "reserved", "reserved", "reserved"}[code]
}
