package main

import (
	"context"
	"errors"
	"fmt"

	"flashdex/client/device"
	"flashdex/client/measure"
	"flashdex/result"
)

// openDevice takes the whole device that the user named, if it may be erased.
func openDevice(o options, plan measure.Plan) (device.Target, error) {
	if !o.erase {
		what := fmt.Sprintf("%d MiB in the middle of the device", plan.AreaBytes>>20)
		if plan.Method == result.MethodAltechnative2012 {
			what = "all of the device"
		}
		return device.Target{}, usagef("--device %s would overwrite %s with random data, whatever is there, "+
			"and so destroy the file systems on it; nothing was written. If nothing on it is needed, add --erase", o.device, what)
	}
	need := plan.AreaBytes
	if o.filesystem != "" {
		if err := device.Running.CanMakeFilesystem(); err != nil {
			return device.Target{}, usageError{fmt.Errorf("%w. Nothing was written", err)}
		}
		need = device.Ext4Bytes(need)
	}
	target, err := device.Running.Open(o.device, need)
	if err != nil {
		return device.Target{}, usageError{fmt.Errorf("%w. Nothing was written", err)}
	}
	return target, nil
}

// confirmErase has the user type the device's name before anything is written to it.
func confirmErase(ctx context.Context, o options, target device.Target) error {
	if o.yes {
		return nil
	}
	name := target.Disk.Name
	line, err := typed(ctx, fmt.Sprintf("Type %s to erase it, anything else to stop: ", name))
	switch {
	case errors.Is(err, errNoTerminal):
		return usagef("there is no terminal to type the device's name on; nothing was written. Run it on one, or with --yes if %s is surely the right device", o.device)
	case err != nil:
		return fmt.Errorf("%w: nothing was written", err)
	case line != name:
		return usagef("%q is not %q; nothing was written", line, name)
	}
	return nil
}
