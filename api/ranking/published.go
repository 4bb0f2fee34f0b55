package ranking

import (
	"slices"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/result"
)

// linearBlockBytes is the block size at which linear transfer is compared. Below smallestLinearBytes a transfer of
// each block by itself does not count as linear: blocks of 4 KiB would measure the gaps between them.
const (
	linearBlockBytes    = 1 << 20
	smallestLinearBytes = 512 << 10
)

// publishedCell holds the published rows that one cell is made of: the same module, method and figure.
type publishedCell struct {
	key      string // of the figure
	rows     []catalogue.Published
	values   []float64
	distance int64 // of a linear figure: how far the block size of its rows is from linearBlockBytes
}

// publishedCells collects published rows in cells. It keeps their order, so that the same rows always give the same
// page. A cell of a linear figure has only the rows whose block size is nearest to linearBlockBytes.
func publishedCells(published []catalogue.Published) (cells []*publishedCell) {
	type place struct{ device, method, key string }
	at := map[place]*publishedCell{}
	for _, p := range published {
		key, value := publishedFigure(p)
		if value == nil {
			continue
		}
		var distance int64
		if (key == figure.SeqWriteMBPerS || key == figure.SeqReadMBPerS) && p.BlockBytes != 0 && !streams(p) {
			distance = max(p.BlockBytes-linearBlockBytes, linearBlockBytes-p.BlockBytes)
		}
		of := place{p.ModuleSlug + p.DeviceSlug, p.Method, key}
		c := at[of]
		if c == nil {
			c = &publishedCell{key: key, distance: distance}
			at[of], cells = c, append(cells, c)
		}
		if distance < c.distance {
			*c = publishedCell{key: key, distance: distance}
		}
		if distance == c.distance {
			c.rows, c.values = append(c.rows, p), append(c.values, *value)
		}
	}
	return cells
}

// streams reports whether the method of a row goes through the page cache. Its block size is only the size of a
// buffer then, and the transfer is linear at any size.
func streams(p catalogue.Published) bool {
	return slices.Contains([]string{"dd", "dd-buffered", "hdparm"}, p.Method)
}

// publishedFigure returns the figure that a published row is evidence for, or nil if no table compares it.
func publishedFigure(p catalogue.Published) (key string, value *float64) {
	linear := p.BlockBytes == 0 || p.BlockBytes >= smallestLinearBytes || streams(p)
	switch {
	case p.Restates > 0: // the same measurement as another row, in another unit
	case p.Test == result.RandWrite && p.BlockBytes == 4096:
		return figure.RandWriteIOPS, p.IOPS
	case p.Test == result.RandRead && p.BlockBytes == 4096:
		return figure.RandReadIOPS, p.IOPS
	case p.Test == result.SeqWrite && linear:
		return figure.SeqWriteMBPerS, p.MBPerS
	case p.Test == result.SeqRead && linear:
		return figure.SeqReadMBPerS, p.MBPerS
	}
	return "", nil
}
