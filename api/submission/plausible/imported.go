package plausible

import "flashdex/result"

// busOfForm is the fastest bus that there is for a form: what another tool measured tells no more.
func busOfForm(form string) bus {
	switch form {
	case "sd", "microsd":
		return anySD
	case "emmc":
		return anyMMC
	case "cf":
		return bus{"CompactFlash at its fastest, Ultra DMA 7", 167}
	case "usb":
		return usbLink(20000)
	}
	return unbound
}

// importedRate finds random operations that took, in the mean, less than the module's bus and its controller take: they came from the
// page cache, or stayed in it.
func importedRate(d *result.Document, add func(string, ...any)) {
	if d.Imported == nil {
		return
	}
	for i := range d.Tests {
		t := &d.Tests[i]
		each := float64(t.DurationNS) * float64(t.QueueDepth) / float64(t.Ops)
		if floor := floorNS(d, t); random(t) && each < floor {
			add("%s took %.1f µs for each operation, and the bus and the controller of such a module take %.1f µs at least: the page cache of the computer answered.",
				testNames[t.Name], each/1e3, floor/1e3)
			return // a table has one for each size
		}
	}
}
