package main

import (
	"time"

	"flashdex/client/device"
	"flashdex/client/spool"
	"flashdex/client/verify"
	"flashdex/result"
)

// keepFound keeps what was found for the module's next results, if the kernel shows by what to know it again. Single bad
// blocks say nothing of the capacity.
func keepFound(kernel device.Kernel, disk device.Disk, found verify.Capacity, now time.Time) error {
	if found.Kind == verify.Failing {
		return nil
	}
	kept, err := spool.Open()
	if err != nil {
		return err
	}
	key, err := kept.TagKey()
	if err != nil {
		return err
	}
	tag := kernel.UnitTag(disk, key)
	if tag == "" {
		return nil
	}
	return kept.KeepVerified(tag, result.Verified{ClaimedBytes: found.ClaimedBytes, FoundBytes: found.RealBytes, On: now.UTC().Format(time.DateOnly)})
}
