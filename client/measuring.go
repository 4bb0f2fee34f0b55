package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"flashdex/client/device"
	"flashdex/client/direct"
	"flashdex/client/measure"
	"flashdex/client/spool"
	"flashdex/result"
)

// measureModule measures dir, or the whole device if dir is "". It keeps, shows and offers the result.
func measureModule(ctx context.Context, o options, dir string) error {
	kept, err := roomToKeep()
	if err != nil {
		return err
	}
	run, err := findTarget(o, dir)
	if err != nil {
		return err
	}
	defer run.Target.Close()
	doc, err := newDocument(o, kept, run)
	if err != nil {
		return err
	}
	if err := addWear(ctx, o, run, doc); err != nil {
		return err
	}
	announce(doc, run.Target, run.Plan, dir, kept)
	if run.Plan.Fills {
		if err := confirmHours(ctx, o, run.Plan); err != nil {
			return err
		}
	}
	if run.Target.Device != nil { // last, since it checks that the device is still the same
		if err := confirmErase(ctx, o, run.Target); err != nil {
			return err
		}
	}
	if o.site != "" && !o.noUpload {
		doc.Token = askToken(ctx, o, doc.ID)
	}
	var journal *spool.Journal
	if run.Plan.Resumable(run.Target.Device != nil) {
		if journal, err = begin(kept, o, run.Target, doc); err != nil {
			return err
		}
	}
	return finish(ctx, o, kept, doc, run, journal)
}

// askToken asks the site for the token of a run, and says so. Without one, the run goes on.
func askToken(ctx context.Context, o options, id string) string {
	token, err := spool.Site{URL: o.site}.RunToken(ctx, id)
	said := "asked for; the request names neither you nor the module"
	if err != nil {
		said = fmt.Sprintf("none, since %v. The run goes on; a new contributor's result without one counts later", err)
	}
	fmt.Fprintf(stderr, "Token   from %s: %s\n", spool.Clean(o.site), said)
	return token
}

// measureStartup measures how long the user's command takes to start from the module that its program is on.
func measureStartup(ctx context.Context, o options) error {
	switch {
	case o.device != "" || o.erase:
		return usagef("startup writes nothing: leave out --device and --erase")
	case len(o.arguments) == 0:
		return usagef("name the command to start, such as: flashdex --profile startup -- java -version")
	}
	path, err := exec.LookPath(o.arguments[0])
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if why, ok := errors.AsType[*exec.Error](err); ok {
		err = why.Err
	}
	if err != nil {
		return usagef("%q can't be started (%w); name a command whose program is on the module, such as: "+
			"flashdex --profile startup -- /mnt/card/program", o.arguments[0], err)
	}
	o.start = append([]string{path}, o.arguments[1:]...)
	return measureModule(ctx, o, "")
}

// roomToKeep opens the spool if another result fits into it.
func roomToKeep() (spool.Spool, error) {
	kept, err := spool.Open()
	if err == nil {
		err = kept.CheckRoom()
	}
	if err != nil {
		return kept, usageError(err)
	}
	return kept, nil
}

// emptyDocument returns a new result with the client, the time and the module, and nothing else.
func emptyDocument(o options) result.Document {
	return result.Document{
		SchemaVersion: result.SchemaVersion,
		ID:            spool.NewID(time.Now()),
		Client:        result.Client{Name: "flashdex", Version: version, Platform: platform()},
		StartedAt:     time.Now().UTC().Format("2006-01-02T15:04:05Z"),
		Module:        o.module,
		Spoilers:      []string{},
	}
}

// newDocument returns the result of a run, without its tests.
func newDocument(o options, kept spool.Spool, run *measure.Run) (*result.Document, error) {
	tagKey, err := kept.TagKey()
	if err != nil {
		return nil, err
	}
	plan, target, kernel, disk := run.Plan, run.Target, run.Kernel, run.Target.Disk
	doc := emptyDocument(o)
	doc.Method, doc.Profile = plan.Method, plan.Profile
	doc.UnitTag, doc.Identity, doc.Stack, doc.Host = kernel.UnitTag(disk, tagKey), kernel.Identity(disk),
		kernel.StackOf(disk), kernel.Host(disk)
	doc.Target = result.Target{Kind: "directory", Filesystem: target.Filesystem, RootDisk: target.RootDisk,
		WriteCache: disk.WriteCache(), UsedPercent: target.UsedPercent(), Discards: target.Discards(),
		DiscardedBytes: disk.DiscardedBytes()}
	if target.Device != nil {
		doc.Target.Kind = "device"
	}
	if plan.Command != nil {
		doc.Target.Program = result.Printable(filepath.Base(plan.Command[0]), longestName)
		doc.Target.Configuration = o.configuration
	}
	if isOneUnit(&doc) {
		doc.Identity.Verified = kept.Verified(doc.UnitTag, doc.Identity.SizeBytes)
	}
	return &doc, nil
}

