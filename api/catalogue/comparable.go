package catalogue

import (
	"cmp"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// Ways in which a module is connected to a host.
const (
	interfaceCard = "card"
	interfaceUSB  = "USB"
	interfaceEMMC = "eMMC"
)

// publishedHost describes a host in published figures, if its name alone doesn't.
type publishedHost struct {
	source string // the source whose rows name it; empty: all sources
	host   string // as printed
	on     string // one of interface...

	name         string  // the same for all hosts of one kind
	commandQueue string  // none; empty: not known
	mbPerS       float64 // what it carries; 0: not known
}

func loadPublishedHosts(fsys fs.FS) (hosts []publishedHost, err error) {
	err = eachRow(fsys, "published_hosts.csv", func(r *row) error {
		hosts = append(hosts, publishedHost{
			source: r.get("source_key"), host: r.get("host"), on: r.get("interface"), name: r.get("name"),
			commandQueue: r.get("command_queue"), mbPerS: r.number("mb_per_s"),
		})
		return nil
	})
	return hosts, err
}

// rePlaceholder matches what sources.csv says in place of an unknown author's name.
var rePlaceholder = regexp.MustCompile(`^(anonymous|author (not named|of) .*|reporters of .*|users of .*)$`)

// compare notes how a row was measured, on which unit, and whether Flashdex's own figures compare with it. They do if
// one transfer was under way at a time, past the page cache, and neither the method nor the host is weak. A deep queue
// counts as none if the host hands commands to the module one by one.
func (c *Catalogue) compare(p *Published, r *row, tool toolMethod, hosts []publishedHost, said publishedNote) {
	source, _ := c.Source(p.Source)
	method, _ := c.Method(p.Method)
	by := cmp.Or(tool.measuredBy, source.Author, p.Source)
	if rePlaceholder.MatchString(by) { // may be a different person in each source
		by = p.Source
	}
	host := hostOf(p, r, hosts, by)
	kind := []string{method.Label}
	if area := fmt.Sprintf("%g MB", r.number("test_size_mb")); area != "0 MB" && !strings.HasSuffix(method.Label, area) {
		kind = append(kind, area)
	}
	kind = append(append(kind, host.name), said.conditions...)
	p.Kind, p.HostMBPerS = strings.Join(kind, ", "), host.mbPerS
	p.Quality = cmp.Or(said.quality, source.Quality)
	p.OfUnit = strings.Join(slices.DeleteFunc([]string{by, said.unit}, func(s string) bool { return s == "" }), ", ")
	queue := cmp.Or(tool.commandQueue, host.commandQueue)
	oneByOne := p.QueueDepth == 1 || queue == "off" || queue == "none"
	if method.Comparable && oneByOne && !said.listed && p.Quality != QualityWeak {
		p.Contributor = by
	}
}

// hostOf returns the host of a row. If a row states no host, each person is assumed to have one of their own.
func hostOf(p *Published, r *row, hosts []publishedHost, by string) publishedHost {
	on := interfaceCard
	switch r.get("form_factor") {
	case "usb":
		on = interfaceUSB
	case "emmc":
		on = interfaceEMMC
	}
	host, listed := first(hosts, func(h publishedHost) bool {
		return h.host == p.Host && h.on == on && (h.source == "" || h.source == p.Source)
	})
	if listed {
		return host
	}
	host.name = cmp.Or(p.Host, "host not stated ("+by+")")
	if on != interfaceCard {
		host.name += ", " + on
	}
	return host
}
