package catalogue

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Source is where published figures, or entries of the catalogue, come from.
type Source struct {
	Key      string // name of its file in published/, without .csv
	Title    string
	Author   string
	URL      string   // empty where none is known
	MoreURLs []string // further pages
	Date     string   // as far as it is known: 2019, 2019-03 or 2019-03-21
	Licence  string   // as the source states it
	Measured string   // what was measured, with what
	Quality  string   // A: method, module and host are clear; B: something is missing; C: weak method or host
}

// Method is a family of ways to measure. Results of different families never stand in one ranking.
type Method struct {
	ID                    string `json:"id"`
	Label                 string `json:"label"`
	Description           string `json:"description"`
	QueueDepth            int    `json:"queue_depth"` // 0: not known, or not one figure
	Direct                string `json:"direct"`      // yes, no, unknown
	Sync                  string `json:"sync"`
	ComparableRandWrite4K bool   `json:"comparable_rand_write_4k"` // with a direct test one operation at a time
	UsedForUploads        bool   `json:"used_for_uploads"`
}

// toolMethod says what a tool in a source measured and what its units mean.
type toolMethod struct {
	source, tool, metricContains, noteContains string
	method                                     string
	queueDepth                                 int
	kbBytes, mbBytes                           float64
}

func loadSources(fsys fs.FS) ([]Source, error) {
	var sources []Source
	err := eachRow(fsys, "sources.csv", func(r row) error {
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
		switch {
		case s.Key == "" || s.Title == "":
			return r.errorf("a source needs a key and a title")
		case slices.ContainsFunc(sources, func(o Source) bool { return o.Key == s.Key }):
			return r.errorf("source %q is there twice", s.Key)
		case !slices.Contains([]string{"A", "B", "C"}, s.Quality):
			return r.errorf("quality %q is not A, B or C", s.Quality)
		}
		sources = append(sources, s)
		return nil
	})
	return sources, err
}

func loadMethods(fsys fs.FS) ([]Method, error) {
	const name = "methods.json"
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	var methods []Method
	if err := decodeStrict(name, text, 0, text, &methods); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, m := range methods {
		line := lineOf(text, fmt.Sprintf("%q", m.ID))
		if !safeSlug(m.ID) || seen[m.ID] {
			return nil, fmt.Errorf("%s:%d: method id %q is unsafe or there twice", name, line, m.ID)
		}
		if !slices.Contains([]string{"yes", "no", "unknown"}, m.Direct) || m.QueueDepth < 0 {
			return nil, fmt.Errorf("%s:%d: %s: direct must be yes, no or unknown, queue_depth at least 0", name, line, m.ID)
		}
		seen[m.ID] = true
	}
	return methods, nil
}

func loadToolMethods(fsys fs.FS, c *Catalogue) ([]toolMethod, error) {
	var tools []toolMethod
	err := eachRow(fsys, "tool_methods.csv", func(r row) error {
		t := toolMethod{
			source: r.get("source_key"), tool: r.get("tool"),
			metricContains: r.get("metric_contains"), noteContains: r.get("note_contains"), method: r.get("method"),
		}
		if _, ok := c.Source(t.source); !ok {
			return r.errorf("unknown source %q", t.source)
		}
		switch m, ok := c.Method(t.method); {
		case !ok:
			return r.errorf("unknown method %q", t.method)
		case m.UsedForUploads: // both would stand in one row
			return r.errorf("the method %q is for uploads; what others published needs one of its own", t.method)
		}
		qd, err := r.number("queue_depth")
		if err != nil {
			return err
		}
		t.queueDepth = int(qd)
		if t.kbBytes, err = r.number("kb_bytes"); err != nil {
			return err
		}
		if t.mbBytes, err = r.number("mb_bytes"); err != nil {
			return err
		}
		tools = append(tools, t)
		return nil
	})
	return tools, err
}