// isOneUnit reports whether all that was found before by the document's tag is surely of this module. Many readers don't
// say that they are one, so of USB only what its user calls a stick is.
func isOneUnit(doc *result.Document) bool {
	return doc.Identity.Bus != "usb" || doc.Module.Form == "usb" && !inReader(doc)
}

// inReader reports whether a module is a card in a USB reader, which gives all its cards of one size the same tag. Many
// readers have names that don't tell, so what the user calls a card is one.
func inReader(doc *result.Document) bool {
	usb, form := doc.Identity.USB, doc.Module.Form
	return doc.Identity.Bus == "usb" && usb != nil && (usb.Reader || form != "" && form != "usb")
}

// finish runs the announced tests, then keeps, shows and offers the result. journal is nil if the run can't be resumed.
func finish(
	ctx context.Context, o options, kept spool.Spool, doc *result.Document, run *measure.Run, journal *spool.Journal,
) error {
	fmt.Fprintln(stderr)
	if journal != nil {
		defer journal.Close()
		run.Keep = func(entry measure.Entry) error { return journal.Append(entry) }
	}
	plan, target := run.Plan, run.Target
	run.Token = doc.Token
	if plan.CheckpointBytes > 0 {
		var err error
		if run.Sign, err = signer(kept, doc); err != nil {
			return err
		}
	}
	progress := newProgress(os.Stderr)
	run.Progress = progress.show
	tests, spoilers, err := run.Do(ctx)
	progress.end()
	for _, note := range run.Notes {
		fmt.Fprintln(stderr, note)
	}
	if err == nil {
		doc.Target.Filesystem, doc.Target.Mkfs = run.Target.Filesystem, run.Target.Mkfs
		doc.Target.ProgramSum, doc.Target.ProgramBytes = run.ProgramSum, run.ProgramBytes
		doc.Tests = tests
		doc.Spoilers = append(doc.Spoilers, spoilers...)
		return keepAndOffer(ctx, o, kept, doc, journal)
	}
	left := "the test file is gone and nothing was sent"
	_, changed := errors.AsType[*device.ChangedError](err)
	switch {
	case changed:
		left = "nothing was written to what is there now; the module that was taken out may hold random data, and nothing " +
			"was sent"
		if plan.Filesystem != "" {
			left = "the tests wrote nothing to what is there now, but if " + plan.Filesystem + " was mounted, the kernel may " +
				"have written blocks of it there; the module that was taken out may hold random data, and nothing was sent"
		}
	case errors.Is(err, direct.ErrLeftBehind):
		left = "nothing was sent"
	case plan.Command != nil:
		left = "nothing was written or sent"
	case plan.DevicePasses > 0 || plan.Fills && target.Device != nil:
		left = target.Disk.Name + " may hold random data everywhere, and nothing was sent"
	case target.Device != nil:
		left = "the test area on " + target.Disk.Name + " may hold random data, and nothing was sent"
	}
	if journal != nil && journal.Entries > 0 {
		left += "; the finished part is kept; continue with:\n    " + clientCommand(o, "resume")
		if plan.Profile == result.ProfileEndure {
			left += "\nor " + endings(o)
		}
	} else {
		journal.Remove()
	}
	if _, signalled := errors.AsType[stopped](err); signalled {
		return fmt.Errorf("%w: %s", err, left)
	}
	return fmt.Errorf("%w. %s", err, strings.ToUpper(left[:1])+left[1:])
}

// keepAndOffer keeps and shows a result, and uploads it if the user agrees. It removes the journal, unless it is nil.
func keepAndOffer(ctx context.Context, o options, kept spool.Spool, doc *result.Document,
	journal *spool.Journal) error {
	path, data, err := kept.Save(doc)
	if err != nil {
		// A result on the terminal is better than a lost one.
		fmt.Printf("%s\n", data)
		return fmt.Errorf("the result above can't be kept: %w; save it to a file to upload it later", err)
	}
	journal.Remove()
	table := os.Stdout
	if o.payload {
		fmt.Printf("%s\n", data)
	}
	if o.payload || o.json {
		table = os.Stderr
	}
	if doc.Method != result.MethodVerify1 { // which has said it all
		printResult(table, doc)
	}
	fmt.Fprintf(table, "\nKept in %s\n", path)
	standing, err := offer(ctx, o, kept, path, doc)
	if o.json {
		err = errors.Join(err, printJSON(os.Stdout, path, doc, data, standing))
	}
	return err
}

