package ranking

import (
	"math"
	"slices"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/result"
)

// linearBlockBytes is the block size at which linear transfer is compared, and smallestLinearBytes the least that
// counts as linear where every block is a transfer of its own: of 4 KiB blocks, the gaps between them would be
// measured.
const (
	linearBlockBytes    = 1 << 20
	smallestLinearBytes = 512 << 10
)

// publishedGroups collects the published rows that one cell is made of: the same module, method and figure. The order
// is that of the rows, so that the same rows always give the same page.
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

// blockDistance orders block sizes by how near they are to linearBlockBytes; an unstated one is taken to be fit.
func blockDistance(p catalogue.Published) int64 {
	if p.BlockBytes == 0 || slices.Contains(streaming, p.Method) {
		return 0
	}
	return int64(math.Abs(float64(p.BlockBytes - linearBlockBytes)))
}

// streaming are the methods that go through the page cache: their block size is only a buffer's, the transfer is linear
// at any.
var streaming = []string{"dd", "dd-buffered", "hdparm"}

// publishedKey is the figure that a published row is evidence for, or "" where no table compares it.
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

// publishedFigure is the median of what was published of one module by one method.
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
