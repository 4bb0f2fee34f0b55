package catalogue

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
)

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
		c.checkVendors, c.checkSources, c.checkMethods, c.checkToolMethods, c.checkModules, c.checkNames,
		c.checkReferenceDevices, c.checkSpeedClasses, c.checkMakers,
		func(fs.FS) error { return err }, c.checkPublished, c.checkPublishedHosts, c.checkRegisters,
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
	if err := d.Decode(to); err != nil {
		return fmt.Errorf("%s:%d: %w", name, lineAt(text, offset+int(d.InputOffset())), err)
	}
	return nil
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
		case m.UsedForUploads: // published figures and uploads would share a row
			return r.errorf("the method %q is for uploads; published figures need a method of their own", method)
		case method == MethodExpected:
			return r.errorf("nobody measures by the method %q", method)
		case !slices.Contains([]string{"", "on", "off"}, r.get("command_queue")):
			return r.errorf("command_queue %q is not on or off", r.get("command_queue"))
		}
		return nil
	})
}

// checkPublishedHosts verifies that each host is one that published figures name.
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

func (c *checker) checkVendors(fsys fs.FS) error {
	files, err := fs.Glob(fsys, "modules/*.json")
	if err != nil || len(files) == 0 {
		return fmt.Errorf("modules: no vendor files (%v)", err)
	}
	names, ids := map[string]string{}, map[string]string{}
	for _, name := range files {
		var v struct {
			Vendor  string            `json:"vendor"`
			Aliases []string          `json:"vendor_aliases"`
			SDIDs   []string          `json:"sd_ids"`
			Modules []json.RawMessage `json:"modules"`
		}
		text, err := readStrict(fsys, name, &v)
		if err != nil {
			return err
		}
		offset := 0
		for _, raw := range v.Modules {
			offset += bytes.Index(text[offset:], raw)
			m := Module{Vendor: v.Vendor}
			if err := decodeStrict(name, text, offset, raw, &m); err != nil {
				return err
			}
			c.modules = append(c.modules, placed{m, fmt.Sprintf("%s:%d", name, lineAt(text, offset))})
			offset += len(raw)
		}
		line := lineOf(text, `"vendor"`)
		for _, spelling := range append([]string{v.Vendor}, v.Aliases...) {
			key := vendorKey(spelling)
			if other, ok := names[key]; ok && other != v.Vendor {
				return fmt.Errorf("%s:%d: vendor %q is already a spelling of %q", name, line, spelling, other)
			}
			names[key] = v.Vendor
		}
		for _, id := range v.SDIDs {
			if other, ok := ids[id]; ok {
				return fmt.Errorf("%s:%d: sd id %q of %q is already %q's", name, line, id, v.Vendor, other)
			}
			ids[id] = v.Vendor
		}
	}
	return nil
}

func (c *checker) checkModules(fs.FS) error {
	seen, former := map[string]placed{}, map[string]string{}
	for _, m := range c.modules {
		if err := cmp.Or(c.checkModule(m.Module), c.checkRated(m.Module)); err != nil {
			return fmt.Errorf("%s: %w", m.at, err)
		}
		if o, ok := seen[m.Slug]; ok {
			return fmt.Errorf("%s: slug %q is already taken at %s", m.at, m.Slug, o.at)
		}
		seen[m.Slug] = m
		for _, slug := range m.Formerly {
			if c.taken(slug) {
				return fmt.Errorf("%s: %q is a listed module, so %s can't have been called that", m.at, slug, m.Slug)
			}
			if other, taken := former[slug]; taken {
				return fmt.Errorf("%s: %s and %s can't both have been %q", m.at, other, m.Slug, slug)
			}
			former[slug] = m.Slug
		}
	}
	return nil
}

