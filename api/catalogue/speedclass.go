package catalogue

import (
	"io/fs"
	"slices"
	"strings"
)

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
		class := SpeedClass{
			Label: r.get("label"), SeqWriteMBPerS: r.number("min_seq_mb_per_s"),
			RandReadIOPS: r.number("min_rand_read_iops"), RandWriteIOPS: r.number("min_rand_write_iops"),
			Bus: r.get("bus_requirement"), BusMBPerS: r.number("min_bus_mb_per_s"),
			NeedsCommandQueue: r.get("needs_command_queue") == "yes", Confirmed: r.get("verified") != "NO",
		}
		_, listed := first(c.SpeedClasses, func(o SpeedClass) bool { return o.Label == class.Label })
		startsVerified := func(s string) bool { return strings.HasPrefix(r.get("verified"), s) }
		switch {
		case class.Label == "" || listed:
			return r.errorf("the class %q is empty or listed twice", class.Label)
		case class.SeqWriteMBPerS == 0 && class.RandReadIOPS == 0 && class.RandWriteIOPS == 0:
			return r.errorf("%s promises nothing", class.Label)
		case !slices.Contains([]string{"", "yes"}, r.get("needs_command_queue")):
			return r.errorf("needs_command_queue %q is neither yes nor empty", r.get("needs_command_queue"))
		case !slices.ContainsFunc([]string{"yes", "label", "NO"}, startsVerified):
			return r.errorf("verified %q must start with yes, label or NO", r.get("verified"))
		}
		c.SpeedClasses = append(c.SpeedClasses, class)
		return nil
	})
}
