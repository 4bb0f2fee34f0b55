package guest

const (
	imageBytes = 1 << 30 // SD cards of QEMU are powers of two

	// Nobody may see the serial numbers of the modules. QEMU sets the SD card's, in hexadecimal.
	moduleSerial = "SECRET1"
	cardSerial   = "deadbeef"
)

// bus describes how a module is attached to a PC, or the whole machine if it has only one slot.
type bus struct {
	name, debian     string
	platform         string   // in the name of the client's binary
	qemu             []string // the machine with its module
	console          string
	device           string // the module, in the guest
	modules          []string
	dtb              string
	requestsPerBlock int // QEMU's requests for one block of 4 KiB
}

func pc(name, device string, requestsPerBlock int, modules []string, qemu ...string) bus {
	return bus{
		name: name, debian: "amd64", platform: "amd64", console: "ttyS0", device: device, modules: modules,
		requestsPerBlock: requestsPerBlock,
		qemu:             append([]string{"qemu-system-x86_64", "-accel", "tcg", "-m", "512", "-serial", "stdio"}, qemu...),
	}
}

var (
	sd = pc("SD", "/dev/mmcblk0", 8, []string{"sdhci-pci", "mmc_block"},
		"-device", "sdhci-pci", "-device", "sd-card,drive=module")
	usb = pc("USB", "/dev/sda", 1, []string{"xhci-pci", "usb-storage", "sd_mod"},
		"-device", "qemu-xhci", "-device", "usb-storage,drive=module,removable=on,serial="+moduleSerial)
	cf = pc("CF", "/dev/sda", 1, []string{"ata_piix", "sd_mod"},
		"-device", "ide-hd,bus=ide.0,drive=module,serial="+moduleSerial+",model=QEMU-CF")
	virtio = pc("virtio", "/dev/vda", 1, []string{"virtio_pci", "virtio_blk"}, "-device", "virtio-blk-pci,drive=module")
	// scsi is a removable disk, which the client erases, and takes the computer less time than USB.
	scsi = pc("SCSI", "/dev/sda", 1, []string{"virtio_pci", "virtio_scsi", "sd_mod"},
		"-device", "virtio-scsi-pci", "-device", "scsi-hd,drive=module,removable=on,serial="+moduleSerial)

	raspi2b = bus{
		name: "Raspberry Pi 2B", debian: "armhf", platform: "armv7", console: "ttyAMA0", device: "/dev/mmcblk0",
		modules: []string{"bcm2835", "sdhci-iproc"}, dtb: "bcm2836-rpi-2-b.dtb", requestsPerBlock: 8,
		qemu: []string{"qemu-system-arm", "-M", "raspi2b", "-serial", "stdio"},
	}
	raspi3b = bus{
		name: "Raspberry Pi 3B", debian: "arm64", platform: "arm64", console: "ttyS1", device: "/dev/mmcblk0",
		modules: []string{"bcm2835", "sdhci-iproc"}, dtb: "bcm2837-rpi-3-b.dtb", requestsPerBlock: 8,
		qemu: []string{"qemu-system-aarch64", "-M", "raspi3b", "-serial", "null", "-serial", "stdio"},
	}
)
