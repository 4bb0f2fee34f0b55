package catalogue

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"flashdex/result"
	"flashdex/result/register/health"
)

var reCurrency = regexp.MustCompile(`^[A-Z]{3}$`)

// checker is a catalogue with the text that it was loaded from.
type checker struct {
	*Catalogue
	modules []placed // in the order of the files
}

// placed is a module with its file and line.
type placed struct {
	Module
	at string
}

// Check loads data/ and verifies everything that Load trusts. An error names the file and the line.
func Check(fsys fs.FS) error {
	catalogue, err := Load(fsys)
	c := &checker{Catalogue: catalogue}
	for _, check := range []func(fs.FS) error{
		c.checkVendors, c.checkSources, c.checkMethods, c.checkToolMethods, c.checkModules, c.checkNames, c.checkPartNumbers,
		c.checkOneForm, c.checkPrintedRates, c.checkReferenceDevices, c.checkSpeedClasses, c.checkMakers, c.checkDevices,
		func(fs.FS) error { return err }, c.checkPublished, c.checkPublishedHosts, c.checkPublishedNotes, c.checkTables,
		c.checkRegisters,
	} {
		if err := check(fsys); err != nil {
			return err
		}
	}
	return nil
}

// readStrict decodes a file, refuses unknown fields, and returns its text.
func readStrict(fsys fs.FS, name string, to any) ([]byte, error) {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	return text, decodeStrict(name, text, 0, text, to)
}

// decodeStrict decodes part, which starts at offset in the text of the file name, and refuses unknown fields.
func decodeStrict(name string, text []byte, offset int, part []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(part))
	d.DisallowUnknownFields()
	err := d.Decode(to)
	if err == nil {
		return nil
	}
	at := fmt.Sprintf("%s:%d", name, lineAt(text, offset+int(d.InputOffset())))
	if field, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		return fmt.Errorf("%s: no field is called %s; data/README.md lists the fields", at, field)
	}
	return fmt.Errorf("%s: this is no JSON as expected here (a comma or a quotation mark may be missing): %w", at, err)
}

// lineOf returns the line on which s first occurs in text.
func lineOf(text []byte, s string) int { return lineAt(text, max(0, bytes.Index(text, []byte(s)))) }

func lineAt(text []byte, offset int) int {
	return 1 + bytes.Count(text[:min(offset, len(text))], []byte("\n"))
}

var reSlug = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// safeSlug reports whether s needs no escaping in a path, a URL and a file name.
func safeSlug(s string) bool { return len(s) <= maxSlug && reSlug.MatchString(s) }

func (c *checker) checkSources(fsys fs.FS) error {
	seen := map[string]bool{}
	return eachRow(fsys, "sources.csv", func(r *row) error {
		key := r.get("source_key")
		for _, url := range append(strings.Fields(r.get("more_urls")), r.get("url")) {
			if url != "" && !strings.HasPrefix(url, "https://") && !strings.HasPrefix(url, "http://") {
				return r.errorf("url %q is not a web address", url)
			}
		}
		switch quality := r.get("quality"); {
		case key == "" || r.get("title") == "":
			return r.errorf("a source needs a key and a title")
		case seen[key]:
			return r.errorf("source %q is there twice", key)
		case !slices.Contains([]string{"A", "B", "C"}, quality):
			return r.errorf("quality %q is not A, B or C", quality)
		}
		seen[key] = true
		return nil
	})
}

func (c *checker) checkMethods(fsys fs.FS) error {
	const name = "methods.json"
	var methods []Method
	text, err := readStrict(fsys, name, &methods)
	seen := map[string]bool{}
	for _, m := range methods {
		line := lineOf(text, fmt.Sprintf("%q", m.ID))
		if !safeSlug(m.ID) || seen[m.ID] {
			return fmt.Errorf("%s:%d: method id %q is unsafe or there twice", name, line, m.ID)
		}
		if !slices.Contains([]string{"yes", "no", "unknown"}, m.Direct) || m.QueueDepth < 0 {
			return fmt.Errorf("%s:%d: %s: direct must be yes, no or unknown, queue_depth at least 0", name, line, m.ID)
		}
		seen[m.ID] = true
	}
	return err
}

func (c *checker) checkToolMethods(fsys fs.FS) error {
	return eachRow(fsys, "tool_methods.csv", func(r *row) error {
		source, method := r.get("source_key"), r.get("method")
		if _, ok := c.Source(source); !ok {
			return r.errorf("unknown source %q", source)
		}
		switch m, ok := c.Method(method); {
		case !ok:
			return r.errorf("unknown method %q", method)
		case m.UsedForUploads: // otherwise published figures and uploads would share a row
			return r.errorf("the method %q is for uploads; published figures need a method of their own", method)
		case method == MethodExpected:
			return r.errorf("nobody measures by the method %q", method)
		case !slices.Contains([]string{"", "on", "off"}, r.get("command_queue")):
			return r.errorf("command_queue %q is not on or off", r.get("command_queue"))
		}
		return nil
	})
}

