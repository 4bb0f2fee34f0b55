package index

import (
	"math"

	"flashdex/result"
)

// Keys of the figures that modules are compared by. The unit is in the name.
const (
	RandWriteIOPS  = "rand_write_iops"
	RandReadIOPS   = "rand_read_iops"
	SeqWriteMBPerS = "seq_write_mb_per_s"
	SeqReadMBPerS  = "seq_read_mb_per_s"
	RandWriteP99MS = "rand_write_p99_ms"
	RandWriteMaxMS = "rand_write_max_ms"

	RandWriteP999MS      = "rand_write_p999_ms"
	RandWriteCVPercent   = "rand_write_cv_percent"   // coefficient of variation over time
	SeqWriteCVPercent    = "seq_write_cv_percent"    //
	SeqWriteCliffMB      = "seq_write_cliff_mb"      // 10^6 bytes written before the rate fell for good
	SeqWriteCliffPercent = "seq_write_cliff_percent" // the rate after that in percent of the one before; 100: it didn't fall
)

// FigureKeys lists them. What is stored as a list of values is in this order: it is appended to, and nothing else.
var FigureKeys = []string{RandWriteIOPS, RandReadIOPS, SeqWriteMBPerS, SeqReadMBPerS, RandWriteP99MS, RandWriteMaxMS,
	RandWriteP999MS, RandWriteCVPercent, SeqWriteCVPercent, SeqWriteCliffMB, SeqWriteCliffPercent}

// LowerIsBetter reports whether the least of a figure is the best: of times, and of what varies.
func LowerIsBetter(key string) bool {
	switch key {
	case RandWriteP99MS, RandWriteP999MS, RandWriteMaxMS, RandWriteCVPercent, SeqWriteCVPercent:
		return true
	}
	return false
}

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
