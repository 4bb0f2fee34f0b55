package ranking

import (
	"math"
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

// publishedGroups groups the published rows that one cell is made of: the same module, method and figure. It keeps
// the order of the rows, so that the same rows always give the same page.
func publishedGroups(published []catalogue.Published) [][]catalogue.Published {
	type cell struct{ device, method, key string }
	groups := map[cell][]catalogue.Published{}
	var order []cell
	nearest := map[cell]int64{}
	for _, p := range published {
		key := publishedKey(p)
		if key == "" {
			continue
		}
		c := cell{p.ModuleSlug + p.DeviceSlug, p.Method, key}
		if key == figure.SeqWriteMBPerS || key == figure.SeqReadMBPerS {
			distance := blockDistance(p)
			if old, ok := nearest[c]; ok && distance > old {
				continue
			} else if ok && distance < old {
				groups[c] = nil
			}
			nearest[c] = distance
		}
		if _, known := groups[c]; !known {
			order = append(order, c)
		}
		groups[c] = append(groups[c], p)
	}
	var all [][]catalogue.Published
	for _, c := range order {
		all = append(all, groups[c])
	}
	return all
}

// blockDistance returns how far a block size is from linearBlockBytes; 0 if the block size is unknown.
func blockDistance(p catalogue.Published) int64 {
	if p.BlockBytes == 0 || slices.Contains(streaming, p.Method) {
		return 0
	}
	return int64(math.Abs(float64(p.BlockBytes - linearBlockBytes)))
}

// streaming lists the methods that go through the page cache. Their block size is only the size of a buffer, and the
// transfer is linear at any size.
var streaming = []string{"dd", "dd-buffered", "hdparm"}

// publishedKey returns the key of the figure that a published row is evidence for, or "" if no table compares it.
func publishedKey(p catalogue.Published) string {
	linear := p.BlockBytes == 0 || p.BlockBytes >= smallestLinearBytes || slices.Contains(streaming, p.Method)
	switch {
	case p.Restates > 0: // the same measurement as another row, in another unit
	case p.Test == result.RandWrite && p.BlockBytes == 4096 && p.IOPS != nil:
		return figure.RandWriteIOPS
	case p.Test == result.RandRead && p.BlockBytes == 4096 && p.IOPS != nil:
		return figure.RandReadIOPS
	case p.Test == result.SeqWrite && linear && p.MBPerS != nil:
		return figure.SeqWriteMBPerS
	case p.Test == result.SeqRead && linear && p.MBPerS != nil:
		return figure.SeqReadMBPerS
	}
	return ""
}

// publishedFigure returns the median of a group of published rows.
func publishedFigure(group []catalogue.Published) (key string, value float64) {
	key = publishedKey(group[0])
	var values []float64
	for _, p := range group {
		if key == figure.RandWriteIOPS || key == figure.RandReadIOPS {
			values = append(values, *p.IOPS)
		} else {
			values = append(values, *p.MBPerS)
		}
	}
	return key, result.Median(values)
}