// checkPublishedHosts verifies that published figures name each host.
func (c *checker) checkPublishedHosts(fsys fs.FS) error {
	return eachRow(fsys, "published_hosts.csv", func(r *row) error {
		source, host, on := r.get("source_key"), r.get("host"), r.get("interface")
		named := slices.ContainsFunc(c.Published, func(p Published) bool {
			return p.Host == host && (source == "" || p.Source == source)
		})
		switch {
		case !slices.Contains([]string{interfaceCard, interfaceUSB, interfaceEMMC}, on):
			return r.errorf("interface %q is not card, USB or eMMC", on)
		case !slices.Contains([]string{"", "none"}, r.get("command_queue")):
			return r.errorf("command_queue %q is not none", r.get("command_queue"))
		case r.get("name") == "" || host == "" && source == "":
			return r.errorf("a host needs a name, and a source unless it is named")
		case r.number("mb_per_s") > 0 && r.get("basis") == "":
			return r.errorf("who says that %s carries %s MB/s?", r.get("name"), r.get("mb_per_s"))
		case !named:
			return r.errorf("no published figure is of the host %q", host)
		}
		return nil
	})
}

// checkPublishedNotes verifies that each note is about a row, and says something about it.
func (c *checker) checkPublishedNotes(fsys fs.FS) error {
	notes, err := loadPublishedNotes(fsys)
	if err != nil {
		return err
	}
	rows := map[string][]*row{}
	for _, p := range c.Published {
		if rows[p.Source] == nil {
			if err := eachRow(fsys, "published/"+p.Source+".csv", func(r *row) error {
				rows[p.Source] = append(rows[p.Source], r)
				return nil
			}); err != nil {
				return err
			}
		}
	}
	i := -1
	return eachRow(fsys, "published_notes.csv", func(r *row) error {
		i++
		n := &notes[i]
		about := slices.ContainsFunc(c.Published, func(p Published) bool {
			return n.source == p.Source && n.tells(&p, rows[p.Source][p.Line-2])
		})
		switch {
		case !slices.Contains([]string{"", "no"}, r.get("comparable")):
			return r.errorf("comparable %q is not no", r.get("comparable"))
		case !slices.Contains([]string{"", "A", "B", "C"}, n.quality):
			return r.errorf("quality %q is not A, B or C", n.quality)
		case n.module != "" && !c.taken(n.module):
			return r.errorf("unknown module %q", n.module)
		case n.module+n.unit+n.quality+strings.Join(n.conditions, "") == "" && !n.listed:
			return r.errorf("%q tells nothing", n.contains)
		case r.get("basis") == "":
			return r.errorf("who says what %q tells?", n.contains)
		case !about:
			return r.errorf("no row of %s contains %q", n.source, n.contains)
		}
		return nil
	})
}

func (c *checker) checkReferenceDevices(fsys fs.FS) error {
	const name = "reference_devices.json"
	var devices []ReferenceDevice
	text, err := readStrict(fsys, name, &devices)
	seen := map[string]bool{}
	for _, d := range devices {
		line := lineOf(text, fmt.Sprintf("%q", d.Slug))
		if !safeSlug(d.Slug) || seen[d.Slug] || c.taken(d.Slug) {
			return fmt.Errorf("%s:%d: slug %q is unsafe or taken", name, line, d.Slug)
		}
		if _, ok := c.Source(d.Source); !ok {
			return fmt.Errorf("%s:%d: unknown source %q", name, line, d.Source)
		}
		seen[d.Slug] = true
	}
	return err
}

func (c *checker) checkSpeedClasses(fsys fs.FS) error {
	seen := map[string]bool{}
	return eachRow(fsys, "speed_classes.csv", func(r *row) error {
		label, verified, queue := r.get("label"), r.get("verified"), r.get("needs_command_queue")
		startsVerified := func(s string) bool { return strings.HasPrefix(verified, s) }
		switch {
		case label == "" || seen[label]:
			return r.errorf("the class %q is empty or listed twice", label)
		case r.number("min_seq_mb_per_s")+r.number("min_rand_read_iops")+r.number("min_rand_write_iops") == 0:
			return r.errorf("%s promises nothing", label)
		case queue != "" && queue != "yes":
			return r.errorf("needs_command_queue %q is neither yes nor empty", queue)
		case !slices.ContainsFunc([]string{"yes", "label", "NO"}, startsVerified):
			return r.errorf("verified %q must start with yes, label or NO", verified)
		}
		seen[label] = true
		return nil
	})
}

