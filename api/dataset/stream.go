package dataset

import "golang.org/x/sync/errgroup"

// batchCells is how many cells are handed over at once.
const batchCells = 6_000

// Stream writes the rows of a table to all writers at once, which put some of them into their form while the next are read, closes the writers,
// and returns how many rows there were. After an error no writer is closed: half a table must not look like a whole one.
func Stream[R any](t *Of[R], each func(do func(*R) error) error, to ...Writer) (rows int64, err error) {
	p := &pipe{writers: to, busy: new(errgroup.Group)}
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

// pipe hands rows to all writers at once, while the next rows are put together.
type pipe struct {
	writers      []Writer
	cells, other []Value
	busy         *errgroup.Group
}

func (p *pipe) flush() error {
	if err := p.busy.Wait(); err != nil {
		return err
	}
	p.busy = new(errgroup.Group)
	cells := p.cells
	for _, w := range p.writers {
		p.busy.Go(func() error { return w.Write(cells) })
	}
	p.cells, p.other = p.other[:0], p.cells
	return nil
}

func (p *pipe) close(err error) error {
	if err == nil {
		err = p.flush()
	}
	if waited := p.busy.Wait(); err == nil {
		err = waited
	}
	for _, w := range p.writers {
		if err == nil {
			err = w.Close()
		}
	}
	return err
}
