//go:build mips || mipsle || mips64 || mips64le

package main

import (
	"context"
	"flag"
)

func (o *options) addFacts(*flag.FlagSet) {}

// importFiles refuses: a router's memory must hold the client, and reading printouts would be a thirtieth of it.
func importFiles(context.Context, options, []string) error {
	return usagef("this client is built small, for routers, and reads no printouts: paste them into the form at " +
		"/import/ of the site, or import them with the client of another computer; nothing was kept")
}
