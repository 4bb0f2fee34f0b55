package publish

import "flashdex/api/index"

// column describes one column of the ranking tables. The site's tables and glossary and the data set's README read it.
type column struct {
	Key         string `json:"key"`
	Label       string `json:"label"`
	Unit        string `json:"unit"`
	Type        string `json:"type"` // number, text, list
	Digits      int    `json:"digits"`
	Direction   string `json:"direction"` // higher or lower is better, or none
	Group       string `json:"group"`
	Description string `json:"description"`
}

var columns = []column{
	{"rank", "Rank", "", "number", 0, "lower", "module", "Place among the modules that were measured by the same method; no number where there is too little evidence."},
	{"module", "Module", "", "text", 0, "none", "module", "What a buyer can buy: maker, product line, capacity and form."},
	{"form", "Form", "", "text", 0, "none", "module", "The shape of the module: SD, microSD, CF, USB stick or eMMC."},
	{"capacity_gb", "Capacity", "GB", "number", 3, "none", "module", "Capacity as marketed, in gigabytes of 10⁹ bytes."},
	{"classes", "Classes", "", "list", 0, "none", "module", "Speed classes printed on the module: what it promises, not what was measured."},
	{index.RandWriteIOPS, "4K random write", "IOPS", "number", 3, "higher", "random", "Writes of 4 KiB to random places per second: what decides whether an operating system on the module feels quick."},
	{index.RandReadIOPS, "4K random read", "IOPS", "number", 3, "higher", "random", "Reads of 4 KiB from random places per second: how fast programs start."},
	{index.SeqWriteMBPerS, "Linear write", "MB/s", "number", 3, "higher", "linear", "Writing one long file, in 10⁶ bytes per second: copying and filming."},
	{index.SeqReadMBPerS, "Linear read", "MB/s", "number", 3, "higher", "linear", "Reading one long file, in 10⁶ bytes per second."},
	{index.RandWriteP99MS, "4K write, 99 %", "ms", "number", 3, "lower", "random", "99 of 100 random 4 KiB writes took no longer."},
	{index.RandWriteMaxMS, "4K write, worst", "ms", "number", 3, "lower", "random", "The longest single random 4 KiB write: how long the system may stand still."},
	{"units", "Units", "", "number", 0, "higher", "evidence", "How many single specimens of the module contributors have measured."},
	{"results", "Results", "", "number", 0, "higher", "evidence", "How many runs contributors have uploaded."},
	{"source", "Source", "", "text", 0, "none", "evidence", "Who measured: Flashdex's contributors, or a published source."},
}

// rankedKeys are the figures that have pre-sorted pages.
var rankedKeys = []string{index.RandWriteIOPS, index.RandReadIOPS, index.SeqWriteMBPerS, index.SeqReadMBPerS}

func columnOf(key string) column {
	for _, c := range columns {
		if c.Key == key {
			return c
		}
	}
	panic("publish: no column " + key)
}