func (c *checker) checkModule(m Module) error {
	_, isSource := c.Source(m.KnownFrom)
	switch {
	case !safeSlug(m.Slug):
		return fmt.Errorf("slug %q must be 1 to %d characters of a-z, 0-9 and single hyphens", m.Slug, maxSlug)
	case m.KnownFrom != KnownFromPublished && !isSource:
		return fmt.Errorf("%s is known from %q, which sources.csv does not list", m.Slug, m.KnownFrom)
	case m.Product == "":
		return fmt.Errorf("%s has no product", m.Slug)
	case m.CapacityGB != marketedGB(m.CapacityGB):
		return fmt.Errorf("%s: capacity_gb %v is no marketed size; 0 means not stated", m.Slug, m.CapacityGB)
	case !slices.Contains(Forms, m.Form) || m.Form == FormStack || IsStack(m.Slug):
		return fmt.Errorf("%s: form %q is not one of %s, or the slug belongs to a stack",
			m.Slug, m.Form, strings.Join(Forms[:len(Forms)-1], ", "))
	case m.FormUnstated && m.Form != "sd":
		return fmt.Errorf("%s: form_unstated requires the form sd", m.Slug)
	case slices.ContainsFunc(m.Formerly, func(slug string) bool { return !safeSlug(slug) || IsStack(slug) }):
		return fmt.Errorf("%s: formerly must hold slugs of modules, as in the addresses of their pages", m.Slug)
	case m.RatedReadMBPerS < 0 || m.RatedWriteMBPerS < 0:
		return fmt.Errorf("%s: rated speeds must not be negative; 0 means not known", m.Slug)
	case m.Vendor != clean(m.Vendor) || m.Product != clean(m.Product):
		return fmt.Errorf("%s: vendor or product has unprintable characters, or more than %d characters", m.Slug, maxField)
	}
	return nil
}

// checkRated verifies that every data sheet is a source, and that its figures are among RatedKeys.
func (c *checker) checkRated(m Module) error {
	for _, r := range m.Rated {
		if _, known := c.Source(r.Source); !known {
			return fmt.Errorf("%s is rated by %q, which sources.csv does not list", m.Slug, r.Source)
		}
		for _, key := range slices.Sorted(maps.Keys(r.Figures)) {
			if value := r.Figures[key]; !slices.Contains(RatedKeys, key) || !(value > 0) || value > 1e7 {
				return fmt.Errorf("%s is rated with %s %v; a rating is a number above 0 for one of %q",
					m.Slug, key, value, RatedKeys)
			}
		}
		if len(r.Figures) == 0 {
			return fmt.Errorf("%s is rated by %s with no figure", m.Slug, r.Source)
		}
	}
	return nil
}

// checkNames verifies that no name and no id means two modules of the same capacity that the form can't tell apart.
func (c *checker) checkNames(fs.FS) error {
	names, ids := map[nameKey][]placed{}, map[nameKey][]placed{}
	enter := func(in map[nameKey][]placed, key nameKey, m placed, spelling string) error {
		for _, o := range in[key] {
			if o.Slug != m.Slug && o.CapacityGB == m.CapacityGB && (key.vendor == "an id" || formsMeet(o.Module, m.Module)) {
				return fmt.Errorf("%s: %q of %s already means %s (%s)", m.at, spelling, m.Slug, o.Slug, o.at)
			}
		}
		in[key] = append(in[key], m)
		return nil
	}
	for _, m := range c.modules {
		for _, spelling := range append([]string{m.Product}, m.Aliases...) {
			key := nameKey{m.Vendor, joined(c.wordsOf(m.Vendor, spelling))}
			if key.product == "" {
				return fmt.Errorf("%s: the spelling %q holds no letter or digit", m.at, spelling)
			}
			if err := enter(names, key, m, spelling); err != nil {
				return err
			}
		}
		for _, id := range c.idsOf(m.Module) {
			if err := enter(ids, nameKey{"an id", id}, m, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// formsMeet reports whether the same evidence about the form fits both modules.
func formsMeet(a, b Module) bool {
	inSD := func(m Module) bool { return m.Form == "sd" || m.Form == "microsd" }
	return a.Form == b.Form || inSD(a) && inSD(b) && (a.FormUnstated || b.FormUnstated)
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
			case !slices.Contains([]string{"IOPS", "KB/s", "MB/s", "s"}, p.Unit):
				return r.errorf("unit %q is not IOPS, KB/s, MB/s or s", p.Unit)
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
