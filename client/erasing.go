package main

import (
	"context"
	"fmt"

	"flashdex/client/device"
	"flashdex/client/measure"
	"flashdex/result"
)

// openDevice opens the whole device that the user named, if it may be erased.
func openDevice(o options, plan measure.Plan) (target device.Target, err error) {
	if !o.erase {
		what := fmt.Sprintf("%d MiB in the middle of the device", plan.AreaBytes>>20)
		if plan.Method == result.MethodAltechnative2012 {
			what = "all of the device"
		}
		return target, usagef("--device %s would overwrite %s with random data and so destroy the file systems on it; "+
			"nothing was written. If you need nothing on it, add --erase", o.device, what)
	}
	need := plan.AreaBytes
	if o.filesystem != "" {
		err = device.Running.CanMakeFilesystem()
		need = device.Ext4Bytes(need)
	}
	if err == nil {
		target, err = device.Running.Open(o.device, need)
	}
	if err != nil {
		err = usagef("%w. Nothing was written", err)
	}
	return target, err
}

// confirmErase has the user type the device's name before anything is written to it.
func confirmErase(ctx context.Context, o options, target device.Target) error {
	name := target.Disk.Name
	return o.confirm(ctx, fmt.Sprintf("Type %s to erase it, anything else to stop: ", name), name, "nothing was written",
		fmt.Sprintf("there is no terminal to type the device's name on; nothing was written. Run it on a terminal, or with "+
			"--yes if you are sure that %s is the right device", o.device))
}
