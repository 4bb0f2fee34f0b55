package catalogue

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"

	"flashdex/result"
)

// Published is one published figure: one metric of one measurement.
type Published struct {
	Source     string // key of a Source
	Line       int    // in published/<Source>.csv
	ModuleSlug string // the module; empty if DeviceSlug is set
	DeviceSlug string // the reference device; empty if ModuleSlug is set
	Method     string // id of a Method
	Test       string // one of the four tests, or the metric in the file
	BlockBytes int64  // 0: not given
	QueueDepth int    // 0: not known
	MBPerS     *float64
	IOPS       *float64 // random tests, and rows that the source prints in IOPS
	MS         *float64 // milliseconds, of rows that are times: the slowest call, a start, an access
	Restates   int      // line of the same measurement in another unit, so only one counts; 0: none
	ValueText  string   // as printed by the source
	Unit       string   // as printed by the source
	Host       string
	Tool       string
	Date       string
	Note       string

	// Kind describes the measurement: by which method, over how large an area, in which host. Only figures of one
	// kind measure the same thing.
	Kind string
	// Contributor measured the figure, if Flashdex's own can be compared with it; empty: the figure is only listed.
	Contributor string
	HostMBPerS  float64 // what the host carries; 0: not known

	Quality string // A, B or C as in Source.Quality: the source's, or the row's own if it is better or worse
	// OfUnit identifies the measured unit of the module: by who measured it, then by which of their units it is. All
	// rows of one unit are one observation, even from several hosts.
	OfUnit string
}

// Author returns who measured p. OfUnit begins with the name.
func (p *Published) Author() string {
	author, _, _ := strings.Cut(p.OfUnit, ", ")
	return cmp.Or(author, p.Source)
}