func (c *checker) checkMakers(fsys fs.FS) error {
	return eachRow(fsys, "manufacturer_ids.csv", func(r *row) error {
		bus, kind, manfid, oemid := r.get("bus"), r.get("kind"), r.get("manfid"), r.get("oemid")
		_, makerOK := hexNumber(manfid)
		_, oemOK := hexNumber(oemid)
		switch {
		case bus != "sd" && bus != "mmc":
			return r.errorf("bus %q is not sd or mmc", bus)
		case !makerOK && manfid != "" || !oemOK && oemid != "" || manfid == "" && oemid == "":
			return r.errorf("manfid %q and oemid %q must be 0x and hex digits; one of them may be empty", manfid, oemid)
		case !slices.Contains(claimKinds, kind):
			return r.errorf("kind %q is not maker, card or suspect", kind)
		case (r.get("name") == "") != (kind == ClaimSuspect) || r.get("source") == "":
			return r.errorf("a claim needs a source, and a name unless its kind is suspect")
		}
		return nil
	})
}

// checkPublished verifies that each file holds the rows of one source, and that modules known from published
// measurements, and no others, have published rows.
func (c *checker) checkPublished(fsys fs.FS) error {
	files, err := fs.Glob(fsys, "published/*.csv")
	if err != nil {
		return err
	}
	published, rest := map[string]bool{}, c.Published
	forms := append(slices.Clone(result.Forms), "hdd") // a disk is a reference device and no module
	for _, name := range files {
		if err := eachRow(fsys, name, func(r *row) error {
			p := rest[0]
			rest = rest[1:]
			published[p.ModuleSlug] = true
			_, known := c.Source(p.Source)
			switch {
			case r.get("source_key") != p.Source:
				return r.errorf("source_key %q must be the file's name, %q", r.get("source_key"), p.Source)
			case p.Method == "":
				return r.errorf("no method for the tool %q: add it to tool_methods.csv", p.Tool)
			case p.ValueText == "":
				return r.errorf("value %q is not a number from 0 up", p.ValueText)
			case !slices.Contains([]string{"IOPS", "KB/s", "MB/s", "s", "ms", "us"}, p.Unit):
				return r.errorf("unit %q is not IOPS, KB/s, MB/s, s, ms or us", p.Unit)
			case !slices.Contains(append(forms, ""), r.get("form_factor")):
				return r.errorf("form_factor %q is not one of %s; leave it empty if the source doesn't say", r.get("form_factor"),
					strings.Join(forms, ", "))
			case p.DeviceSlug == "" && !c.taken(p.ModuleSlug):
				return r.errorf("no module for %q %q, %v GB, form %q: add it, or the spelling, to modules/",
					r.get("vendor"), r.get("product"), r.number("capacity_gb"), r.get("form_factor"))
			case !known:
				return r.errorf("unknown source %q: add it to sources.csv", p.Source)
			}
			return nil
		}); err != nil {
			return err
		}
	}
	for _, m := range c.modules {
		switch measured := m.KnownFrom == KnownFromPublished; {
		case measured && !published[m.Slug]:
			return fmt.Errorf("%s: %s is known from published measurements, but no row in published/ names it",
				m.at, m.Slug)
		case !measured && published[m.Slug]:
			return fmt.Errorf("%s: %s has published rows, so known_from must be %q", m.at, m.Slug, KnownFromPublished)
		}
	}
	return nil
}

