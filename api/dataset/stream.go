package dataset

import (
	"errors"
	"sync"
)

// batchCells is how many cells are handed to the writers at once.
const batchCells = 6_000

// Stream writes the rows of a table to all writers, closes them, and returns the number of rows. The writers work on
// one batch at the same time while the next is read. After an error it closes no writer, so that half a table never
// looks complete.
func Stream[R any](t *Of[R], each func(do func(*R) error) error, to ...Writer) (rows int64, err error) {
	var cells, other []Value
	var writing sync.WaitGroup
	errs := make([]error, len(to))
	wait := func() error {
		writing.Wait()
		return errors.Join(errs...)
	}
	flush := func() error {
		if err := wait(); err != nil {
			return err
		}
		batch := cells
		for i, w := range to {
			writing.Go(func() { errs[i] = w.Write(batch) })
		}
		cells, other = other[:0], cells
		return nil
	}
	err = each(func(row *R) error {
		rows++
		cells = t.Append(cells, row)
		if len(cells) < batchCells {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	if waited := wait(); err == nil {
		err = waited
	}
	for _, w := range to {
		if err == nil {
			err = w.Close()
		}
	}
	return rows, err
}
