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
	"syscall"
	"unsafe"

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
	if len(numbered(d.dir, "ata")) > 0 {
		return "ata"
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
	return Tag(secret, serial)
}

// Tag is HMAC-SHA-256 with a contributor's secret over a text, cut to 128 bits, as 32 hex digits.
func Tag(secret []byte, text string) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(text))
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

// usbAbove finds the USB device that the disk is attached to, and the driver of the interface between.
func (k Kernel) usbAbove(d Disk) (dir, driver string) {
	for child := d.dir; ; child = filepath.Dir(child) {
		parent := filepath.Dir(child)
		if parent == child || len(parent) <= len(k.Sys) {
			return "", ""
		}
		if text(parent, "idVendor") != "" {
			link, _ := os.Readlink(filepath.Join(child, "driver"))
			return parent, filepath.Base(link)
		}
	}
}

// describeUSB reads a USB device's descriptors (Documentation/ABI/stable/sysfs-bus-usb), without the serial number.
func describeUSB(dir, driver string, inquiry *result.SCSI) *result.USB {
	usb := result.USB{
		VendorID:      hexDigits(text(dir, "idVendor"), "", 4, 4),
		ProductID:     hexDigits(text(dir, "idProduct"), "", 4, 4),
		Manufacturer:  result.Printable(text(dir, "manufacturer"), 80),
		Product:       result.Printable(text(dir, "product"), 80),
		DeviceVersion: hexDigits(text(dir, "bcdDevice"), "", 4, 4),
		SpeedMbitPerS: int(max(number(dir, "speed"), 0)),
		Driver:        Keep(driver, lower+Digits+"_-", 40),
	}
	if usb.VendorID == "" || usb.ProductID == "" {
		return nil
	}
	usb.Reader = isReaderName(usb.Product) || inquiry != nil && isReaderName(inquiry.Model)
	return &usb
}

// isReaderName reports whether a USB device's name or INQUIRY model belongs to a card reader. It looks for the word
// "reader", except in book readers, and for kinds of cards without a USB plug. udisks uses such names as well
// (80-udisks2.rules). data/usb_ids.csv has 430 such names; two of them are sticks, which have a card slot. Many readers
// have other names ("STORAGE DEVICE"). The number of disks tells nothing, since sticks with a locked part have two.
func isReaderName(name string) bool {
	name = strings.NewReplacer(" ", "", "-", "", "_", "").Replace(strings.ToLower(name))
	name = strings.NewReplacer("ereader", "", "bookreader", "").Replace(name)
	return slices.ContainsFunc([]string{"reader", "sd/mmc", "compactflash", "sm/xd", "ms/mspro"}, func(word string) bool {
		return strings.Contains(name, word)
	})
}

// ata returns the identity of a disk on the ATA layer, or nil if the user has no right to read the disk.
func (k Kernel) ata(d Disk) *result.ATA {
	if k.Dev == "" {
		return nil
	}
	disk, err := os.OpenFile(filepath.Join(k.Dev, d.Name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer disk.Close()
	// HDIO_GET_IDENTITY of linux/hdreg.h. The kernel read the identity when it found the disk.
	const getIdentity = 0x030d
	var identity [512]byte
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, disk.Fd(), getIdentity, uintptr(unsafe.Pointer(&identity)))
	if errno != 0 {
		return nil
	}
	return describeATA(&identity)
}

func describeATA(identity *[512]byte) *result.ATA {
	const most = 1e15 // bytes that a document allows
	ata := register.ParseATA(identity)
	ata.Model, ata.Firmware = result.Printable(ata.Model, 80), result.Printable(ata.Firmware, 80)
	if ata.CapacityBytes > most {
		ata.CapacityBytes = 0
	}
	if ata == (result.ATA{}) {
		return nil
	}
	return &ata
}
