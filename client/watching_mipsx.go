//go:build mips || mipsle || mips64 || mips64le

package main

import "context"

// watchModule refuses: a router's memory must hold the client, see client/build.sh.
func watchModule(context.Context, options, []string) error {
	return usagef("this client is built small, for routers, and doesn't watch: flashdex DIR measures each time; " +
		"nothing was measured")
}
