//go:build mips || mipsle || mips64 || mips64le

package main

import "context"

// tellHealth refuses: a router's memory must hold the client.
func tellHealth(context.Context, options, []string) error {
	return usagef("this client is built small, for routers, and asks no module for its health: put the card into another " +
		"computer and ask it there; nothing was sent")
}
