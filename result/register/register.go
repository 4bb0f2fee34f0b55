// Package register decodes the registers in which a module describes itself: CID and SD Status (SSR) of an SD card, CID
// of an eMMC, and the answer of a disk or CompactFlash card to IDENTIFY DEVICE. Client and server share it.
//
// The serial number never survives: no type here has a field for it or keeps the bytes of a register, and no error
// quotes its input. A claim is read as it stands, however odd, since an odd claim is evidence too. The only error is a
// text that can't be a register.
//
// Sources: SD Specifications Part 1, Physical Layer Simplified Specification, version 9.00 ("SD" and a section in the
// comments), and JEDEC JESD84-B51, eMMC 5.1 ("JESD84-B51" and a section). Both number the last bit sent as bit 0.
package register

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// bits is a register, highest bit first.
type bits []byte

// parse reads a register of so many bytes from hex digits of either case.
func parse(register, text string, bytes int) (bits, error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != bytes {
		return nil, fmt.Errorf("the %s register must have %d hex digits and nothing else", register, 2*bytes)
	}
	return b, nil
}

// field returns the number in the bits from high down to low, at most 64 bits.
func (b bits) field(high, low int) (v uint64) {
	top := 8*len(b) - 1
	for i := top - high; i <= top-low; i++ {
		v = v<<1 | uint64(b[i/8]>>(7-i%8)&1)
	}
	return v
}

// bytes returns the bytes from bit high down to bit low.
func (b bits) bytes(high, low int) []byte { return b[len(b)-1-high/8 : len(b)-low/8] }

// ascii returns a text without its padding. "?" replaces unprintable characters.
func ascii(padded []byte) string {
	text := slices.Clone(padded)
	for i, c := range text {
		if c == 0 {
			text[i] = ' '
		} else if c < ' ' || c > '~' {
			text[i] = '?'
		}
	}
	return strings.TrimSpace(string(text))
}

// Classes returns the maker's promises in the SD Status of a card (SSR, 128 hex digits) in the spelling that is printed
// on cards: "Class 10", "U3", "V30", "A2". They are the fields SPEED_CLASS, UHS_SPEED_GRADE, VIDEO_SPEED_CLASS and
// APP_PERF_CLASS of SD 4.10.2.
func Classes(ssr string) (classes []string, err error) {
	b, err := parse("SSR", ssr, 64)
	if err != nil {
		return nil, err
	}
	speedClass := map[uint64]uint64{1: 2, 2: 4, 3: 6, 4: 10}[b.field(447, 440)]
	for _, class := range []struct {
		prefix string
		n      uint64
	}{
		{"Class ", speedClass}, {"U", b.field(399, 396)}, {"V", b.field(391, 384)}, {"A", b.field(339, 336)},
	} {
		if class.n > 0 {
			classes = append(classes, fmt.Sprint(class.prefix, class.n))
		}
	}
	return classes, nil
}
