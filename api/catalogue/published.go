package catalogue

import (
	"io/fs"
	"path"
	"slices"
	"strings"
)

// The four tests that published figures and uploads share. Other metrics keep the name that the source's table gives them.
const (
	SeqWrite  = "seq-write"
	SeqRead   = "seq-read"
	RandWrite = "rand-write"
	RandRead  = "rand-read"
)

// Published is one figure that somebody published: one metric of one measurement.
type Published struct {
	Source     string // key of a Source
	Line       int    // in published/<Source>.csv
	ModuleSlug string // the module; empty if DeviceSlug is set
	DeviceSlug string // the reference device; empty if ModuleSlug is set
	Method     string // id of a Method
	Test       string // one of the four tests, or the metric as the file has it
	BlockBytes int64  // 0: not given
	QueueDepth int    // 0: not known
	MBPerS     *float64
	IOPS       *float64 // random tests, and rows that the source prints in IOPS
	Restates   int      // line of the row that gives the same measurement in another unit: count only one; 0: none
	ValueText  string   // as printed by the source
	Unit       string   // as printed by the source
	Host       string
	Tool       string
	Date       string
	Note       string
}

var publishedTests = map[string]string{
	"seq_write": SeqWrite, "seq_read": SeqRead, "rand_write": RandWrite, "rand_read": RandRead,
}

func (c *Catalogue) loadPublished(fsys fs.FS, tools []toolMethod) error {
	files, err := fs.Glob(fsys, "published/*.csv")
	if err != nil {
		return err
	}
	for _, name := range files {
		key := strings.TrimSuffix(path.Base(name), ".csv")
		before := map[string][]seenRow{}
		err := eachRow(fsys, name, func(r row) error {
			if r.get("source_key") != key {
				return r.errorf("source_key %q must be the file's name, %q", r.get("source_key"), key)
			}
			if _, ok := c.Source(key); !ok {
				return r.errorf("unknown source %q: add it to sources.csv", key)
			}
			p, err := c.published(r, tools)
			if err != nil {
				return err
			}
			p.Restates = restated(before, r)
			c.Published = append(c.Published, p)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *Catalogue) published(r row, tools []toolMethod) (Published, error) {
	p := Published{
		Source: r.get("source_key"), Line: r.line, Test: r.get("metric"), ValueText: r.get("value"), Unit: r.get("unit"),
		Host: r.get("host"), Tool: r.get("tool"), Date: r.get("date"), Note: r.get("note"),
	}
	i := slices.IndexFunc(tools, func(t toolMethod) bool {
		return t.source == p.Source && t.tool == p.Tool && strings.Contains(p.Test, t.metricContains) && strings.Contains(p.Note, t.noteContains)
	})
	if i < 0 {
		return p, r.errorf("no method for the tool %q: add it to tool_methods.csv", p.Tool)
	}
	p.Method, p.QueueDepth = tools[i].method, tools[i].queueDepth
	if test, ok := publishedTests[p.Test]; ok {
		p.Test = test
	}
	record, err := r.number("record_kb")
	if err != nil {
		return p, err
	}
	p.BlockBytes = int64(record * 1024)
	if err := p.normalise(r, tools[i]); err != nil {
		return p, err
	}
	return p, c.assign(&p, r)
}

// normalise turns the printed value into SI units: MB of 10^6 bytes, by what the tool calls a KB or an MB.
func (p *Published) normalise(r row, tool toolMethod) error {
	value, err := r.number("value")
	if err != nil || p.ValueText == "" {
		return r.errorf("value %q is not a number from 0 up", p.ValueText)
	}
	block := float64(p.BlockBytes)
	var bytesPerS float64
	switch p.Unit {
	case "IOPS":
		p.IOPS = &value
		bytesPerS = value * block
	case "KB/s":
		bytesPerS = value * tool.kbBytes
	case "MB/s":
		bytesPerS = value * tool.mbBytes
	case "s":
		return nil
	default:
		return r.errorf("unit %q is not IOPS, KB/s, MB/s or s", p.Unit)
	}
	if p.IOPS == nil || block > 0 {
		mb := bytesPerS / 1e6
		p.MBPerS = &mb
	}
	if p.IOPS == nil && block > 0 && (p.Test == RandWrite || p.Test == RandRead) {
		iops := bytesPerS / block
		p.IOPS = &iops
	}
	return nil
}

// assign finds the one module or reference device that a row is about.
func (c *Catalogue) assign(p *Published, r row) error {
	vendor, product := r.get("vendor"), r.get("product")
	if slug, ok := c.devices[Naming{vendor, product}]; ok {
		p.DeviceSlug = slug
		return nil
	}
	capacity, err := r.number("capacity_gb")
	if err != nil {
		return err
	}
	e := Evidence{Vendor: vendor, Product: product, CapacityGB: capacity, Form: r.get("form_factor"), Classes: strings.Fields(r.get("speed_class_text"))}
	if product == "" {
		e.Product = "(product not stated)"
	}
	if e.Form == "sd" { // the sources' "SD card" is any size
		e.Form, e.Bus = "", "sd"
	}
	m := c.Resolve(e)
	if _, ok := c.modules[m.Slug]; !ok {
		return r.errorf("no module for %q %q, %v GB, form %q: add it, or the spelling, to modules/", vendor, product, capacity, r.get("form_factor"))
	}
	p.ModuleSlug = m.Slug
	return nil
}

// seenRow is an earlier row, while it may still be restated in another unit.
type seenRow struct {
	line int
	unit string
}

// restated returns the line of an earlier row that differs from r in nothing but value and unit, 0 if there is none. Each
// row is restated once, so repeated measurements pair up in order.
func restated(before map[string][]seenRow, r row) int {
	var rest []string
	for i, column := range r.header {
		if column != "value" && column != "unit" {
			rest = append(rest, r.fields[i])
		}
	}
	key, unit := strings.Join(rest, "\x00"), r.get("unit")
	for i, b := range before[key] {
		if b.unit != unit {
			before[key] = slices.Delete(before[key], i, i+1)
			return b.line
		}
	}
	before[key] = append(before[key], seenRow{r.line, unit})
	return 0
}
