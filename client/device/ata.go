package device

import (
	"os"
	"path/filepath"
	"syscall"
	"unsafe"

	"flashdex/result"
	"flashdex/result/register"
)

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
