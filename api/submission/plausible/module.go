package plausible

import "flashdex/result"

const (
	// A module holds at least 85 % of the printed capacity, since some modules reserve much of their flash for wear, and
	// at most 110 %, since some sell 2^30 bytes as a GB.
	leastOfPrinted = 0.85
	mostOfPrinted  = 1.10

	// largestBytes is above 4 TB, the size of the largest card and stick for sale.
	largestBytes = 4_500_000_000_000
)

// isPhysical reports whether the size of the device says something about a module. A loop device or virtual disk has
// any size, and an imported result doesn't show the device.
func isPhysical(d *result.Document, device *result.Identity) bool {
	return d.Imported == nil && device.Bus != "loop" && device.Bus != "virtio"
}

// capacity compares the printed capacity, which the contributor typed, with the device or with each member of a stack.
// A typing error would assign the result to another module.
func capacity(d *result.Document, add report) {
	typed := d.Module.CapacityGB
	for _, device := range d.Devices() {
		gb, gib := float64(device.SizeBytes)/1e9, float64(device.SizeBytes)/(1<<30)
		if isPhysical(d, device) && typed != 0 && (gb < leastOfPrinted*typed || gb > mostOfPrinted*typed) {
			add("The capacity was given as %.4g GB, but the device has %.4g GB (%.4g GiB).", typed, gb, gib)
			return
		}
	}
}

func size(d *result.Document, add report) {
	for _, device := range d.Devices() {
		if isPhysical(d, device) && device.SizeBytes > largestBytes {
			add("The device has %.4g TB, which is more than any flash module sold.", float64(device.SizeBytes)/1e12)
			return
		}
	}
}

// stackSize compares the size of a stack with its members: no kind of stack holds more than all of them together.
func stackSize(d *result.Document, add report) {
	var members int64
	for _, device := range d.Devices() {
		members += device.SizeBytes
	}
	if d.Stack != nil && d.Identity.SizeBytes > members {
		add("The stack has %d bytes, and its members together only %d.", d.Identity.SizeBytes, members)
	}
}
