//go:build small

// This file replaces what a client leaves out, where it must fit into a router's memory, or where a processor's code is
// large. client/build.sh names these clients.

package main

import (
	"context"
	"flag"
	"os"

	"flashdex/client/measure"
	"flashdex/result"
)

func (o *options) addFacts(*flag.FlagSet) {}

func importFiles(context.Context, options, []string) error {
	return usagef("this client is built small and reads no printouts: paste them into the form at /import/ of the site, " +
		"or import them with the client of another computer; nothing was kept")
}

func tellHealth(context.Context, options, []string) error {
	return usagef("this client is built small and asks no module for its health: put the card into another computer and " +
		"ask it there; nothing was sent")
}

func addWear(ctx context.Context, o options, _ *measure.Run, _ *result.Document) error {
	if !o.wear {
		return nil
	}
	return tellHealth(ctx, o, nil)
}

func watchModule(context.Context, options, []string) error {
	return usagef("this client is built small and doesn't watch: flashdex DIR measures each time; nothing was measured")
}

// drawAddress draws no QR code: the address stands above.
func drawAddress(*os.File, string) {}