// findTarget finds the module to measure, in dir or as a whole device if dir is "", and makes the plan for it.
func findTarget(o options, dir string) (*measure.Run, error) {
	run := &measure.Run{Kernel: device.Running, Plan: o.plan(device.Running.AvailableBytes())}
	var err error
	switch {
	case run.Plan.Command != nil:
		run.Target, err = device.Running.Holding(run.Plan.Command[0])
	case dir == "":
		if run.Target, err = openDevice(o, run.Plan); err == nil {
			run.Plan = run.Plan.Erasing(run.Target.Disk.SizeBytes, o.filesystem)
		}
	default:
		run.Target, err = device.Running.Find(dir, run.Plan.NeedBytes())
	}
	if err == nil && run.Target.Disk.Stack != nil {
		run.Plan, err = run.Plan.OfStack()
	}
	if err == nil {
		room := run.Target.Room()
		if run.Plan.First && run.Target.Device != nil {
			room = run.Target.Disk.SizeBytes
		}
		run.Plan, err = run.Plan.Within(room).Filling(run.Target)
	}
	return run, usageError(err)
}

// openDevice opens the whole device that the user named, if it may be erased.
func openDevice(o options, plan measure.Plan) (target device.Target, err error) {
	if !o.erase {
		what := fmt.Sprintf("%d MiB in the middle of the device", plan.AreaBytes>>20)
		switch {
		case plan.Method == result.MethodAltechnative2012 || plan.Fills:
			what = "all of the device"
		case plan.First:
			what = fmt.Sprintf("up to %d MiB at the beginning of the device", plan.MostAreaBytes>>20)
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

// announce says which module will be measured and how, how much that writes, and how long it takes.
func announce(doc *result.Document, target device.Target, plan measure.Plan, dir string, kept spool.Spool) {
	say := func(head, format string, args ...any) {
		fmt.Fprintf(stderr, "%-7s %s\n", head, fmt.Sprintf(format, args...))
	}
	name := target.Disk.Name
	if plan.Command != nil {
		say("Module", "%s, %s file system on %s", describe(doc), target.Filesystem, name)
		say("Test", "%s is started 11 times, without input and output; before each start but the first, its files on the "+
			"module are dropped from the page cache", plan.Command[0])
		say("Writes", "nothing, unless the command does; the result contains its name, %s, a checksum of it and the size of "+
			"its files", doc.Target.Program)
		say("Takes", "%s, typically seconds; a start that takes more than a minute ends it, and so does Ctrl-C",
			takes(plan, nil))
		return
	}
	area, writes := plan.AreaBytes>>20, writesWhat(plan)
	resumable := plan.Resumable(target.Device != nil)
	var stops string
	if target.Device != nil {
		start := float64(plan.AreaStart(target.Disk.SizeBytes)) / 1e9
		say("Module", "%s, the whole of %s", describe(doc), name)
		say("On it", "%s", listed(target))
		if resumable {
			say("Erases", "all of it")
			test := fmt.Sprintf("%d passes over all of it, then %d MiB from %.2f GB on", plan.DevicePasses, area, start)
			if plan.Fills {
				test = fmt.Sprintf("%d MiB from %.2f GB on, as the standard profile writes them; then all of it %s", area, start,
					profiles[plan.Profile].tests)
			}
			if plan.Profile == result.ProfileEndure {
				test = "all of it is " + profiles[plan.Profile].tests + "; what comes back wrong or fails is counted"
			}
			if plan.Filesystem != "" {
				test += ", in a file on " + plan.Filesystem + " that is made from there to the end; it chooses where the file lies"
			}
			say("Test", "%s", test)
			stops = "Ctrl-C interrupts it, and " + clientCommand(options{}, "resume") + " continues it"
		} else {
			say("Erases", "%d MiB of it, from %.2f GB on; file systems on it will be damaged", area, start)
			stops = "Ctrl-C stops it; overwritten data stay lost"
		}
	} else {
		through := ""
		if target.Disk.Through != "" {
			through = ", through " + target.Disk.Through
		}
		say("Module", "%s, %s file system on %s%s", describe(doc), target.Filesystem, name, through)
		files := "one file in %s, of %s, %s; removed at the end"
		if plan.Profile == result.ProfileRecorder {
			files = "files in %s, of %s together, %s; removed at the end"
		}
		say("Test", files, dir, measure.Size(max(plan.AreaBytes, plan.FillBytes)), profiles[plan.Profile].tests)
		stops = "Ctrl-C stops it and leaves nothing behind"
		if plan.Sync == "sync" {
			writes += "; the file system adds writes of its own to each random one (O_SYNC), often as much again or more"
		}
		if resumable {
			say("Place", "where the file system puts the file; only with --device is all of the module primed, with the test "+
				"area in its middle")
			stops = "Ctrl-C interrupts it and leaves nothing on the module, and " + clientCommand(options{}, "resume") +
				" continues it"
		}
	}
	say("Writes", "%s", writes)
	say("Takes", "%s; %s", takes(plan, earlier(kept, doc)), stops)
}

// listed lists what is on a whole device.
func listed(target device.Target) string { return strings.Join(target.Contents, "\n        ") }

// platform is GOOS/GOARCH, on arm with the version that the client was built for.
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