// checkTables verifies that the other tables name listed modules and sources.
func (c *checker) checkTables(fsys fs.FS) error {
	known := func(r *row, module string, sources ...string) error {
		if module != "" && !c.taken(module) {
			return r.errorf("unknown module %q: write the slug of a module in modules/, the end of its page's address", module)
		}
		for _, key := range sources {
			if _, ok := c.Source(key); !ok {
				return r.errorf("unknown source %q: add it to sources.csv", key)
			}
		}
		return nil
	}
	return cmp.Or(
		eachOf(fsys, "capacity_checks.csv", c.CapacityChecks, func(r *row, check CapacityCheck) error {
			verdicts := []string{CapacityFull, CapacitySlower, CapacityFake}
			switch err := known(r, check.ModuleSlug, check.Source); {
			case err != nil:
				return err
			case !slices.Contains(verdicts, check.Verdict):
				return r.errorf("the verdict %q of %s is not one of %q", check.Verdict, check.ModuleSlug, verdicts)
			case check.How == "":
				return r.errorf("how %s was checked is missing", check.ModuleSlug)
			}
			return nil
		}),
		eachOf(fsys, "prices.csv", c.PublishedPrices, func(r *row, p PublishedPrice) error {
			switch err := known(r, p.ModuleSlug, p.Source); {
			case err != nil:
				return err
			case p.Price > 0 != (p.Currency != "") || p.TimesPerGB > 0 != (p.ComparedWith != "") || p.Price+p.TimesPerGB == 0:
				return r.errorf("%s needs a price with its currency, or times_per_gb with compared_with", p.ModuleSlug)
			case p.Currency != "" && !reCurrency.MatchString(p.Currency):
				return r.errorf("the currency %q of %s is not three capital letters, such as EUR (ISO 4217)", p.Currency,
					p.ModuleSlug)
			}
			return nil
		}),
		eachOf(fsys, "endurance_survey.csv", c.Endurance, func(r *row, e Endurance) error {
			if err := known(r, "", e.Source); err != nil {
				return err
			}
			if e.N < 1 || e.Min > e.Median || e.Median > e.Max || e.Mean > e.Max {
				return r.errorf("n must be at least 1, and min, median and max must rise, with the mean no more than max")
			}
			return nil
		}),
		eachOf(fsys, "health.csv", c.HealthAnswers, func(r *row, a HealthAnswer) error {
			switch err := known(r, "", a.Source); {
			case err != nil:
				return err
			case !slices.Contains([]string{HealthTold, HealthSilent, HealthHarmful}, a.Answers):
				return r.errorf("answers %q is none of yes, no and harmful", a.Answers)
			case a.Answers == HealthTold != slices.Contains([]string{health.SanDisk, health.TwoStep, health.ADATA,
				health.Transcend, health.Swissbit, health.Micron}, a.Dialect):
				return r.errorf("a dialect goes with the answer yes, and it is one of result/register/health, not %q", a.Dialect)
			case a.Form != "" && !slices.Contains(Forms, a.Form):
				return r.errorf("form_factor %q is not one of %q", a.Form, Forms)
			case a.Module == "" || a.Date == "" || !strings.HasPrefix(a.Address, "https://"):
				return r.errorf("a reading needs the card, the date and the address of its report")
			case a.Answers == HealthHarmful && health.DropsOff(a.Manufacturer, a.OEM, int64(a.CapacityGB*1e9)) == "" &&
				health.DropsOff("0x000074", "", int64(a.CapacityGB*1e9)) == "":
				return r.errorf("health.DropsOff of result/register/health doesn't spare %s", a.Module)
			}
			return nil
		}),
		eachOf(fsys, "endurance_cards.csv", c.Endured, func(r *row, e Endured) error {
			again := 0
			for _, o := range c.Endured {
				if o.ModuleSlug == e.ModuleSlug && o.Unit == e.Unit && o.Source == e.Source {
					again++
				}
			}
			switch err := known(r, e.ModuleSlug, e.Source); {
			case err != nil:
				return err
			case again > 1 || e.Unit == "":
				return r.errorf("unit %q of %s is there twice, or has no name", e.Unit, e.ModuleSlug)
			case e.Failed >= 0 && (e.FirstError < 0 || e.FirstError > e.Failed || e.Watched >= 0):
				return r.errorf("unit %q of %s is dead: its first error came before, and it is watched no more", e.Unit,
					e.ModuleSlug)
			case e.Watched >= 0 && e.FirstError > e.Watched:
				return r.errorf("unit %q of %s had its first error after it was last watched", e.Unit, e.ModuleSlug)
			}
			return nil
		}),
		eachOf(fsys, "corrections.csv", c.Corrections, func(r *row, correction Correction) error {
			return known(r, "", correction.Sources...)
		}),
	)
}

// eachOf calls do for every record of a CSV file and the value that was loaded from it.
func eachOf[T any](fsys fs.FS, name string, loaded []T, do func(*row, T) error) error {
	return eachRow(fsys, name, func(r *row) error {
		of := loaded[0]
		loaded = loaded[1:]
		return do(r, of)
	})
}

// checkRegisters verifies that card_registers.csv names listed modules and holds no serial numbers.
func (c *checker) checkRegisters(fsys fs.FS) error {
	return eachRow(fsys, "card_registers.csv", func(r *row) error {
		if !c.taken(r.get("module")) {
			return r.errorf("unknown module %q", r.get("module"))
		}
		cid := r.get("cid")
		if len(cid) != 32 || cid[18:26] != strings.Repeat("0", 8) || cid[30:] != "00" {
			return r.errorf("cid %q must be 32 hex digits with serial number and checksum zero", cid)
		}
		return nil
	})
}
