package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"flashdex/client/device"
	"flashdex/client/measure"
	"flashdex/client/spool"
	"flashdex/result"
)

// measureModule runs the profile that the user chose in dir, or on the whole device that the options name if dir is "",
// keeps the result, shows it, and uploads it if the user wants that.
func measureModule(ctx context.Context, o options, dir string) error {
	kept, err := spool.Open()
	if err != nil {
		return usageError{err}
	}
	if err := kept.CheckRoom(); err != nil {
		return usageError{err}
	}
	tagKey, err := kept.TagKey()
	if err != nil {
		return err
	}
	kernel := device.Running
	plan := o.plan(kernel.AvailableBytes())
	target, err := findTarget(o, dir, plan)
	if err != nil {
		return err
	}
	plan = plan.Within(target.Room())
	if target.Device != nil {
		defer target.Device.Close()
	}
	doc := result.Document{
		SchemaVersion: result.SchemaVersion,
		ID:            spool.NewID(time.Now()),
		Client:        result.Client{Name: "flashdex", Version: version, Platform: platform()},
		Method:        plan.Method,
		Profile:       plan.Profile,
		StartedAt:     time.Now().UTC().Format("2006-01-02T15:04:05Z"),
		UnitTag:       kernel.UnitTag(target.Disk, tagKey),
		Module:        o.module,
		Identity:      kernel.Identity(target.Disk),
		Host:          kernel.Host(target.Disk),
		Target:        result.Target{Kind: kind(target), Filesystem: target.Filesystem, RootDisk: target.RootDisk, WriteCache: target.Disk.WriteCache()},
		Spoilers:      []string{},
	}
	if plan.Command != nil {
		doc.Target.Program = result.Printable(filepath.Base(plan.Command[0]), longestName)
	}
	if usb := doc.Identity.USB; usb == nil || !usb.Reader { // whose tag is that of all cards of one size in it
		doc.Identity.Verified = kept.Verified(doc.UnitTag, doc.Identity.SizeBytes)
	}
	announce(&doc, target, plan, dir)
	if target.Device != nil {
		if err := confirmErase(ctx, o, target); err != nil {
			return err
		}
	}
	fmt.Fprintln(os.Stderr)

	progress := newProgress(os.Stderr)
	run := measure.Run{Kernel: kernel, Target: target, Plan: plan, Progress: progress.show}
	tests, spoilers, err := run.Do(ctx)
	progress.end()
	for _, note := range run.Notes {
		fmt.Fprintln(os.Stderr, note)
	}
	left := "the test file is gone and nothing was sent"
	switch {
	case errors.Is(err, measure.ErrLeftBehind):
		left = "nothing was sent"
	case plan.Command != nil:
		left = "nothing was written or sent"
	case target.Device != nil:
		left = "the test area on " + target.Disk.Name + " may hold random data, and nothing was sent"
	}
	var signalled stopped
	switch {
	case errors.As(err, &signalled):
		return fmt.Errorf("%w: %s", err, left)
	case err != nil:
		return fmt.Errorf("%w. %s", err, strings.ToUpper(left[:1])+left[1:])
	}
	doc.Tests = tests
	doc.Spoilers = append(doc.Spoilers, spoilers...)
	path, data, err := kept.Save(&doc)
	if err != nil {
		// Better on the terminal than lost.
		fmt.Printf("%s\n", data)
		return fmt.Errorf("the result above can't be kept: %w; save it to a file to upload it later", err)
	}
	var table io.Writer = os.Stdout
	if o.payload {
		fmt.Printf("%s\n", data)
	}
	if o.payload || o.json {
		table = os.Stderr
	}
	printResult(table, &doc)
	fmt.Fprintf(table, "\nKept in %s\n", path)
	standing, err := offer(ctx, o, kept, path)
	if o.json {
		err = errors.Join(err, printJSON(os.Stdout, path, &doc, data, standing))
	}
	return err
}

