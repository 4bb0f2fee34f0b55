package figure

import (
	"fmt"
	"math"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/result"
)

// SurelyApart is how many times as fast one of two printed figures must be to be surely the faster one. With the error
// assumed of each, publishedError2, chance alone gives a greater ratio in 5 of 100 pairs.
var SurelyApart = math.Exp(1.96 * math.Sqrt(2*publishedError2))

// AsPublished is a figure of an imported result, with the published method whose figures it compares with.
type AsPublished struct {
	Method, Key string
	Value       float64 // in the unit of the key

	distance int64 // PublishedFigure
}

// PublishedAs lists the figures of an imported result that have a place among published figures, in the order of its
// tests. docs/import.md lists them. Of several linear tests the one with the nearest block size counts. A module that
// loses data has no such figures: it can accept what it loses at any rate.
func PublishedAs(doc *result.Document) (all []AsPublished) {
	if doc.Imported.LacksCapacity() {
		return nil
	}
	at := map[[2]string]int{}
	for i := range doc.Tests {
		t := &doc.Tests[i]
		p := catalogue.Published{Method: publishedMethod(doc.Imported, t), Test: t.Name, BlockBytes: t.BlockBytes}
		if f := t.Figures(); p.Method != "" {
			p.IOPS, p.MBPerS = f.IOPS, &f.MBPerS
		}
		key, value, distance := PublishedFigure(&p)
		if value == nil || !(*value > 0) {
			continue
		}
		figure, of := AsPublished{p.Method, key, *value, distance}, [2]string{p.Method, key}
		if k, there := at[of]; !there {
			at[of], all = len(all), append(all, figure)
		} else if distance < all[k].distance {
			all[k] = figure
		}
	}
	return all
}

// publishedMethod returns the published method that a tool measured by; empty: none, or it isn't known which.
func publishedMethod(of *result.Imported, t *result.Test) string {
	linear := t.Name == result.SeqWrite || t.Name == result.SeqRead
	writes := t.Name == result.SeqWrite || t.Name == result.RandWrite
	switch of.Tool {
	case result.ToolCrystalDiskMark, result.ToolKDiskMark, result.ToolAmorphousDiskMark:
		zeros := strings.Contains(of.Options, result.OptionZeros)
		switch depth := t.QueueDepth; {
		case !t.Direct:
		case depth == 1, depth == 8 && linear: // sources list its usual linear test under the same method
			if zeros {
				return "crystaldiskmark-zeros"
			}
			return "crystaldiskmark"
		case zeros:
		case depth == 32, depth == 64:
			return fmt.Sprintf("crystaldiskmark-qd%d", depth)
		}
	case result.ToolIozone:
		switch mib := t.AreaBytes >> 20; {
		case !t.Direct, writes && t.Sync != "fsync":
		case mib == 32, mib == 50, mib == 80, mib == 100:
			return fmt.Sprintf("iozone-direct-%dm", mib)
		}
	case result.ToolFio:
		if t.Direct && t.QueueDepth == 64 && !linear { // at depth 32 it matters whether the host had a command queue
			return "fio-qd64"
		}
	case result.ToolDD:
		switch {
		case t.Direct:
			return "dd-direct"
		case writes && t.Sync == "fsync":
			return "dd"
		}
	case result.ToolHdparm:
		if t.Direct {
			return "hdparm-direct"
		}
		return "hdparm"
	case result.ToolH2testw, result.ToolF3:
		return of.Tool
	}
	return ""
}
