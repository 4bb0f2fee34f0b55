package catalogue

import "io/fs"

// ReferenceDevice is something to compare modules with: a disk, or the minimum that a class promises.
type ReferenceDevice struct {
	Slug           string   `json:"slug"`
	Name           string   `json:"name"`
	Description    string   `json:"description"`
	Source         string   `json:"source"`             // key of a Source
	RandReadIOPS   float64  `json:"rand_read_iops"`     // 4 KiB; 0: not given
	RandWriteIOPS  float64  `json:"rand_write_iops"`    // 4 KiB; 0: not given
	SeqWriteMBPerS float64  `json:"seq_write_mb_per_s"` // 0: not given
	PublishedAs    []Naming `json:"published_as"`       // its names in published rows
}

// Naming is a vendor and a product as a source prints them.
type Naming struct {
	Vendor  string `json:"vendor"`
	Product string `json:"product"`
}

func (c *Catalogue) loadReferenceDevices(fsys fs.FS) error {
	err := readJSON(fsys, "reference_devices.json", &c.ReferenceDevices)
	for _, d := range c.ReferenceDevices {
		for _, n := range d.PublishedAs {
			c.devices[n] = d.Slug
		}
	}
	return err
}
