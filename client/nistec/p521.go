// Package nistec takes the place of a file of Go's crypto/internal/fips140/nistec in the small clients of
// client/build.sh. Without the curve P-521, they are a fiftieth smaller. No site whose certificate browsers trust has a
// key of this curve: Mozilla's root policy (2.9, section 5.1) takes P-256 and P-384 alone. A site with such a key is
// refused.
package nistec

import "errors"

// P521Point has the methods of a point of P-521 that Go's own packages call.
type P521Point struct{}

var errNotHere = errors.New("this client is built small and knows no keys of the curve P-521")

// NewP521Point returns a point of which nothing can be computed.
func NewP521Point() *P521Point { return &P521Point{} }

// SetBytes returns an error, so no key is taken and no signature is right.
func (*P521Point) SetBytes([]byte) (*P521Point, error) { return nil, errNotHere }

// ScalarMult returns an error.
func (*P521Point) ScalarMult(*P521Point, []byte) (*P521Point, error) { return nil, errNotHere }

// ScalarBaseMult returns an error, so no key is made.
func (*P521Point) ScalarBaseMult([]byte) (*P521Point, error) { return nil, errNotHere }

// BytesX returns an error.
func (*P521Point) BytesX() ([]byte, error) { return nil, errNotHere }

// Bytes returns nothing.
func (*P521Point) Bytes() []byte { return nil }

// BytesCompressed returns nothing.
func (*P521Point) BytesCompressed() []byte { return nil }

// Add returns the same point. No other methods are reached, since no point is ever set.
func (p *P521Point) Add(*P521Point, *P521Point) *P521Point { return p }

// Double returns the same point.
func (p *P521Point) Double(*P521Point) *P521Point { return p }