func (c *Catalogue) loadPublished(fsys fs.FS) error {
	tools, err := loadToolMethods(fsys)
	if err != nil {
		return err
	}
	hosts, err := loadPublishedHosts(fsys)
	if err != nil {
		return err
	}
	notes, err := loadPublishedNotes(fsys)
	if err != nil {
		return err
	}
	files, err := fs.Glob(fsys, "published/*.csv")
	if err != nil {
		return err
	}
	for _, name := range files {
		key := strings.TrimSuffix(path.Base(name), ".csv")
		before := map[string][]Published{}
		if err := eachRow(fsys, name, func(r *row) error {
			p := Published{
				Source: key, Line: r.line, Test: r.get("metric"), BlockBytes: int64(r.number("record_kb") * 1024),
				ValueText: r.get("value"), Unit: r.get("unit"), Host: r.get("host"), Tool: r.get("tool"), Date: r.get("date"),
				Note: r.get("note"), Restates: restated(before, r),
			}
			tool, said := p.measured(r, tools), noted(notes, &p, r)
			if p.ModuleSlug = said.module; p.ModuleSlug == "" {
				c.assign(&p, r)
			}
			c.compare(&p, r, tool, hosts, said)
			c.Published = append(c.Published, p)
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// measured fills in the method and the figure in SI units. The tool defines the size of its KB or MB.
func (p *Published) measured(r *row, tools []toolMethod) toolMethod {
	tool, _ := first(tools, func(t toolMethod) bool {
		return t.source == p.Source && t.tool == p.Tool &&
			strings.Contains(p.Test, t.metricContains) && strings.Contains(p.Note, t.noteContains)
	})
	p.Method, p.QueueDepth = tool.method, tool.queueDepth
	random := false
	switch test := strings.ReplaceAll(p.Test, "_", "-"); test {
	case result.RandWrite, result.RandRead:
		p.Test, random = test, true
	case result.SeqWrite, result.SeqRead:
		p.Test = test
	}
	value, block := r.number("value"), float64(p.BlockBytes)
	unitBytes := map[string]float64{"IOPS": block, "KB/s": tool.kbBytes, "MB/s": tool.mbBytes}[p.Unit]
	if unitBytes > 0 {
		p.MBPerS = converted(value * unitBytes / 1e6)
	}
	if ms := map[string]float64{"s": 1000, "ms": 1, "us": 0.001}[p.Unit]; ms > 0 {
		p.MS = converted(value * ms)
	}
	if p.Unit == "IOPS" {
		p.IOPS = &value
	} else if p.MBPerS != nil && block > 0 && random {
		p.IOPS = converted(value * unitBytes / block)
	}
	return tool
}

// converted returns a figure in another unit than its source prints. It keeps nine digits: no source prints more, and
// more would be made up by binary fractions.
func converted(v float64) *float64 { return new(result.Round(v, 9)) }

// assign finds the module or reference device of a row.
func (c *Catalogue) assign(p *Published, r *row) {
	vendor, product := r.get("vendor"), r.get("product")
	if p.DeviceSlug = c.devices[Naming{vendor, product}]; p.DeviceSlug != "" {
		return
	}
	e := Evidence{Module: result.Module{
		Vendor: vendor, Product: cmp.Or(product, "(product not stated)"), CapacityGB: r.number("capacity_gb"),
		Form: r.get("form_factor"),
	}, Classes: strings.Fields(r.get("speed_class_text"))}
	if e.Form == "sd" { // a source's "SD card" may be a microSD
		e.Form, e.Bus = "", "sd"
	}
	p.ModuleSlug = c.listed(e)
}

// listed returns the slug of the module that a source names. The catalogue is made from the sources, so a name that
// fits one module means it.
func (c *Catalogue) listed(e Evidence) string {
	r := c.read(e)
	for _, n := range r.names() {
		if f := c.find(n, e.Classes, r.capacityGB, r.form); f.ok {
			return f.module.Slug
		}
	}
	return c.provisionalTyped(r, e).Slug
}

// restated returns the line of an earlier row that differs from r only in value and unit, 0 if there is none. It pairs
// up repeated measurements in order, because each row is restated once. before holds the rows that are not restated
// yet.
func restated(before map[string][]Published, r *row) int {
	var rest []string
	for i, column := range r.header {
		if column != "value" && column != "unit" {
			rest = append(rest, r.fields[i])
		}
	}
	key, unit := strings.Join(rest, "\x00"), r.get("unit")
	i := slices.IndexFunc(before[key], func(p Published) bool { return p.Unit != unit })
	if i < 0 {
		before[key] = append(before[key], Published{Line: r.line, Unit: unit})
		return 0
	}
	line := before[key][i].Line
	before[key] = slices.Delete(before[key], i, i+1)
	return line
}

// ReferenceDevice is something to compare modules with: a disk, or the minimum that a class promises.
type ReferenceDevice struct {
	Slug           string   `json:"slug"`
	Name           string   `json:"name"`
	Does           string   `json:"does"`      // before a figure: "class A1 asks"; empty: modules are not judged by it
	BetterIs       string   `json:"better_is"` // "fine" or "good"
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

// Source is the origin of published figures or of entries of the catalogue.
type Source struct {
	Key      string // name of its file in published/, without .csv
	Title    string
	Author   string
	URL      string   // empty if unknown
	MoreURLs []string // further pages
	Date     string   // as precise as known: 2019, 2019-03 or 2019-03-21
	Licence  string   // in the source's words
	Measured string   // the devices and the tool
	Quality  string   // A: method, module and host are clear; B: something is missing; C: weak method or host
}

// Method is a family of ways to measure. Results of different families never share a ranking.
type Method struct {
	ID                    string `json:"id"`
	Label                 string `json:"label"`
	Description           string `json:"description"`
	QueueDepth            int    `json:"queue_depth"` // 0: not known, or not the same everywhere
	Direct                string `json:"direct"`      // yes, no, unknown
	Sync                  string `json:"sync"`
	ComparableRandWrite4K bool   `json:"comparable_rand_write_4k"` // with a direct test at queue depth 1
	// Comparable means that its figures compare with Flashdex's if one transfer is under way at a time: the method
	// bypasses the page cache, and nothing else goes on.
	Comparable     bool `json:"comparable"`
	UsedForUploads bool `json:"used_for_uploads"`
}

// MethodExpected is the method of figures that nobody measured, but that published figures lead to expect.
const MethodExpected = "expected"

func (c *Catalogue) loadSources(fsys fs.FS) error {
	return eachRow(fsys, "sources.csv", func(r *row) error {
		c.Sources = append(c.Sources, Source{
			Key: r.get("source_key"), Title: r.get("title"), Author: r.get("author"), URL: r.get("url"),
			MoreURLs: strings.Fields(r.get("more_urls")), Date: r.get("date"), Licence: r.get("licence"),
			Measured: r.get("measured"), Quality: r.get("quality"),
		})
		return nil
	})
}

func (c *Catalogue) loadMethods(fsys fs.FS) error {
	return readJSON(fsys, "methods.json", &c.Methods)
}

// toolMethod describes the method and the units of a tool in a source.
type toolMethod struct {
	source, tool, metricContains, noteContains string
	method                                     string
	queueDepth                                 int
	commandQueue                               string // of the host: on, off; empty: not stated
	kbBytes, mbBytes                           float64
	measuredBy                                 string // empty: the author of the source
}

func loadToolMethods(fsys fs.FS) (tools []toolMethod, err error) {
	err = eachRow(fsys, "tool_methods.csv", func(r *row) error {
		tools = append(tools, toolMethod{
			source: r.get("source_key"), tool: r.get("tool"), metricContains: r.get("metric_contains"),
			noteContains: r.get("note_contains"), method: r.get("method"), queueDepth: int(r.number("queue_depth")),
			commandQueue: r.get("command_queue"), kbBytes: r.number("kb_bytes"), mbBytes: r.number("mb_bytes"),
			measuredBy: r.get("measured_by"),
		})
		return nil
	})
	return tools, err
}
