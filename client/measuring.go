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
	kept, err := roomToKeep()
	if err != nil {
		return err
	}
	target, plan, err := findTarget(o, dir)
	if err != nil {
		return err
	}
	if target.Device != nil {
		defer target.Device.Close()
	}
	doc, err := newDocument(o, kept, plan, target)
	if err != nil {
		return err
	}
	announce(doc, target, plan, dir, kept)
	if target.Device != nil {
		if err := confirmErase(ctx, o, target); err != nil {
			return err
		}
	}
	run := &measure.Run{Kernel: device.Running, Target: target, Plan: plan}
	if plan.Whole > 0 {
		return finish(ctx, o, kept, doc, run, nil)
	}
	journal, err := begin(kept, o, target, doc)
	if err != nil {
		return err
	}
	return finish(ctx, o, kept, doc, run, journal)
}

// roomToKeep opens the spool, if another result has room in it.
func roomToKeep() (spool.Spool, error) {
	kept, err := spool.Open()
	if err == nil {
		err = kept.CheckRoom()
	}
	if err != nil {
		return kept, usageError{err}
	}
	return kept, nil
}

// newDocument is the result of a run, without its tests.
func newDocument(o options, kept spool.Spool, plan measure.Plan, target device.Target) (*result.Document, error) {
	tagKey, err := kept.TagKey()
	if err != nil {
		return nil, err
	}
	kernel := device.Running
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
		Stack:         kernel.StackOf(target.Disk),
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
	return &doc, nil
}

// finish runs what was announced, and keeps, shows and offers the result. journal is nil if the run can't be gone on with.
func finish(ctx context.Context, o options, kept spool.Spool, doc *result.Document, run *measure.Run, journal *spool.Journal) error {
	fmt.Fprintln(os.Stderr)
	if journal != nil {
		defer journal.Close()
		run.Keep = func(entry measure.Entry) error { return journal.Append(entry) }
	}
	plan, target := run.Plan, run.Target
	progress := newProgress(os.Stderr)
	run.Progress = progress.show
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
	case plan.DevicePasses > 0:
		left = target.Disk.Name + " may hold random data everywhere, and nothing was sent"
	case target.Device != nil:
		left = "the test area on " + target.Disk.Name + " may hold random data, and nothing was sent"
	}
	if err != nil && journal != nil {
		if journal.Entries > 0 {
			left += "; what is done is kept, so that the run can go on where it was, with: " + resumeCommand(o)
		} else {
			journal.Remove()
		}
	}
	var signalled stopped
	switch {
	case errors.As(err, &signalled):
		return fmt.Errorf("%w: %s", err, left)
	case err != nil:
		return fmt.Errorf("%w. %s", err, strings.ToUpper(left[:1])+left[1:])
	}
	doc.Target.Filesystem, doc.Target.Mkfs = run.Target.Filesystem, run.Target.Mkfs
	doc.Tests = tests
	doc.Spoilers = append(doc.Spoilers, spoilers...)
	return keepAndOffer(ctx, o, kept, doc, journal)
}

// keepAndOffer keeps a result, shows it, and uploads it if the user wants that. The run's journal, nil if there is none, has served its turn then.
func keepAndOffer(ctx context.Context, o options, kept spool.Spool, doc *result.Document, journal *spool.Journal) error {
	path, data, err := kept.Save(doc)
	if err != nil {
		// Better on the terminal than lost.
		fmt.Printf("%s\n", data)
		return fmt.Errorf("the result above can't be kept: %w; save it to a file to upload it later", err)
	}
	if journal != nil {
		journal.Remove()
	}
	var table io.Writer = os.Stdout
	if o.payload {
		fmt.Printf("%s\n", data)
	}
	if o.payload || o.json {
		table = os.Stderr
	}
	printResult(table, doc)
	fmt.Fprintf(table, "\nKept in %s\n", path)
	standing, err := offer(ctx, o, kept, path, doc.Imported != nil)
	if o.json {
		err = errors.Join(err, printJSON(os.Stdout, path, doc, data, standing))
	}
	return err
}

