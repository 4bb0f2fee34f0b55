package catalogue

import (
	"io/fs"
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
	kbBytes, mbBytes                           float64
}

func loadToolMethods(fsys fs.FS) (tools []toolMethod, err error) {
	err = eachRow(fsys, "tool_methods.csv", func(r *row) error {
		tools = append(tools, toolMethod{
			source: r.get("source_key"), tool: r.get("tool"), metricContains: r.get("metric_contains"),
			noteContains: r.get("note_contains"), method: r.get("method"), queueDepth: int(r.number("queue_depth")),
			kbBytes: r.number("kb_bytes"), mbBytes: r.number("mb_bytes"),
		})
		return nil
	})
	return tools, err
}
