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
func physical(d *result.Document) bool {
	if d.Imported != nil {
		return false
	}
	switch d.Identity.Bus {
	case "loop", "virtio":
		return false
	}
	return true
}

// capacity holds the printed capacity, which the contributor typed, against the device. A slip of the hand would put the
// result under another module.
func capacity(d *result.Document, add func(string, ...any)) {
	gb, gib := float64(d.Identity.SizeBytes)/1e9, float64(d.Identity.SizeBytes)/(1<<30)
	typed := d.Module.CapacityGB
	if !physical(d) || typed == 0 || gb >= leastOfPrinted*typed && gb <= mostOfPrinted*typed {
		return
	}
	add("The capacity was given as %.4g GB, but the device has %.4g GB (%.4g GiB).", typed, gb, gib)
}

func size(d *result.Document, add func(string, ...any)) {
	if physical(d) && d.Identity.SizeBytes > largestBytes {
		add("The device has %.4g TB, which is more than any flash module sold.", float64(d.Identity.SizeBytes)/1e12)
	}
}
