package main

import (
	"context"
	"fmt"
	"os"

	"flashdex/client/release"
)

// signed checks a signature for flashdex.sh where no other program can. It is the signature of the list that this
// client is on.
func signed(_ context.Context, _ options, arguments []string) error {
	if len(arguments) != 3 {
		return usagef("signed takes a key, a file and its signature; flashdex help all explains")
	}
	file, err := os.ReadFile(arguments[1])
	if err != nil {
		return usageError(err)
	}
	signature, err := os.ReadFile(arguments[2])
	if err != nil {
		return usageError(err)
	}
	if err := release.PublicKey(arguments[0]).Verify(file, signature); err != nil {
		return fmt.Errorf("%s: %w", arguments[1], err)
	}
	fmt.Println("signed")
	return nil
}
