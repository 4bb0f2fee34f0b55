package plausible

import "flashdex/result"

const (
	// Modules hold between 85 % of the printed capacity, where much of it is kept for wear, and 110 %, where 2^30 bytes are
	// sold as a GB.
	leastOfPrinted = 0.85
	mostOfPrinted  = 1.10

	// largestBytes is above the largest card and stick sold, of 4 TB.
	largestBytes = 4_500_000_000_000
)

// physical says whether the bus is one that modules have. A loop device or virtual disk is as large as somebody made it,
// and of what another tool measured nobody asked the device.
func physical(d *result.Document, device *result.Identity) bool {
	return d.Imported == nil && device.Bus != "loop" && device.Bus != "virtio"
}

// capacity holds the printed capacity, which the contributor typed, against the device, or each of a stack. A slip of the hand would put the
// result under another module.
func capacity(d *result.Document, add func(string, ...any)) {
	typed := d.Module.CapacityGB
	for _, device := range d.Devices() {
		gb, gib := float64(device.SizeBytes)/1e9, float64(device.SizeBytes)/(1<<30)
		if !physical(d, device) || typed == 0 || gb >= leastOfPrinted*typed && gb <= mostOfPrinted*typed {
			continue
		}
		add("The capacity was given as %.4g GB, but the device has %.4g GB (%.4g GiB).", typed, gb, gib)
		return
	}
}

func size(d *result.Document, add func(string, ...any)) {
	for _, device := range d.Devices() {
		if physical(d, device) && device.SizeBytes > largestBytes {
			add("The device has %.4g TB, which is more than any flash module sold.", float64(device.SizeBytes)/1e12)
			return
		}
	}
}

// stacked holds the size of a stack against those of its members: no kind of stack holds more than all of them.
func stacked(d *result.Document, add func(string, ...any)) {
	if d.Stack == nil {
		return
	}
	var members int64
	for _, device := range d.Devices() {
		members += device.SizeBytes
	}
	if d.Identity.SizeBytes > members {
		add("The stack has %d bytes, and its members together only %d.", d.Identity.SizeBytes, members)
	}
}
