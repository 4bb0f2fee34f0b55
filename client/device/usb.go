package device

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"flashdex/result"
)

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

// isReaderName reports whether a USB device's name or INQUIRY model is a card reader's: a reader of anything but books,
// or a slot for cards without a USB plug. udisks uses such names as well (80-udisks2.rules). Of the 430 names of this
// kind in data/usb_ids.csv two are sticks, which have a card slot. Many readers have other names ("STORAGE DEVICE").
// The number of disks tells nothing: sticks with a locked part have two.
func isReaderName(name string) bool {
	name = strings.NewReplacer(" ", "", "-", "", "_", "").Replace(strings.ToLower(name))
	for _, book := range []string{"ereader", "bookreader"} {
		name = strings.ReplaceAll(name, book, "")
	}
	return slices.ContainsFunc([]string{"reader", "sd/mmc", "compactflash", "sm/xd", "ms/mspro"}, func(word string) bool {
		return strings.Contains(name, word)
	})
}
