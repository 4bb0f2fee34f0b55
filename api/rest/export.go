package rest

import (
	"net/http"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/index"
)

// exportPause is the longest that the reader of an export may take for one stretch of it.
const exportPause = time.Minute

// exportResults streams results.csv as the database is now: the same columns as in the data set, newest uploads first. The
// data set's own file is quicker, and the same for everybody.
func (s *server) exportResults(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="results.csv"`)
	w.Header().Set("Cache-Control", "no-store")
	sent := &counted{to: w}
	rows := dataset.NewWriter(sent, dataset.ResultFields)
	patience := http.NewResponseController(w)
	var extended time.Time
	goOn := func() error {
		if now := time.Now(); now.Sub(extended) > exportPause/10 {
			extended = now
			_ = patience.SetWriteDeadline(now.Add(exportPause)) // not every connection can
		}
		return sent.err
	}
	err := s.Store.Export(r.Context(), index.ExportRow{
		Published: func(p catalogue.Published, module string) error {
			rows.Published(p, module)
			return goOn()
		},
		Upload: func(sub index.Submission, module string) error {
			rows.Upload(sub, module)
			return goOn()
		},
	})
	if err != nil && sent.bytes == 0 {
		w.Header().Del("Content-Disposition")
		return err
	}
	if err == nil {
		err = rows.Flush()
	}
	if err != nil {
		// Half a table must not look like a whole one.
		panic(http.ErrAbortHandler)
	}
	return nil
}

// counted remembers whether anything was sent, and why no more could be.
type counted struct {
	to    http.ResponseWriter
	bytes int64
	err   error
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.bytes += int64(n)
	if c.err == nil {
		c.err = err
	}
	return n, err
}
