package figure

import (
	"math"

	"flashdex/result"
)

// Figure is one value that a module or a run is compared by, with its 95 % interval where it has one.
type Figure struct {
	Value     float64
	Low, High *float64
}

// Block sizes of the tests that modules are compared by; others of the same name are not.
const (
	randomBlockBytes = 4096
	linearBlockBytes = 1 << 20
)

// FiguresOf picks from the figures of a run's tests those that modules are compared by.
func FiguresOf(tests []result.Figures) map[string]Figure {
	figures := map[string]Figure{}
	for _, t := range tests {
		if random := t.Test == result.RandWrite || t.Test == result.RandRead; t.BlockBytes != randomBlockBytes && random || t.BlockBytes != linearBlockBytes && !random {
			continue
		}
		if t.QueueDepth > 1 { // which another tool may have had
			continue
		}
		switch t.Test {
		case result.SeqWrite:
			figures[SeqWriteMBPerS] = Figure{Value: t.MBPerS}
			if t.CVPercent != nil {
				figures[SeqWriteCVPercent] = Figure{Value: *t.CVPercent}
			}
			if t.CliffMB != nil {
				figures[SeqWriteCliffMB] = Figure{Value: *t.CliffMB}
			}
			if t.CliffPercent != nil {
				figures[SeqWriteCliffPercent] = Figure{Value: *t.CliffPercent}
			}
		case result.SeqRead:
			figures[SeqReadMBPerS] = Figure{Value: t.MBPerS}
		case result.RandWrite:
			if t.IOPS != nil {
				figures[RandWriteIOPS] = Figure{*t.IOPS, t.IOPSLow, t.IOPSHigh}
			}
			if t.P99NS != nil {
				figures[RandWriteP99MS] = Figure{Value: float64(*t.P99NS) / 1e6}
			}
			if t.P999NS != nil {
				figures[RandWriteP999MS] = Figure{Value: float64(*t.P999NS) / 1e6}
			}
			if t.CVPercent != nil {
				figures[RandWriteCVPercent] = Figure{Value: *t.CVPercent}
			}
			if t.MaxNS != nil {
				figures[RandWriteMaxMS] = Figure{Value: float64(*t.MaxNS) / 1e6}
			}
		case result.RandRead:
			if t.IOPS != nil {
				figures[RandReadIOPS] = Figure{*t.IOPS, t.IOPSLow, t.IOPSHigh}
			}
		}
	}
	return figures
}

// Padded appends to values, which an older version made, what it takes for FigureKeys.
func Padded(values []float64) []float64 {
	for len(values) < len(FigureKeys) {
		values = append(values, math.NaN())
	}
	return values
}

// ValuesOf is FiguresOf as a list in the order of FigureKeys; not a number: not measured.
func ValuesOf(tests []result.Figures) []float64 {
	figures := FiguresOf(tests)
	values := make([]float64, len(FigureKeys))
	for i, key := range FigureKeys {
		f, measured := figures[key]
		if values[i] = f.Value; !measured {
			values[i] = math.NaN()
		}
	}
	return values
}