// findTarget finds what the user named to measure: dir, or the whole device if dir is "".
func findTarget(o options, dir string, plan measure.Plan) (device.Target, error) {
	if plan.Command != nil {
		target, err := device.Running.Holding(plan.Command[0])
		if err != nil {
			return target, usageError{err}
		}
		return target, nil
	}
	if dir == "" {
		return openDevice(o, plan)
	}
	target, err := device.Running.Find(dir, plan.NeedBytes())
	if err != nil {
		return target, usageError{err}
	}
	return target, nil
}

func kind(target device.Target) string {
	if target.Device != nil {
		return "device"
	}
	return "directory"
}

// announce says what will be done to which module before it is done.
func announce(doc *result.Document, target device.Target, plan measure.Plan, dir string) {
	say := func(head, format string, args ...any) {
		fmt.Fprintf(os.Stderr, "%-7s %s\n", head, fmt.Sprintf(format, args...))
	}
	if plan.Command != nil {
		say("Module", "%s, %s file system on %s", describe(doc), target.Filesystem, target.Disk.Name)
		say("Test", "%s is started 11 times, without input and output; from the second on, the page cache is emptied of what it uses of the module", plan.Command[0])
		say("Writes", "nothing, unless the command does; only its name, %s, is in the result", doc.Target.Program)
		say("Takes", "%s, typically seconds; a start that takes more than a minute ends it, and so does Ctrl-C", takes(plan))
		return
	}
	area, writes := plan.AreaBytes>>20, writesWhat(plan)
	if target.Device != nil {
		start := device.AreaStart(target.Disk.SizeBytes)
		say("Module", "%s, the whole of %s", describe(doc), target.Disk.Name)
		say("On it", "%s", strings.Join(target.Contents(), "\n        "))
		say("Erases", "%d MiB of it, from %.2f GB on; file systems on it will be damaged", area, float64(start)/1e9)
		say("Writes", "%s", writes)
		say("Takes", "%s; Ctrl-C stops it, and what was overwritten stays so", takes(plan))
		return
	}
	through := ""
	if target.Disk.Through != "" {
		through = ", through " + target.Disk.Through
	}
	if plan.Sync == "sync" {
		writes += "; the file system writes its own along with each random one (O_SYNC), often as much again or more"
	}
	say("Module", "%s, %s file system on %s%s", describe(doc), target.Filesystem, target.Disk.Name, through)
	say("Test", "one file in %s, of %d MiB, %s; removed at the end", dir, area, testWhat(plan))
	if plan.Method == result.MethodAltechnative2012 {
		say("Place", "where the file system puts the file; only with --device does it lie where the method says, from half of the module on")
	}
	say("Writes", "%s", writes)
	say("Takes", "%s; Ctrl-C stops it and leaves nothing behind", takes(plan))
}

// platform is GOOS/GOARCH, with the version that the client was built for on arm.
func platform() string {
	p := runtime.GOOS + "/" + runtime.GOARCH
	if info, ok := debug.ReadBuildInfo(); ok && runtime.GOARCH == "arm" {
		for _, setting := range info.Settings {
			if setting.Key == "GOARM" && setting.Value != "" {
				p += "v" + setting.Value[:1]
			}
		}
	}
	return p
}

// describe names the module as well as the user and the kernel know it.
func describe(doc *result.Document) string {
	var parts []string
	add := func(s ...string) {
		if text := strings.Join(strings.Fields(strings.Join(s, " ")), " "); text != "" {
			parts = append(parts, text)
		}
	}
	add(doc.Module.Vendor, doc.Module.Product)
	id := doc.Identity
	switch {
	case id.SD != nil:
		add("SD card", id.SD.Manfid, id.SD.OEMID, id.SD.Name)
	case id.MMC != nil:
		add("eMMC", id.MMC.Manfid, id.MMC.Name)
	case id.USB != nil:
		add("USB", id.USB.VendorID+":"+id.USB.ProductID, id.USB.Manufacturer, id.USB.Product)
	case id.SCSI != nil:
		add(strings.ToUpper(id.Bus), id.SCSI.Vendor, id.SCSI.Model)
	default:
		add(id.Bus, "device")
	}
	return fmt.Sprintf("%s, %.1f GB", strings.Join(parts, ", "), float64(id.SizeBytes)/1e9)
}
