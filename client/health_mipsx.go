//go:build mips || mipsle || mips64 || mips64le

package main

import (
	"context"

	"flashdex/client/device"
	"flashdex/result"
)

// tellHealth refuses: a router's memory must hold the client.
func tellHealth(context.Context, options, []string) error {
	return usagef("this client is built small, for routers, and asks no module for its health: put the card into another " +
		"computer and ask it there; nothing was sent")
}

func wearOf(ctx context.Context, o options, _ device.Seen) (*result.Wear, error) {
	return nil, tellHealth(ctx, o, nil)
}
