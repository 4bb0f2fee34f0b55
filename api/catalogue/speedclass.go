package catalogue

import (
	"io/fs"
	"slices"
	"strings"
)

// SpeedClass is what a class that is printed on modules promises. A promise of 0 is none.
type SpeedClass struct {
	Label             string  // as printed: "A1", "Class 10"
	SeqWriteMBPerS    float64 // 10^6 bytes per second
	RandReadIOPS      float64 // 4 KiB
	RandWriteIOPS     float64 // 4 KiB
	Bus               string  // the bus mode that the promise holds in, in words; may be empty
	BusMBPerS         float64 // what the slowest such mode carries; 0: none is demanded, or none is known
	NeedsCommandQueue bool    // the promise holds with the card's command queue and cache switched on
	Confirmed         bool    // a source says what it promises
}

func (c *Catalogue) loadSpeedClasses(fsys fs.FS) error {
	return eachRow(fsys, "speed_classes.csv", func(r row) error {
		class := SpeedClass{
			Label:             r.get("label"),
			Bus:               r.get("bus_requirement"),
			NeedsCommandQueue: r.get("needs_command_queue") == "yes",
			Confirmed:         r.get("verified") != "NO",
		}
		for column, to := range map[string]*float64{
			"min_seq_mb_per_s":    &class.SeqWriteMBPerS,
			"min_rand_read_iops":  &class.RandReadIOPS,
			"min_rand_write_iops": &class.RandWriteIOPS,
			"min_bus_mb_per_s":    &class.BusMBPerS,
		} {
			v, err := r.number(column)
			if err != nil {
				return err
			}
			*to = v
		}
		switch {
		case class.Label == "" || slices.ContainsFunc(c.SpeedClasses, func(o SpeedClass) bool { return o.Label == class.Label }):
			return r.errorf("the class %q is empty or listed twice", class.Label)
		case class.SeqWriteMBPerS == 0 && class.RandReadIOPS == 0 && class.RandWriteIOPS == 0:
			return r.errorf("%s promises nothing", class.Label)
		case !slices.Contains([]string{"", "yes"}, r.get("needs_command_queue")):
			return r.errorf("needs_command_queue %q is neither yes nor empty", r.get("needs_command_queue"))
		case !slices.ContainsFunc([]string{"yes", "label", "NO"}, func(s string) bool { return strings.HasPrefix(r.get("verified"), s) }):
			return r.errorf("verified %q starts with neither yes, label nor NO", r.get("verified"))
		}
		c.SpeedClasses = append(c.SpeedClasses, class)
		return nil
	})
}
