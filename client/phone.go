//go:build !small

package main

import (
	"fmt"
	"os"

	"flashdex/client/qr"
)

// drawAddress draws an address as a QR code for a phone, if the terminal shows the code's characters and has room for
// all of it.
func drawAddress(out *os.File, address string) {
	lines, columns := terminalSize(out)
	code, err := qr.Encode(address)
	if err != nil || !showsUTF8() || os.Getenv("TERM") == "dumb" || columns < code.Width() || lines <= code.Width()/2+1 {
		return // the address stands above
	}
	fmt.Fprintf(out, "\n%s", code.Blocks())
}
