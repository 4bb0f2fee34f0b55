package rest

import (
	"context"
	"net/http"
	"time"

	"flashdex/api/dataset"
	"flashdex/api/index"
)

// exportPause is the longest that the reader of an export may take for one stretch of it.
const exportPause = time.Minute

// exportCells is how many cells are written at once.
const exportCells = 10_000

// exportResults streams the table results as the database is now. The data set's own file is quicker, and the same for everybody.
func (s *server) exportResults(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="results.csv"`)
	w.Header().Set("Cache-Control", "no-store")
	sent := &counted{to: w, patience: http.NewResponseController(w)}
	err := s.Store.Dataset(r.Context(), func(_ *index.Snapshot, m index.Moment) error { return export(r.Context(), sent, m) })
	if err != nil && sent.bytes == 0 {
		w.Header().Del("Content-Disposition")
		return err
	}
	if err != nil {
		// Half a table must not look like a whole one.
		panic(http.ErrAbortHandler)
	}
	return nil
}

func export(ctx context.Context, to *counted, m index.Moment) error {
	rows := dataset.NewCSV(to, &dataset.Results.Table)
	var cells []dataset.Value
	flush := func() error {
		err := rows.Write(cells)
		cells = cells[:0]
		return err
	}
	err := m.Tests(ctx, func(t *index.Test) error {
		if cells = dataset.Results.Append(cells, t); len(cells) >= exportCells {
			return flush()
		}
		return nil
	})
	if err == nil {
		err = flush()
	}
	if err != nil {
		return err
	}
	return rows.Close()
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
