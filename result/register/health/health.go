// Package health decodes what modules tell about their wear. It knows EXT_CSD of eMMC, several makers' answers to CMD56
// and the function registers of SD 6 of SD cards, SMART of CompactFlash, and the NVMe SMART log of SD Express.
//
// It asks nothing: client/passthrough does. No answer has a checksum, so each is checked for values that can't be. A
// quantity that contradicts the others isn't told. An answer that contradicts itself is an error. No serial number is
// read.
package health

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"
)

// AnswerBytes is the size of each answer that this package decodes.
const AnswerBytes = 512

// Health is what a module tells about itself. A nil pointer or an empty text means that it doesn't tell, or not
// credibly.
type Health struct {
	Dialect      string `json:"dialect"`
	UsedPercent  *Range `json:"used_percent,omitempty"` // of the life that its maker rates it for
	SpareBlocks  *int64 `json:"spare_blocks,omitempty"`
	SparePercent *int64 `json:"spare_percent,omitempty"`  // of the spare blocks that it was made with, left
	NewBadBlocks *int64 `json:"new_bad_blocks,omitempty"` // since it left the factory
	MeanErases   *int64 `json:"mean_erases,omitempty"`    // of a block
	MaxErases    *int64 `json:"max_erases,omitempty"`     // of the block that was erased most
	PowerCycles  *int64 `json:"power_cycles,omitempty"`
	WrittenBytes *int64 `json:"written_bytes,omitempty"`
	PreEOL       string `json:"pre_eol,omitempty"` // of eMMC: normal, warning (80 % of spare blocks used), urgent (90 %)
	Alarm        string `json:"alarm,omitempty"`   // of NVMe: why it says that it fails

	Fields map[string]any `json:"fields"` // what the answer says, by field: a whole number, a percentage or a text
}

// Range is a quantity between two numbers, which may be equal. If AtMost is nil, the module doesn't tell how much more
// it may be.
type Range struct {
	AtLeast float64  `json:"at_least"`
	AtMost  *float64 `json:"at_most,omitempty"`
}

// Tells reports whether a module tells anything of its wear: an answer alone may hold nothing that is understood.
func (h Health) Tells() bool {
	counts := []*int64{h.SpareBlocks, h.SparePercent, h.NewBadBlocks, h.MeanErases, h.MaxErases, h.PowerCycles,
		h.WrittenBytes}
	return h.UsedPercent != nil || h.PreEOL != "" || h.Alarm != "" ||
		slices.ContainsFunc(counts, func(n *int64) bool { return n != nil })
}

// Tenths returns the tenth of its rated life that a module is using up, 1 to 10, or 11 for a module past all; 0: it
// doesn't tell.
func (h Health) Tenths() int {
	if h.UsedPercent == nil {
		return 0
	}
	return min(int(h.UsedPercent.AtLeast/10)+1, 11)
}

// The stages of wear, and what the module's user should do. Alerts have no other thresholds.
const (
	StageNone   = 0
	StageWorn   = 1 // get another one: four fifths of the rated life are used
	StageChange = 2 // copy its data and change it: all of that is used, four fifths of an eMMC's spare blocks, or an alarm
)

// Stage returns what the wear asks for; known is false if the module tells nothing of that.
func (h Health) Stage() (stage int, known bool) {
	used := h.UsedPercent
	switch {
	case used == nil && h.PreEOL == "" && h.Alarm == "":
		return StageNone, false
	case used != nil && used.AtLeast >= 100, h.PreEOL == "warning", h.PreEOL == "urgent", h.Alarm != "":
		return StageChange, true
	case used != nil && used.AtLeast >= 80:
		return StageWorn, true
	}
	return StageNone, true
}

// between returns the range from least to most.
func between(least, most float64) *Range { return &Range{least, &most} }

// usedOf returns how much of a life is used if so many per cent are left. It returns nil if that can't be.
func usedOf(leftPercent float64) *Range {
	if leftPercent < 0 || leftPercent > 100 {
		return nil
	}
	used := math.Round((100-leftPercent)*100) / 100 // the answers have at most two decimals
	return between(used, used)
}

// form is how an answer writes a field.
type form int

const (
	big        form = iota // a number, highest byte first
	little                 // a number, lowest byte first
	digits                 // bytes, shown as hex digits
	text                   // ASCII, padded
	hundredths             // a number of hundredths
	pair                   // two numbers, shown as "83,201"
	split                  // a number of four bytes: the lower two here, the upper two six bytes later
	sum                    // the sum of the bytes
)

// field is a part of an answer: so many bytes at an offset.
type field struct {
	name      string
	at, bytes int
	form      form
	codes     map[int64]string // meanings of its numbers; a number without a meaning is shown as it is
}

// read returns the field's value: an int64, a float64 or a string.
func (f field) read(answer []byte) any {
	b := answer[f.at : f.at+f.bytes]
	var n int64
	switch f.form {
	case digits:
		return strings.TrimSpace(fmt.Sprintf("% x", b))
	case text:
		return printable(b)
	case pair:
		return fmt.Sprintf("%d,%d", b[0], b[1])
	case sum:
		for _, one := range b {
			n += int64(one)
		}
	case split:
		n = int64(binary.BigEndian.Uint16(answer[f.at+6:]))<<16 | number(b)
	case little:
		for i := range b {
			n = n<<8 | int64(b[len(b)-1-i])
		}
	default:
		n = number(b)
	}
	if f.form == hundredths {
		return float64(n) / 100
	}
	if meaning, known := f.codes[n]; known {
		return meaning
	}
	return n
}

// number reads up to seven bytes, highest first.
func number(b []byte) (n int64) {
	for _, one := range b {
		n = n<<8 | int64(one)
	}
	return n
}

// printable returns a padded text. It replaces characters that aren't ASCII with "?".
func printable(b []byte) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == 0 {
			return ' '
		} else if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, string(b)))
}

// whole returns a field's number, if it has one.
func (h Health) whole(name string) *int64 {
	if n, ok := h.Fields[name].(int64); ok {
		return &n
	}
	return nil
}

// checkAnswer refuses bytes that can't be an answer of any dialect.
func checkAnswer(answer []byte) error {
	if len(answer) != AnswerBytes {
		return fmt.Errorf("the answer has %d bytes instead of %d", len(answer), AnswerBytes)
	}
	first := answer[0]
	if (first == 0 || first == 0xff) && strings.Count(string(answer), string(answer[:1])) == AnswerBytes {
		return fmt.Errorf("all bytes of the answer are %s, so it says nothing", hex.EncodeToString(answer[:1]))
	}
	return nil
}
