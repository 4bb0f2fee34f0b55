package device

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"flashdex/result"
	"flashdex/result/register"
)

// Identity returns what the kernel shows of the disk, without any serial number.
func (k Kernel) Identity(d Disk) result.Identity {
	id := result.Identity{Bus: k.bus(d), SizeBytes: d.SizeBytes, Removable: d.Removable}
	switch id.Bus {
	case "sd":
		id.SD = registers(filepath.Join(d.dir, "device"), register.SDSerial)
	case "mmc":
		id.MMC = registers(filepath.Join(d.dir, "device"), register.MMCSerial)
	case "usb", "ata", "scsi":
		id.SCSI = inquiry(filepath.Join(d.dir, "device"))
	}
	if usb, driver := k.usbAbove(d); usb != "" {
		id.USB = describeUSB(usb, driver, id.SCSI)
	}
	if id.Bus == "ata" {
		id.ATA = k.ata(d)
	}
	return id
}

func (k Kernel) bus(d Disk) string {
	if d.Stack != nil {
		return "stack"
	}
	if strings.HasPrefix(d.Name, "mmcblk") && strings.HasPrefix(text(d.dir, "device/type"), "SD") {
		return "sd"
	}
	for prefix, bus := range map[string]string{"mmcblk": "mmc", "loop": "loop", "nvme": "nvme", "vd": "virtio"} {
		if strings.HasPrefix(d.Name, prefix) {
			return bus
		}
	}
	if usb, _ := k.usbAbove(d); usb != "" {
		return "usb"
	}
	for element := range strings.SplitSeq(d.dir, "/") {
		if number, ok := strings.CutPrefix(element, "ata"); ok && areNumbers(number) {
			return "ata"
		}
	}
	if text(d.dir, "device/model") != "" && text(d.dir, "device/vendor") != "" {
		return "scsi"
	}
	return "other"
}

// registers reads the registers as the mmc layer shows them (Documentation/driver-api/mmc/mmc-dev-attrs.rst). It masks
// the serial number, which begins at hex digit serial of the CID. The CID is "" if the kernel shows none.
func registers(dir string, serial int) *result.Register {
	cid, signs, _ := register.Mask(hexDigits(text(dir, "cid"), "", 32, 32), serial)
	r := &result.Register{
		CID:    cid,
		CSD:    hexDigits(text(dir, "csd"), "", 32, 32),
		SCR:    hexDigits(text(dir, "scr"), "", 16, 16),
		SSR:    hexDigits(text(dir, "ssr"), "", 128, 128),
		Manfid: hexDigits(text(dir, "manfid"), "0x", 6, 6),
		OEMID:  hexDigits(text(dir, "oemid"), "0x", 4, 4),
		Name:   result.Printable(text(dir, "name"), 16),
		HWRev:  hexDigits(text(dir, "hwrev"), "0x", 1, 16),
		FWRev:  hexDigits(text(dir, "fwrev"), "0x", 1, 16),

		CRCWrong: signs.CRCWrong, SerialNearZero: signs.SerialNearZero,
	}
	if date := text(dir, "date"); len(date) == 7 && date[0] <= '1' && date[2] == '/' && areNumbers(date[:2], date[3:]) {
		r.Date = date
	}
	return r
}

func inquiry(dir string) *result.SCSI {
	s := result.SCSI{
		Vendor: result.Printable(text(dir, "vendor"), 80),
		Model:  result.Printable(text(dir, "model"), 80),
		Rev:    result.Printable(text(dir, "rev"), 80),
	}
	if s == (result.SCSI{}) {
		return nil
	}
	return &s
}

// UnitTag links the runs of one contributor on one module and tells nobody else anything. It is the first 128 bits of
// HMAC-SHA-256(secret, serial), where serial is the CID without its last byte in lower-case hex, or "usb:" or "ata:"
// with the serial number and the size in bytes. For a stack it uses the serials of all members. It is "" if the kernel
// shows no serial. A reader has one serial number for all its cards; the size tells some of them apart.
func (k Kernel) UnitTag(d Disk, secret []byte) string {
	serial := k.serial(d)
	if d.Stack != nil {
		var serials []string
		for _, member := range d.Stack.Members {
			if serials = append(serials, k.serial(member)); serials[len(serials)-1] == "" {
				return ""
			}
		}
		slices.Sort(serials)
		serial = "stack:" + strings.Join(serials, "\n")
	}
	if serial == "" {
		return ""
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(serial))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// serial returns the text that identifies a module, or "".
func (k Kernel) serial(d Disk) (serial string) {
	switch k.bus(d) {
	case "sd", "mmc":
		if cid := hexDigits(text(d.dir, "device/cid"), "", 32, 32); cid != "" {
			serial = cid[:30]
		}
	case "usb":
		if usb, _ := k.usbAbove(d); text(usb, "serial") != "" {
			serial = fmt.Sprintf("usb:%s:%d", text(usb, "serial"), d.SizeBytes)
		}
	case "ata":
		// VPD page 0x80: four bytes of header, then the serial number padded with blanks (SPC-4 7.8.15).
		page, err := os.ReadFile(filepath.Join(d.dir, "device/vpd_pg80"))
		if err != nil || len(page) < 4 {
			return ""
		}
		if number := strings.Trim(string(page[4:]), " \x00"); number != "" {
			serial = fmt.Sprintf("ata:%s:%d", number, d.SizeBytes)
		}
	}
	return serial
}
