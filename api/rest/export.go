package rest

import (
	"fmt"
	"io"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
)

// exportPause limits how long the reader of an export may take for one stretch of it.
const exportPause = time.Minute

// maxExports limits the exports under way. Each holds a connection to the database for as long as its reader takes.
const maxExports = 8

// export streams the table results, or a part of it, from the database. The files of the data set are quicker.
func (s *server) export(mediaType string, writer func(io.Writer, *dataset.Table) dataset.Writer) http.HandlerFunc {
	return s.handle(func(w http.ResponseWriter, r *http.Request) error {
		query := parametersOf(r, "module", "vendor", "form", "method", "metric", "since", "until", "from", "limit")
		if query.err != nil {
			return query.err
		}
		if err := s.guard.exporting.enter(); err != nil {
			return err
		}
		defer s.guard.exporting.leave()
		header := w.Header()
		sent := &counted{to: w, patience: http.NewResponseController(w)}
		err := s.Store.Dataset(r.Context(), func(snapshot *figure.Overview, m figure.Records) error {
			which, limit := s.picked(query, snapshot)
			if query.err != nil {
				return query.err
			}
			if limit > 0 {
				var err error
				if which.Before, err = m.ResultAfter(r.Context(), which, limit); err != nil {
					return err
				}
			}
			if which.Before != "" {
				query.Set("from", which.Before)
				header.Set("Link", "<"+r.URL.Path+"?"+query.Encode()+`>; rel="next"`)
			}
			settled, err := m.Settled(r.Context())
			if err != nil {
				return err
			}
			header.Set("Cache-Control", "no-cache")
			if settled { // else the next generation has the same rows
				etag := fmt.Sprintf(`W/"%d-%d"`, snapshot.Generation, len(dataset.Results.Fields))
				header.Set("ETag", etag)
				if r.Header.Get("If-None-Match") == etag {
					w.WriteHeader(http.StatusNotModified)
					return nil
				}
			}
			header.Set("Content-Type", mediaType)
			header.Set("Content-Disposition", `attachment; filename="`+path.Base(r.URL.Path)+`"`)
			header.Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
			header.Set("Accept-Ranges", "none")
			if r.Method == http.MethodHead {
				return nil
			}
			each := func(do func(*figure.Test) error) error { return m.Tests(r.Context(), which, do) }
			_, err = dataset.Stream(dataset.Results, each, writer(sent, &dataset.Results.Table))
			return err
		})
		if err != nil && sent.bytes > 0 {
			// Half a table must not look like a whole one.
			panic(http.ErrAbortHandler)
		}
		if err != nil {
			for _, name := range []string{"Content-Disposition", "Last-Modified", "ETag", "Accept-Ranges", "Link"} {
				header.Del(name)
			}
		}
		return err
	})
}

// maxExportPage limits the parameter limit. Readers who want more want everything.
const maxExportPage = 1_000_000

// picked reads which results are asked for, and how many; 0: all.
func (s *server) picked(query *parameters, snapshot *figure.Overview) (which figure.Filter, limit int) {
	fields := dataset.Results.Fields
	test := slices.IndexFunc(fields, func(f dataset.Field) bool { return f.Name == "test" })
	slug, vendor, form := query.Get("module"), query.Get("vendor"), query.oneOf("form", "", catalogue.Forms)
	which = figure.Filter{
		Method: s.method(query, ""), Test: query.oneOf("metric", "", fields[test].Enum),
		Since: query.day("since"), Until: query.day("until"), From: query.id("from", "of a result: the first one to send"),
	}
	if now, merged := snapshot.Aliases[slug]; merged {
		slug = now
	}
	if slug != "" || vendor != "" || form != "" {
		which.Modules = []string{}
	}
	var slugKnown, vendorKnown bool
	for _, m := range snapshot.Modules {
		isSlug, isVendor := m.Slug == slug, strings.EqualFold(m.Vendor, vendor)
		slugKnown, vendorKnown = slugKnown || isSlug, vendorKnown || isVendor
		if which.Modules != nil && (slug == "" || isSlug) && (vendor == "" || isVendor) && (form == "" || m.Form == form) {
			which.Modules = append(which.Modules, m.Slug)
		}
	}
	if slug != "" && !slugKnown {
		query.refuse("No module has the slug that the parameter module gives. /v1/search finds slugs.")
	}
	if vendor != "" && !vendorKnown {
		query.refuse("No module is of the maker that the parameter vendor gives. /vendors/ lists them.")
	}
	return which, query.number("limit", " of results", 0, maxExportPage)
}

// counted remembers whether anything was sent, and gives a reader time for each stretch.
type counted struct {
	to       http.ResponseWriter
	patience *http.ResponseController
	bytes    int64
	extended time.Time
}

func (c *counted) Write(p []byte) (int, error) {
	if now := time.Now(); now.Sub(c.extended) > exportPause/10 {
		c.extended = now
		_ = c.patience.SetWriteDeadline(now.Add(exportPause)) // not every connection can
	}
	n, err := c.to.Write(p)
	c.bytes += int64(n)
	return n, err
}
