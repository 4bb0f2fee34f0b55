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

// LengthError reports a text that has the wrong length for a register, or characters other than hex digits.
type LengthError struct {
	Register string // CID or SSR
	Digits   int    // hex digits that it must have
	Got      int    // characters that it has, or -1 if some are not hex digits
}

func (e *LengthError) Error() string {
	if e.Got < 0 {
		return fmt.Sprintf("the %s register holds characters other than hex digits; it must have %d of these",
			e.Register, e.Digits)
	}
	return fmt.Sprintf("the %s register has %d characters; it must have %d hex digits", e.Register, e.Got, e.Digits)
}

// bits is a register, highest bit first.
type bits []byte

// parse reads a register of so many bytes from hex digits of either case.
func parse(register, text string, bytes int) (bits, error) {
	if len(text) != 2*bytes {
		return nil, &LengthError{register, 2 * bytes, len(text)}
	}
	b, err := hex.DecodeString(text)
	if err != nil {
		return nil, &LengthError{register, 2 * bytes, -1}
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

// flag returns a single bit.
func (b bits) flag(bit int) bool { return b.field(bit, bit) == 1 }

// bytes returns the bytes from bit high down to bit low.
func (b bits) bytes(high, low int) bits { return b[len(b)-1-high/8 : len(b)-low/8] }

// text returns the ASCII text in the bytes from high down to low without padding. "?" replaces unprintable characters.
func (b bits) text(high, low int) string {
	text := slices.Clone(b.bytes(high, low))
	for i, c := range text {
		if c == 0 {
			text[i] = ' '
		} else if c < ' ' || c > '~' {
			text[i] = '?'
		}
	}
	return strings.TrimSpace(string(text))
}

// OEM is an OEM or application id in both ways to read it: some makers use two ASCII letters, others a number.
type OEM struct {
	Hex  string `json:"hex"`            // as the kernel prints it: 0x5344
	Text string `json:"text,omitempty"` // "SD"; empty if a byte is not printable ASCII
}

func (b bits) oem(high, low int) OEM {
	id := b.bytes(high, low)
	if slices.ContainsFunc(id, func(c byte) bool { return c <= ' ' || c > '~' }) {
		return OEM{Hex: fmt.Sprintf("0x%x", []byte(id))}
	}
	return OEM{Hex: fmt.Sprintf("0x%x", []byte(id)), Text: string(id)}
}