// findTarget finds what the user named to measure, dir, or the whole device if dir is "", and what is to be done there.
func findTarget(o options, dir string) (target device.Target, plan measure.Plan, err error) {
	plan = o.plan(device.Running.AvailableBytes())
	switch {
	case plan.Command != nil:
		target, err = device.Running.Holding(plan.Command[0])
	case dir == "":
		target, err = openDevice(o, plan)
		if err != nil {
			return target, plan, err
		}
		plan = plan.Erasing(target.Disk.SizeBytes, o.filesystem)
	default:
		target, err = device.Running.Find(dir, plan.NeedBytes())
	}
	if err == nil && target.Disk.Stack != nil {
		plan, err = plan.OfStack()
	}
	if err != nil {
		return target, plan, usageError{err}
	}
	return target, plan.Within(target.Room()), nil
}

func kind(target device.Target) string {
	if target.Device != nil {
		return "device"
	}
	return "directory"
}

// announce says what will be done to which module before it is done.
func announce(doc *result.Document, target device.Target, plan measure.Plan, dir string, kept spool.Spool) {
	say := func(head, format string, args ...any) {
		fmt.Fprintf(os.Stderr, "%-7s %s\n", head, fmt.Sprintf(format, args...))
	}
	if plan.Command != nil {
		say("Module", "%s, %s file system on %s", describe(doc), target.Filesystem, target.Disk.Name)
		say("Test", "%s is started 11 times, without input and output; from the second on, the page cache is emptied of what it uses of the module", plan.Command[0])
		say("Writes", "nothing, unless the command does; only its name, %s, is in the result", doc.Target.Program)
		say("Takes", "%s, typically seconds; a start that takes more than a minute ends it, and so does Ctrl-C", takes(plan, nil))
		return
	}
	area, writes := plan.AreaBytes>>20, writesWhat(plan)
	if target.Device != nil {
		start := device.AreaStart(target.Disk.SizeBytes)
		say("Module", "%s, the whole of %s", describe(doc), target.Disk.Name)
		say("On it", "%s", strings.Join(target.Contents(), "\n        "))
		stops := "Ctrl-C stops it, and what was overwritten stays so"
		if plan.DevicePasses > 0 {
			say("Erases", "all of it")
			say("Test", "%d passes over all of it, then %d MiB from %.2f GB on%s", plan.DevicePasses, area, float64(start)/1e9, onFilesystem(plan))
			stops = "Ctrl-C interrupts it, and " + resumeCommand(options{}) + " goes on where it was"
		} else {
			say("Erases", "%d MiB of it, from %.2f GB on; file systems on it will be damaged", area, float64(start)/1e9)
		}
		say("Writes", "%s", writes)
		say("Takes", "%s; %s", takes(plan, earlier(kept, doc)), stops)
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
	stops := "Ctrl-C stops it and leaves nothing behind"
	if plan.Method == result.MethodAltechnative2012 {
		say("Place", "where the file system puts the file; only with --device is all of the module primed, and the test half of it from its beginning")
		stops = "Ctrl-C interrupts it and leaves nothing on the module, and " + resumeCommand(options{}) + " goes on where it was"
	}
	say("Writes", "%s", writes)
	say("Takes", "%s; %s", takes(plan, earlier(kept, doc)), stops)
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
	if doc.Imported != nil {
		return fmt.Sprintf("%s, %g GB, %s", strings.Join(parts, ", "), doc.Module.CapacityGB, doc.Module.Form)
	}
	if doc.Stack != nil {
		add(doc.Stack.Label())
	}
	for _, device := range doc.Devices() {
		add(device.Label())
	}
	return fmt.Sprintf("%s, %.1f GB", strings.Join(parts, ", "), float64(doc.Identity.SizeBytes)/1e9)
}
