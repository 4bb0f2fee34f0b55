package transcript

import (
	"fmt"
	"strings"
	"time"

	"flashdex/result"
)

// Limits of a result document (result/schema/result-v1.json).
const (
	maxTests     = 96
	maxIntervals = 4000
	maxOps       = 1e9
	maxBytes     = 1e15
	maxNS        = 2.3e15 // of an interval, see package schema
	maxBlock     = 1 << 30
	minBlock     = 512
	maxOptions   = 400
)

// fault says why a document can't hold a test, or "".
func fault(tool string, t *result.Test) string {
	switch {
	case t.BlockBytes < minBlock || t.BlockBytes > maxBlock:
		return fmt.Sprintf("%s with blocks of %d bytes: a result allows 512 bytes to 1 GiB", t.Name, t.BlockBytes)
	case t.Ops < 1 || t.Bytes < 1 || t.DurationNS < 1 || t.AreaBytes < 0 || t.QueueDepth < 0:
		return t.Name + " did nothing, or in no time"
	case len(t.Intervals) > maxIntervals:
		return fmt.Sprintf("%s in %d passes: a result holds %d", t.Name, len(t.Intervals), maxIntervals)
	case t.Ops > maxOps || t.Bytes > maxBytes || t.AreaBytes > maxBytes || t.DurationNS > maxNS || t.QueueDepth > 1024:
		return t.Name + " is larger than anything that could be measured"
	}
	doc := result.Document{Method: result.MethodOfImport(tool), Profile: result.ProfileImported,
		Imported: &result.Imported{Tool: tool}, Tests: []result.Test{*t}}
	if problems := doc.Check(); len(problems) > 0 {
		return fmt.Sprintf("%s contradicts itself: %s", t.Name, problems[0].Detail)
	}
	return ""
}

const (
	lower  = "abcdefghijklmnopqrstuvwxyz"
	digits = "0123456789"
	plain  = lower + "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + digits + " .+_-"
)

// optionsOf joins the options with these names. Blanks separate the names.
func optionsOf(names string, of map[string]string) string {
	var list []string
	for name := range strings.FieldsSeq(names) {
		if value, ok := of[name]; ok {
			list = append(list, name+"="+value)
		}
	}
	return options(list)
}

// options joins as many options as a document holds. It drops options that could be the name of a file.
func options(list []string) string {
	text := ""
	for _, option := range list {
		if option == "" || strings.Trim(option, plain+",:=") != "" {
			continue
		}
		if len(text)+len(option) >= maxOptions {
			break
		}
		text += " " + option
	}
	return strings.TrimSpace(text)
}

// joinOptions adds another test's options after a semicolon, unless they are the same as the last test's.
func joinOptions(all, more string) string {
	switch {
	case all == "":
		return more
	case more == "" || all == more || strings.HasSuffix(all, "; "+more) || len(all)+len(more)+2 > maxOptions:
		return all
	}
	return all + "; " + more
}

// version returns a version if a document may hold it, or else "".
func version(text string) string {
	if len(text) > 60 || strings.Trim(text, plain+"()") != "" {
		return ""
	}
	return text
}

// day returns the day of a time in one of the layouts of package time, or "".
func day(text string, layouts ...string) string {
	for _, layout := range layouts {
		at, err := time.Parse(layout, strings.TrimSpace(text))
		if err == nil && at.Year() >= 1980 && at.Year() <= 2099 {
			return at.Format(time.DateOnly)
		}
	}
	return ""
}

// ctime is the layout of ctime(3).
const ctime = "Mon Jan _2 15:04:05 2006"

// rated fills in how much a test moved, for an output that shows only a rate. It takes as many whole blocks as the
// test's file has, or as the test moves in a second. The duration is what they take at this rate.
func rated(t *result.Test, bytesPerS float64) {
	moved := float64(t.AreaBytes)
	if moved < float64(t.BlockBytes) {
		moved = bytesPerS
	}
	t.Ops = int64(max(1, min(moved/float64(t.BlockBytes), maxOps)))
	t.Bytes = t.Ops * t.BlockBytes
	t.DurationNS = nsOf(t.Bytes, bytesPerS)
}
