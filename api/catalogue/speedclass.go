package catalogue

import "io/fs"

// SpeedClass holds the promises of a class that is printed on modules. 0: no promise.
type SpeedClass struct {
	Label             string  // as printed: "A1", "Class 10"
	SeqWriteMBPerS    float64 // 10^6 bytes per second
	RandReadIOPS      float64 // 4 KiB
	RandWriteIOPS     float64 // 4 KiB
	Bus               string  // the bus mode of the promise, in words; may be empty
	BusMBPerS         float64 // rate of the slowest such mode; 0: none is required, or unknown
	NeedsCommandQueue bool    // the promise assumes that the card's command queue and cache are on
	Confirmed         bool    // a source confirms the promise
}

func (c *Catalogue) loadSpeedClasses(fsys fs.FS) error {
	return eachRow(fsys, "speed_classes.csv", func(r *row) error {
		c.SpeedClasses = append(c.SpeedClasses, SpeedClass{
			Label: r.get("label"), SeqWriteMBPerS: r.number("min_seq_mb_per_s"),
			RandReadIOPS: r.number("min_rand_read_iops"), RandWriteIOPS: r.number("min_rand_write_iops"),
			Bus: r.get("bus_requirement"), BusMBPerS: r.number("min_bus_mb_per_s"),
			NeedsCommandQueue: r.get("needs_command_queue") == "yes", Confirmed: r.get("verified") != "NO",
		})
		return nil
	})
}
