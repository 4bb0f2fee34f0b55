package snapshot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"flashdex/api/dataset"
	"flashdex/api/figure"
)

const documentsText = "The uploaded documents, one on each line, as they were checked, less when they were started."

// findMonths finds the months with accepted runs, and writes the ids of all runs to a file.
func (w *writing) findMonths(ctx context.Context, r figure.Records, idsPath string) error {
	ids, err := w.create(idsPath)
	if err != nil {
		return err
	}
	type counted struct {
		month dataset.Month
		ids   hash.Hash
	}
	months := map[int]*counted{} // by their number
	first := map[string]int{}    // month of each module's first run
	err = r.Runs(ctx, func(id [idBytes]byte, module string, receivedOn time.Time) error {
		key := receivedOn.Year()*12 + int(receivedOn.Month())
		of := months[key]
		if of == nil {
			of = &counted{dataset.Month{Month: receivedOn.Format("2006-01")}, sha256.New()}
			months[key] = of
		}
		if before, measured := first[module]; !measured || key < before {
			first[module] = key
		}
		of.month.Runs++
		of.ids.Write(id[:]) // never fails
		_, err := ids.Write(id[:])
		return err
	})
	for _, key := range first {
		months[key].month.Modules++
	}
	for _, key := range slices.Sorted(maps.Keys(months)) {
		of := months[key]
		of.month.IDs = hex.EncodeToString(of.ids.Sum(nil))
		w.Months = append(w.Months, of.month)
	}
	_, errClose := ids.close("")
	return errors.Join(err, errClose)
}

// writeMonths writes the samples and documents of each month. It reuses the previous snapshot's files, in latest, if
// they hold the same runs, because a document never changes.
func (w *writing) writeMonths(ctx context.Context, r figure.Records, before *dataset.Snapshot, latest string) error {
	if before == nil || before.MonthsForm != dataset.MonthsForm {
		before = &dataset.Snapshot{} // this program would write other files for the same runs
	}
	for _, month := range w.Months {
		same := func(of dataset.Month) bool { return of.Month == month.Month && of.IDs == month.IDs }
		if slices.ContainsFunc(before.Months, same) && w.takeOver(before, month.Month, latest) == nil {
			continue
		}
		// The month is new or has changed, or its files are lost.
		if err := w.writeMonth(ctx, r, month); err != nil {
			return err
		}
	}
	return nil
}

func (w *writing) takeOver(before *dataset.Snapshot, month, latest string) error {
	var files []dataset.File
	for _, f := range before.Files {
		if f.Month == month {
			if err := os.Link(filepath.Join(latest, f.Name), filepath.Join(w.dir, f.Name)); err != nil {
				return err
			}
			files = append(files, f)
		}
	}
	w.Files = append(w.Files, files...)
	return nil
}

// writeMonth writes the samples and documents of one month.
func (w *writing) writeMonth(ctx context.Context, r figure.Records, month dataset.Month) error {
	from, err := time.Parse("2006-01", month.Month)
	if err != nil {
		return err
	}
	documents, err := w.create(filepath.Join(w.dir, "documents-"+month.Month+".ndjson.zst"))
	if err != nil {
		return err
	}
	samples := func(do func(*dataset.Sample) error) error {
		return r.Documents(ctx, from, from.AddDate(0, 1, 0), func(id string, text []byte) error {
			line, rows, err := dataset.ReadDocument(id, text)
			if err != nil {
				return err
			}
			if _, err := io.WriteString(documents, line+"\n"); err != nil {
				return err
			}
			for i := range rows {
				if err := do(&rows[i]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	files, err := writeRows(w, dataset.Samples, dataset.Samples.Name+"-"+month.Month, samples)
	written, errClose := documents.close(documentsText) // even after an error, because it ends the packer's workers
	if err := errors.Join(err, errClose); err != nil {
		return err
	}
	written.Rows = month.Runs
	for _, f := range append(files, written) {
		f.Month = month.Month
		w.Files = append(w.Files, f)
	}
	return nil
}
