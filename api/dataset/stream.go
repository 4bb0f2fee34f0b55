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
	p := &pipe{writers: to, errs: make([]error, len(to))}
	err = p.close(each(func(row *R) error {
		rows++
		p.cells = t.Append(p.cells, row)
		if len(p.cells) >= batchCells {
			return p.flush()
		}
		return nil
	}))
	return rows, err
}

// pipe hands batches of rows to all writers.
type pipe struct {
	writers      []Writer
	cells, other []Value
	writing      sync.WaitGroup
	errs         []error // of the writers
}

func (p *pipe) flush() error {
	if err := p.wait(); err != nil {
		return err
	}
	cells := p.cells
	for i, w := range p.writers {
		p.writing.Go(func() { p.errs[i] = w.Write(cells) })
	}
	p.cells, p.other = p.other[:0], p.cells
	return nil
}

func (p *pipe) wait() error {
	p.writing.Wait()
	return errors.Join(p.errs...)
}

func (p *pipe) close(err error) error {
	if err == nil {
		err = p.flush()
	}
	if waited := p.wait(); err == nil {
		err = waited
	}
	for _, w := range p.writers {
		if err == nil {
			err = w.Close()
		}
	}
	return err
}
