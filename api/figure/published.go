package figure

import (
	"slices"

	"flashdex/api/catalogue"
	"flashdex/result"
)

// linearBlockBytes is the block size at which linear transfer is compared. Below smallestLinearBytes a transfer of
// each block by itself does not count as linear: blocks of 4 KiB would measure the gaps between them.
const (
	linearBlockBytes    = 1 << 20
	smallestLinearBytes = 512 << 10
)

// PublishedFigure returns the metric that a published row is evidence for and its value, or nil if no table compares
// it. Of linear rates, distance is how far the block size is from the one that they are compared at: only the nearest
// count.
func PublishedFigure(p *catalogue.Published) (key string, value *float64, distance int64) {
	switch {
	case p.Restates > 0: // the same measurement as another row, in another unit
		return "", nil, 0
	case p.Test == result.RandWrite && p.BlockBytes == 4096:
		return RandWriteIOPS, p.IOPS, 0
	case p.Test == result.RandRead && p.BlockBytes == 4096:
		return RandReadIOPS, p.IOPS, 0
	case p.Test == result.SeqWrite:
		key = SeqWriteMBPerS
	case p.Test == result.SeqRead:
		key = SeqReadMBPerS
	default:
		return "", nil, 0
	}
	// Through the page cache, the block size is only the size of a buffer, and the transfer is linear at any size.
	buffered := slices.Contains([]string{"dd", "dd-buffered", "hdparm"}, p.Method)
	switch size := p.BlockBytes; {
	case size == 0 || buffered:
		return key, p.MBPerS, 0
	case size < smallestLinearBytes:
		return "", nil, 0
	default:
		return key, p.MBPerS, max(size-linearBlockBytes, linearBlockBytes-size)
	}
}
