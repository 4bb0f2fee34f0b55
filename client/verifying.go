package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"flashdex/client/device"
	"flashdex/client/spool"
	"flashdex/client/verify"
	"flashdex/result"
	"flashdex/result/sign"
)

// verifyModule checks whether a module has its claimed capacity: in a directory's free space, or on a whole device.
func verifyModule(ctx context.Context, o options, dirs []string) error {
	switch {
	case o.device != "" && len(dirs) > 0:
		return usagef("verify --device checks the whole of %s: %q is one too many", o.device, dirs[0])
	case o.device != "" && !o.erase:
		return usagef("verify --device %s would overwrite a part of the device and so destroy the file systems on it; "+
			"nothing was written. If you need nothing on it, add --erase; else mount it and name a directory on it", o.device)
	case o.device != "":
		return verifyDevice(ctx, o)
	case o.erase:
		return usagef("--erase erases nothing without --device; flashdex help all explains")
	case len(dirs) != 1:
		return usagef("verify takes one directory on the module to check, such as /mnt/card; flashdex help all explains")
	}
	return verifyDir(ctx, o, dirs[0])
}

var errNotSound = errors.New("the module did not pass; the findings above are signs, and another reader or port may " +
	"change them")

func verifyDir(ctx context.Context, o options, dir string) error {
	target, err := device.Running.Find(dir, 0)
	if err == nil && target.Disk.Stack != nil {
		err = fmt.Errorf("%s is on %s, a stack of several modules; verify checks one module, mounted by itself", dir,
			target.Disk.Name)
	}
	var space *verify.Space
	if err == nil {
		space, err = verify.NewSpace(target.Dir, target.RootDisk)
	}
	if err != nil {
		return usageError(err)
	}
	fmt.Fprintf(stderr, "Module  %s, %s claimed, %s file system\nTest    the free space is filled with %s, which is "+
		"read back and removed; Ctrl-C stops it and leaves nothing behind\n\n",
		target.Disk.Name, verify.Size(target.Disk.SizeBytes), target.Filesystem, verify.Size(space.Bytes))
	if err := confirmFill(ctx, o, dir, space); err != nil {
		return err
	}
	outcome, err := newFinding(o, target)
	if err != nil {
		return err
	}
	before, err := target.Disk.Counters()
	if err != nil {
		return err
	}
	progress := newProgress(os.Stderr)
	space.Progress = func(now verify.Progress) {
		rate := float64(now.Done) / 1e6 / max(now.Elapsed.Seconds(), 1e-9)
		progress.print(fmt.Sprintf("%-7s  %3.0f %%  %s MB/s  (about %s left)",
			now.Phase, 100*float64(now.Done)/float64(now.Total), result.Number(rate), now.Left.Round(time.Second)),
			now.Done == now.Total)
	}
	found := verify.Content{DeviceBytes: target.Disk.SizeBytes}
	err = space.Write(ctx, &found)
	if err == nil {
		err = space.Read(ctx, &found)
	}
	progress.end()
	after, counterErr := target.Disk.Counters()
	space.Close()
	// A module that was pulled out fails reads and writes just like a module that refuses them.
	if err == nil && !target.Disk.Here() {
		return fmt.Errorf("%s has gone from this computer, so nothing is known of its capacity. Until then %s were written "+
			"and %s of them came back right. Put it in again and run this again", target.Disk.Name,
			verify.Size(found.WrittenBytes), verify.Size(found.GoodBytes()))
	}
	counted := after.Since(before).ReadBytes
	if err == nil && counterErr == nil && found.Sound() && counted < found.ReadBytes-found.ReadBytes/20 {
		return fmt.Errorf("nothing is known: the test read %s, but the kernel counted only %s at the device; the rest came "+
			"from memory. The test files are removed", verify.Size(found.ReadBytes), verify.Size(counted))
	}
	if err == nil || found.ReadBytes > 0 {
		fmt.Fprintln(o.wordsTo(), found.Words())
		isKnown := found.ReadBytes > 0 && !found.Stopped
		fmt.Fprintln(o.wordsTo(), weighed(device.Running.Identity(target.Disk), signsOfContent(found), isKnown))
	}
	switch {
	case err != nil:
		return fmt.Errorf("%w: %s were written and %s of them read back; all is removed",
			err, verify.Size(found.WrittenBytes), verify.Size(found.ReadBytes))
	case counterErr != nil:
		return counterErr
	}
	checked := found.Checked()
	return outcome.end(ctx, o, found.SaysCapacity(), found.Sound(), func(unit *result.Identity) {
		unit.Checked = &checked
	})
}

// confirmFill asks before it lets a module with files be filled. On a fake, data beyond the real size may overwrite the
// files.
func confirmFill(ctx context.Context, o options, dir string, space *verify.Space) error {
	const ofAnEmptyFileSystem = 1 << 20
	if o.yes || space.UsedBytes < ofAnEmptyFileSystem {
		return nil
	}
	const risk = "If the module is a fake, filling it may overwrite them: copy them away first"
	used := verify.Size(space.UsedBytes)
	yes, err := ask(ctx, fmt.Sprintf("%s are in use on it. %s. Fill it? [y/N] ", used, risk), "nothing was written",
		usagef("%s are in use in the file system of %s. %s, and run this on a terminal or with --yes; nothing was written",
			used, dir, risk))
	if err == nil && !yes {
		err = usagef("nothing was written")
	}
	return err
}

