package verdict

import "flashdex/api/index"

// Measure is what a figure is called in a sentence, and its unit: "4K random write", "IOPS". Both are empty for a key that
// isn't of index.FigureKeys.
func Measure(key string) (name, unit string) {
	m := measures[key]
	return m[0], m[1]
}

var measures = map[string][2]string{
	index.RandWriteIOPS:  {"4K random write", "IOPS"},
	index.RandReadIOPS:   {"4K random read", "IOPS"},
	index.SeqWriteMBPerS: {"linear write", "MB/s"},
	index.SeqReadMBPerS:  {"linear read", "MB/s"},
	index.RandWriteP99MS: {"99th percentile of 4K random write", "ms"},
	index.RandWriteMaxMS: {"worst 4K random write", "ms"},
}
