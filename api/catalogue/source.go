package catalogue

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

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
	UsedForUploads        bool   `json:"used_for_uploads"`
}

func (c *Catalogue) loadSources(fsys fs.FS) error {
	return eachRow(fsys, "sources.csv", func(r *row) error {
		s := Source{
			Key: r.get("source_key"), Title: r.get("title"), Author: r.get("author"), URL: r.get("url"),
			MoreURLs: strings.Fields(r.get("more_urls")), Date: r.get("date"), Licence: r.get("licence"),
			Measured: r.get("measured"), Quality: r.get("quality"),
		}
		for _, url := range append(s.MoreURLs, s.URL) {
			if url != "" && !strings.HasPrefix(url, "https://") && !strings.HasPrefix(url, "http://") {
				return r.errorf("url %q is not a web address", url)
			}
		}
		_, listed := c.Source(s.Key)
		switch {
		case s.Key == "" || s.Title == "":
			return r.errorf("a source needs a key and a title")
		case listed:
			return r.errorf("source %q is there twice", s.Key)
		case !slices.Contains([]string{"A", "B", "C"}, s.Quality):
			return r.errorf("quality %q is not A, B or C", s.Quality)
		}
		c.Sources = append(c.Sources, s)
		return nil
	})
}

func (c *Catalogue) loadMethods(fsys fs.FS) error {
	const name = "methods.json"
	text, err := readJSON(fsys, name, &c.Methods)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, m := range c.Methods {
		line := lineOf(text, fmt.Sprintf("%q", m.ID))
		if !safeSlug(m.ID) || seen[m.ID] {
			return fmt.Errorf("%s:%d: method id %q is unsafe or there twice", name, line, m.ID)
		}
		if !slices.Contains([]string{"yes", "no", "unknown"}, m.Direct) || m.QueueDepth < 0 {
			return fmt.Errorf("%s:%d: %s: direct must be yes, no or unknown, queue_depth at least 0", name, line, m.ID)
		}
		seen[m.ID] = true
	}
	return nil
}

// toolMethod describes the method and the units of a tool in a source.
type toolMethod struct {
	source, tool, metricContains, noteContains string
	method                                     string
	queueDepth                                 int
	kbBytes, mbBytes                           float64
}

func (c *Catalogue) loadToolMethods(fsys fs.FS) (tools []toolMethod, err error) {
	err = eachRow(fsys, "tool_methods.csv", func(r *row) error {
		t := toolMethod{
			source: r.get("source_key"), tool: r.get("tool"), metricContains: r.get("metric_contains"),
			noteContains: r.get("note_contains"), method: r.get("method"), queueDepth: int(r.number("queue_depth")),
			kbBytes: r.number("kb_bytes"), mbBytes: r.number("mb_bytes"),
		}
		if _, ok := c.Source(t.source); !ok {
			return r.errorf("unknown source %q", t.source)
		}
		switch m, ok := c.Method(t.method); {
		case !ok:
			return r.errorf("unknown method %q", t.method)
		case m.UsedForUploads: // published figures and uploads would share a row
			return r.errorf("the method %q is for uploads; published figures need a method of their own", t.method)
		}
		tools = append(tools, t)
		return nil
	})
	return tools, err
}
