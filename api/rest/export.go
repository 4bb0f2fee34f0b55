package rest

import (
	"context"
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
	"flashdex/api/problem"
)

// maxExports limits the exports under way. Each holds some thousand rows, and a Parquet file some megabytes of pages.
const maxExports = 8

// maxExportReads limits the connections to the database that exports use at once.
const maxExportReads = 4

// exportRows is how many rows an export reads at once. It writes them after it has released the connection, so a slow
// reader holds up nobody else.
const exportRows = 4000

// export streams the table results, or a part of it, from the database. The files of the data set are quicker.
func (s *server) export(mediaType string, writer func(io.Writer, *dataset.Table) dataset.Writer) http.HandlerFunc {
	return s.handle(func(w http.ResponseWriter, r *http.Request) error {
		query := parametersOf(r, "module", "vendor", "form", "method", "metric", "since", "until", "from", "limit")
		if query.err != nil {
			return query.err
		}
		from := s.guard.key.senders(networksOf(r))
		if err := s.guard.exporting.enter(from[:]...); err != nil {
			return err
		}
		defer s.guard.exporting.leave(from[:]...)
		ctx, cancel := r.Context(), context.CancelFunc(func() {})
		if s.guard.ExportTimeout > 0 {
			ctx, cancel = context.WithTimeout(ctx, s.guard.ExportTimeout)
		}
		defer cancel()
		picked, err := s.pick(ctx, query)
		if err != nil {
			return err
		}
		header := w.Header()
		if picked.Before != "" {
			query.Set("from", picked.Before)
			header.Set("Link", "<"+r.URL.Path+"?"+query.Encode()+`>; rel="next"`)
		}
		header.Set("Cache-Control", "no-cache")
		if picked.Settled { // otherwise the rows are already the next generation's
			etag := fmt.Sprintf(`W/"%d-%d"`, picked.Generation, len(dataset.Results.Fields))
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
		sent := newPaced(w, s.guard.ExportTimeout)
		each := func(do func(*figure.Test) error) error { return s.eachTest(ctx, picked, do) }
		_, err = dataset.Stream(dataset.Results, each, writer(sent, &dataset.Results.Table))
		if err != nil && sent.bytes > 0 {
			// An incomplete table must not look complete.
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

// reading waits until a connection is free to read for an export.
func (g *guard) reading(ctx context.Context, read func() error) error {
	select {
	case g.exportReads <- struct{}{}:
		defer func() { <-g.exportReads }()
		return read()
	case <-ctx.Done():
		return problem.Wrap(problem.Unavailable, ctx.Err(), "The server had more to read than it could in time.")
	}
}

func (s *server) pick(ctx context.Context, query *parameters) (picked figure.Picked, err error) {
	err = s.guard.reading(ctx, func() error {
		picked, err = s.Store.Pick(ctx, func(at *figure.Overview) (figure.Filter, int, error) {
			which, limit := s.picked(query, at)
			return which, limit, query.err
		})
		return err
	})
	return picked, err
}

// eachTest calls do for each picked test. It holds no connection to the database while do runs.
func (s *server) eachTest(ctx context.Context, picked figure.Picked, do func(*figure.Test) error) error {
	for more := true; more; more = picked.From != "" {
		var tests []figure.Test
		err := s.guard.reading(ctx, func() (err error) {
			tests, picked.From, err = s.Store.TestsFrom(ctx, picked, exportRows)
			return err
		})
		if err != nil {
			return err
		}
		for i := range tests {
			if err := do(&tests[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// maxExportPage limits the parameter limit. Readers who want more want everything.
const maxExportPage = 1_000_000

// picked returns which results the query asks for, and how many; 0: all.
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

// paced cuts off a reader who takes less than slowestBytesPerS, or more than the time of an export. It forgives delays
// of a sixtieth of that time.
type paced struct {
	to         http.ResponseWriter
	connection *http.ResponseController
	timeout    time.Duration // 0: any
	end        time.Time
	credit     time.Duration // that the reader may still be behind
	bytes      int64
}

func newPaced(w http.ResponseWriter, timeout time.Duration) *paced {
	return &paced{
		to: w, connection: http.NewResponseController(w), timeout: timeout, end: time.Now().Add(timeout),
		credit: timeout / 60,
	}
}

func (p *paced) Write(data []byte) (int, error) {
	start, due := time.Now(), p.credit+time.Duration(len(data))*(time.Second/slowestBytesPerS)
	if p.timeout > 0 {
		end := start.Add(due)
		if end.After(p.end) {
			end = p.end
		}
		_ = p.connection.SetWriteDeadline(end) // not every connection can
	}
	n, err := p.to.Write(data)
	p.bytes += int64(n)
	p.credit = min(p.timeout/60, due-time.Since(start))
	return n, err
}
