// Package register reads the registers in which an SD card or an eMMC says what it is: CID, CSD, SCR and SD Status (SSR)
// of a card, CID, CSD and EXT_CSD of an eMMC. Client and server share it.
//
// The serial number never survives: no type here has a field for it or keeps the register's bytes, and no error quotes
// what it was given. What a card claims is read as it stands, however odd, since an odd claim tells something too; only
// text that is no register is an error.
//
// Sources: SD Specifications Part 1, Physical Layer Simplified Specification, version 9.00 ("SD" and a section in the
// comments below), and JEDEC JESD84-B51, eMMC 5.1 ("JESD84-B51" and a section). Bit n is counted as both do: the last
// bit sent is bit 0.
package register

import (
	"fmt"
	"strings"
)

// LengthError says that a text is no such register: it has another length, or characters that are no hex digits.
type LengthError struct {
	Register string // CID, CSD, SCR, SSR or EXT_CSD
	Digits   int    // hex digits that it must have
	Got      int    // characters that it had, or -1 if some were no hex digits
}

func (e *LengthError) Error() string {
	if e.Got < 0 {
		return fmt.Sprintf("the %s register holds characters that are no hex digits; it must be %d of them", e.Register, e.Digits)
	}
	return fmt.Sprintf("the %s register has %d characters; it must be %d hex digits", e.Register, e.Got, e.Digits)
}

// bits is a register, highest bit first.
type bits []byte

// parse reads a register of so many bytes from hex digits of either case.
func parse(register, text string, bytes int) (bits, error) {
	if len(text) != 2*bytes {
		return nil, &LengthError{register, 2 * bytes, len(text)}
	}
	b := make(bits, bytes)
	for i := range b {
		high, low := nibble(text[2*i]), nibble(text[2*i+1])
		if high > 15 || low > 15 {
			return nil, &LengthError{register, 2 * bytes, -1}
		}
		b[i] = high<<4 | low
	}
	return b, nil
}

func nibble(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10
	}
	return 255
}

// field is the number in the bits from high down to low, at most 64.
func (b bits) field(high, low int) (v uint64) {
	top := 8*len(b) - 1
	for i := top - high; i <= top-low; i++ {
		v = v<<1 | uint64(b[i/8]>>(7-i%8)&1)
	}
	return v
}

// flag is one bit.
func (b bits) flag(bit int) bool { return b.field(bit, bit) == 1 }

// text is the printable ASCII in the bytes from high down to low, other characters as "?", without padding.
func (b bits) text(high, low int) string {
	var out []byte
	for at := high; at > low; at -= 8 {
		c := byte(b.field(at, at-7))
		if c == 0 {
			c = ' '
		} else if c < ' ' || c > '~' {
			c = '?'
		}
		out = append(out, c)
	}
	return strings.TrimSpace(string(out))
}

// OEM is an OEM or application id, in both ways to read it: makers use two ASCII letters or a number.
type OEM struct {
	Hex  string `json:"hex"`            // as the kernel prints it: 0x5344
	Text string `json:"text,omitempty"` // "SD"; empty where a byte is no printable ASCII
}

func (b bits) oem(high, low int) OEM {
	o := OEM{Hex: fmt.Sprintf("0x%04x", b.field(high, low))}
	for at := high; at > low; at -= 8 {
		c := byte(b.field(at, at-7))
		if c <= ' ' || c > '~' {
			return OEM{Hex: o.Hex}
		}
		o.Text += string(rune(c))
	}
	return o
}