func verifyDevice(ctx context.Context, o options) error {
	target, err := device.Running.Open(o.device, 0)
	if err != nil {
		return usagef("%w. Nothing was written", err)
	}
	defer target.Close()
	name, size, stretch := target.Disk.Name, target.Disk.SizeBytes, verify.StretchBytes(target.Disk.SizeBytes)
	fmt.Fprintf(stderr, "Module  the whole of %s, %s claimed\nOn it   %s\n", name, verify.Size(size), listed(target))
	fmt.Fprintf(stderr, "Erases  the first and the last %s and single blocks all over it; file systems on it will be "+
		"lost\n", verify.Size(stretch))
	fmt.Fprintf(stderr, "Writes  %s on a genuine module, %s or more on a fake; Ctrl-C stops it; overwritten data "+
		"stay lost\n", verify.Size(2*stretch), verify.Size(4*stretch))
	if err := confirmErase(ctx, o, target); err != nil {
		return err
	}
	outcome, err := newFinding(o, target)
	if err != nil {
		return err
	}
	fmt.Fprintln(stderr)
	// Open it again, past the page cache.
	file, err := os.OpenFile(target.Dir, os.O_RDWR|syscall.O_DIRECT, 0)
	if err != nil {
		return fmt.Errorf("%s allows no direct I/O, and without it the page cache would be checked: %w; nothing was written",
			o.device, err)
	}
	defer file.Close()
	progress := newProgress(os.Stderr)
	probe := verify.Probe{Device: file, SizeBytes: size, Check: target.Same, Progress: func(now verify.Progress) {
		progress.print(fmt.Sprintf("%-7s  %3.0f %%  (this step takes about %s more)",
			now.Phase, 100*float64(now.Done)/float64(now.Total), now.Left.Round(time.Second)), now.Done == now.Total)
	}}
	found, err := probe.Do(ctx)
	progress.end()
	if err == nil {
		err = target.Same() // after the last read, too
	}
	if err != nil {
		return fmt.Errorf("%w: the probe did not finish, and nothing is known; beginning, end and single blocks of %s are "+
			"overwritten", err, name)
	}
	fmt.Fprintln(o.wordsTo(), found.Words())
	isKnown := found.Kind != verify.Stopped
	fmt.Fprintln(o.wordsTo(), weighed(device.Running.Identity(target.Disk), signsOfCapacity(found), isKnown))
	if err := keepFound(device.Running, target.Disk, found, time.Now()); err != nil {
		fmt.Fprintf(stderr, "flashdex: this finding can't be kept for the module's later results: %v\n", err)
	}
	return outcome.end(ctx, o, found.SaysCapacity(), found.Kind == verify.Genuine, func(unit *result.Identity) {
		unit.Verified = verified(found, time.Now())
	})
}

// wordsTo is where the words of a finding go: not to stdout where that is for a program.
func (o options) wordsTo() io.Writer {
	if o.json || o.payload {
		return stderr
	}
	return stdout
}

// weighed says what the signs of a check and those of the module's registers weigh together. isKnown says whether the
// check could have shown a sign.
func weighed(unit result.Identity, found []sign.Sign, isKnown bool) string {
	signs, looked := sign.OfDocument(&result.Document{Identity: unit})
	return sign.Sentence(append(signs, found...), looked || isKnown)
}

// signsOfContent returns the sign that a test of free space found, if any.
func signsOfContent(found verify.Content) []sign.Sign {
	lacks := sign.Of(sign.Capacity)
	checked := found.Checked()
	took := "Of " + verify.Size(found.WrittenBytes) + " that it took, "
	switch {
	case checked.Lacks():
		lacks.What, lacks.Strong = took+verify.Size(checked.LostBytes())+" didn't come back.", checked.LacksSurely()
	case found.Unreads():
		lacks.What = took + verify.Size(found.UnreadableBytes()) + " could not be read."
	case found.WriteError != nil:
		lacks.What = fmt.Sprintf("After %s it refused to be written to.", verify.Size(found.WrittenBytes))
	default:
		return nil
	}
	return []sign.Sign{lacks}
}

// signsOfCapacity returns the sign that a probe found, if any.
func signsOfCapacity(found verify.Capacity) []sign.Sign {
	lacks := sign.Of(sign.Capacity)
	switch {
	case found.SaysCapacity():
		return sign.OfCapacity(verified(found, time.Now()))
	case found.Kind == verify.Refused:
		lacks.What = fmt.Sprintf("From %s on it refuses to be written to or read.", verify.Size(found.RealBytes))
	case found.Kind == verify.Failing && found.Loses():
		lacks.What = fmt.Sprintf("%d of %d blocks that were tested are lost or can't be read.", found.LostBlocks, found.Blocks)
	default:
		return nil
	}
	return []sign.Sign{lacks}
}

// keepFound keeps a finding about the capacity for later results of the module, if the kernel shows a serial number. One
// that says nothing of the capacity ends what an earlier one said: the module is no longer as it was then.
func keepFound(kernel device.Kernel, disk device.Disk, found verify.Capacity, now time.Time) error {
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
	if !found.SaysCapacity() {
		return kept.ForgetVerified(tag)
	}
	return kept.KeepVerified(tag, *verified(found, now))
}

func verified(found verify.Capacity, now time.Time) *result.Verified {
	return &result.Verified{
		ClaimedBytes: found.ClaimedBytes, FoundBytes: found.RealBytes, On: now.UTC().Format(time.DateOnly),
	}
}
