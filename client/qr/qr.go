// Package qr encodes short texts as QR codes by ISO/IEC 18004:2015. We wrote it ourselves because go.mod already has as
// many direct modules as we allow. An address needs only a part of the standard: bytes, error level L and versions 1 to
// 5.
package qr

import (
	"fmt"
	"strings"
)

// codewords counts the codewords of data and of error correction, by version (table 9). Up to version 5, level L has a
// single block.
var codewords = [][2]int{1: {19, 7}, {34, 10}, {55, 15}, {80, 20}, {108, 26}}

// Code is a symbol without its quiet zone: rows of modules. Dark modules are true.
type Code [][]bool

// Encode returns the smallest code that holds a text of at most 106 bytes.
func Encode(text string) (Code, error) {
	const modeAndLength = 2 // bytes for these and the terminator, 4 + 8 + 4 bits
	version := 1
	for len(text)+modeAndLength > codewords[version][0] {
		if version++; version == len(codewords) {
			return nil, fmt.Errorf("a text of %d bytes is too long for a QR code of version 5", len(text))
		}
	}
	s := newSymbol(17 + 4*version)
	s.patterns(version)
	s.place(withCorrection(dataOf(text, codewords[version][0]), codewords[version][1]))
	return s.dark, nil
}

// dataOf returns the data codewords (7.4): the mode 0100 for bytes, the number of bytes, the bytes, 0000, and padding.
func dataOf(text string, n int) []byte {
	shifted := append([]byte{byte(len(text))}, text...) // by the four bits of the mode
	data, before := make([]byte, 0, n), byte(0b0100)
	for _, b := range shifted {
		data, before = append(data, before<<4|b>>4), b
	}
	data = append(data, before<<4)
	for pad := byte(0xEC); len(data) < n; pad ^= 0xEC ^ 0x11 {
		data = append(data, pad)
	}
	return data
}

// withCorrection appends n codewords of error correction (7.5). They are the remainder of dividing the data by the
// product of all (x - 2^i) over the field of 256 elements.
func withCorrection(data []byte, n int) []byte {
	divisor, root := make([]byte, n), byte(1) // without its first coefficient, which is 1
	divisor[n-1] = 1
	for range n {
		for i := range divisor {
			divisor[i] = times(divisor[i], root)
			if i+1 < n {
				divisor[i] ^= divisor[i+1]
			}
		}
		root = times(root, 2)
	}
	rest := make([]byte, n)
	for _, b := range data {
		factor := b ^ rest[0]
		rest = append(rest[1:], 0)
		for i := range rest {
			rest[i] ^= times(divisor[i], factor)
		}
	}
	return append(data, rest...)
}

// times multiplies in the field of 256 elements modulo x^8 + x^4 + x^3 + x^2 + 1.
func times(a, b byte) (product byte) {
	for ; b > 0; b >>= 1 {
		if b&1 == 1 {
			product ^= a
		}
		carry := a >> 7
		a = a<<1 ^ carry*0x1D
	}
	return product
}

// symbol is a code in the making. The modules of its patterns are fixed: no data go there.
type symbol struct {
	size  int
	dark  Code
	fixed Code
}

func newSymbol(size int) *symbol {
	s := &symbol{size, make(Code, size), make(Code, size)}
	for i := range size {
		s.dark[i], s.fixed[i] = make([]bool, size), make([]bool, size)
	}
	return s
}

// fix sets a module of a pattern, if it is inside.
func (s *symbol) fix(row, column int, dark bool) {
	if min(row, column) >= 0 && max(row, column) < s.size {
		s.dark[row][column], s.fixed[row][column] = dark, true
	}
}

// square draws squares around a module: the ring at each distance is dark or light.
func (s *symbol) square(row, column int, rings ...bool) {
	last := len(rings) - 1
	for y := -last; y <= last; y++ {
		for x := -last; x <= last; x++ {
			s.fix(row+y, column+x, rings[max(x, -x, y, -y)])
		}
	}
}

// patterns draws everything that doesn't depend on the data (6.3), and the format (7.9).
func (s *symbol) patterns(version int) {
	for i := range s.size { // timing
		s.fix(6, i, i%2 == 0)
		s.fix(i, 6, i%2 == 0)
	}
	for _, at := range [][2]int{{3, 3}, {3, s.size - 4}, {s.size - 4, 3}} { // finders, with a light ring around
		s.square(at[0], at[1], true, true, false, true, false)
	}
	if version > 1 { // alignment
		s.square(s.size-7, s.size-7, true, false, true)
	}
	// Level L, mask 000 and their check bits (table C.1). The standard makes encoders try all eight masks, to find the
	// most even picture. We always take the first, since it makes short addresses even enough. Decoders read the mask
	// from here.
	const format = 0b111011111000100
	for i := range 15 {
		bit := format>>i&1 == 1
		switch { // beside the upper left finder
		case i < 6:
			s.fix(i, 8, bit)
		case i < 8:
			s.fix(i+1, 8, bit)
		case i == 8:
			s.fix(8, 7, bit)
		default:
			s.fix(8, 14-i, bit)
		}
		if i < 8 { // beside the others
			s.fix(8, s.size-1-i, bit)
		} else {
			s.fix(s.size-15+i, 8, bit)
		}
	}
	s.fix(s.size-8, 8, true)
}

// place writes the codewords, masked, into pairs of columns from the right, upwards and downwards in turn (7.7.3).
func (s *symbol) place(codewords []byte) {
	n, up := 0, true
	for right := s.size - 1; right > 0; right -= 2 {
		if right == 6 { // the column of the timing pattern
			right--
		}
		for i := range s.size {
			row := i
			if up {
				row = s.size - 1 - i
			}
			for column := right; column > right-2; column-- {
				if s.fixed[row][column] {
					continue
				}
				bit := n < 8*len(codewords) && codewords[n/8]>>(7-n%8)&1 == 1
				s.dark[row][column] = bit != ((row+column)%2 == 0) // mask 000
				n++
			}
		}
		up = !up
	}
}

// Quiet is the width of the light zone around a code that a decoder needs.
const Quiet = 4

// Width returns how many columns Blocks takes. It takes half as many lines.
func (c Code) Width() int { return len(c) + 2*Quiet }

// Blocks draws a code with its quiet zone, two modules in each character. It sets both colours, so that the code is
// dark on light on any terminal. It uses the fixed part of the 256 colours, since themes redefine the first sixteen.
func (c Code) Blocks() string {
	const darkOnLight, reset = "\x1b[38;5;16;48;5;231m", "\x1b[0m"
	var b strings.Builder
	for row := -Quiet; row < len(c)+Quiet; row += 2 {
		b.WriteString(darkOnLight)
		for column := -Quiet; column < len(c)+Quiet; column++ {
			b.WriteString(map[[2]bool]string{{}: " ", {true, false}: "▀", {false, true}: "▄", {true, true}: "█"}[[2]bool{
				c.Dark(row, column), c.Dark(row+1, column)}])
		}
		b.WriteString(reset + "\n")
	}
	return b.String()
}

// Dark reports whether a module is dark. The modules around the code are light.
func (c Code) Dark(row, column int) bool {
	return min(row, column) >= 0 && max(row, column) < len(c) && c[row][column]
}
