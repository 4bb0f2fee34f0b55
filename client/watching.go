//go:build !small

package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"flashdex/client/device"
	"flashdex/client/measure"
	"flashdex/client/spool"
	"flashdex/result"
	"flashdex/result/ageing"
)

// busyLook is how long watch looks at a module before it decides that nothing else uses it.
var busyLook = 10 * time.Second // a variable for tests

// watchModule measures a module, at most once a month and while nothing else uses it, and says whether its rate
// changed. The kept results are its history.
func watchModule(ctx context.Context, o options, places []string) error {
	switch {
	case len(places) != 1:
		return usagef("watch takes one directory on the module, or its device, such as /mnt/card or /dev/mmcblk0; " +
			"flashdex help watch explains")
	case o.profile != result.ProfileStandard && o.profile != result.ProfileQuick:
		return usagef("watch measures with the profile standard or quick, not with %s", o.profile)
	}
	kept, err := roomToKeep()
	if err != nil {
		return err
	}
	dir, err := watchedDir(device.Running, places[0])
	if err != nil {
		return usageError(err)
	}
	run, err := findTarget(o, dir)
	if err != nil {
		return err
	}
	defer run.Target.Close()
	doc, err := newDocument(o, kept, run)
	if err == nil {
		err = recognizable(doc)
	}
	if err != nil {
		return usageError(err)
	}
	all, _ := kept.All() // those that can be read
	now := time.Now()
	last, at := lastRun(all, doc)
	if err := clockBehind(last, at, now); err != nil {
		return err
	}
	if wait := notDue(at, now); wait != "" {
		sayToPerson("%s Nothing was measured", wait)
		return untold(kept, watchedRuns(all, doc), doc.UnitTag)
	}
	if err := fewTries(kept, doc.UnitTag, now); err != nil {
		return err
	}
	if err := quiet(ctx, run); err != nil {
		return err
	}
	if err := addWear(ctx, o, run, doc); err != nil {
		return err
	}
	announce(doc, run.Target, run.Plan, dir, kept)
	if err := o.agreeOnce(ctx, kept, doc.UnitTag); err != nil {
		return err
	}
	if o.site != "" && !o.noUpload {
		doc.Token = askToken(ctx, o, doc.ID)
	}
	if err := kept.KeepTry(doc.UnitTag, now.Add(-ageing.Apart), now); err != nil {
		return fmt.Errorf("%w; nothing was measured, so that a module that fails isn't written to each day", err)
	}
	err = finish(ctx, o, kept, doc, run, nil)
	if failed, ok := errors.AsType[failure](err); err != nil && (!ok || failed.code != exitNotUploaded) {
		return err
	}
	all, _ = kept.All()
	runs := watchedRuns(all, doc)
	sayChange(runs, doc)
	return errors.Join(untold(kept, runs, doc.UnitTag), err)
}

// firstRuns is before the first run of any client. A computer without a clock, whose time is 1970 or so until a network
// sets it, dates its runs before, and one of these would make a line so long that nothing looks like ageing.
var firstRuns = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// watchedDir returns the directory to measure in: the named one, or one on the named device where it is mounted.
func watchedDir(kernel device.Kernel, place string) (string, error) {
	info, err := os.Stat(place)
	if err != nil || info.Mode()&os.ModeDevice == 0 {
		return place, nil // findTarget reports what is wrong with it
	}
	path, err := filepath.EvalSymlinks(place)
	if err != nil {
		return "", err
	}
	for _, m := range kernel.Modules() {
		switch {
		case m.Disk.Name != filepath.Base(path):
		case len(m.Points) == 0:
			return "", fmt.Errorf("%s is not mounted, and watch erases nothing: mount it, or watch a directory on it", place)
		default:
			return m.Points[0], nil
		}
	}
	return "", fmt.Errorf("%s is not a whole card, eMMC or USB module; name one such as /dev/mmcblk0, or a directory on "+
		"it", place)
}

// recognizable returns an error unless the module's next runs can be told from another module's.
func recognizable(doc *result.Document) error {
	switch {
	case doc.UnitTag == "":
		return errors.New("the kernel shows no serial number of this module, so watch couldn't tell it from another one " +
			"next month. Nothing was measured; flashdex DIR measures it once")
	case inReader(doc):
		return errors.New("this module is in a card reader, which has one serial number for all its cards, so watch " +
			"couldn't tell it from another card next month. Nothing was measured; flashdex DIR measures it once")
	}
	return nil
}

// disturbed describes what happened to this run and not to the unit's other runs. It leaves out that the system runs
// from the module or swaps to it. That spoils a comparison with other modules, but is the same each month.
func disturbed(doc *result.Document) (what []string) {
	for _, code := range doc.Spoilers {
		if code != result.RootDisk && code != result.Swap {
			what = append(what, result.SpoilerText(code))
		}
	}
	return what
}

// watchedRuns picks the runs that can be compared with doc: undisturbed runs of the same unit by the same method in the
// same place. Other runs would look like ageing.
func watchedRuns(all []spool.Kept, doc *result.Document) (runs []ageing.Run) {
	for _, one := range all {
		d := one.Result
		at, err := time.Parse(time.RFC3339, d.StartedAt)
		t := d.TestOf(result.RandWrite, 4096)
		same := d.UnitTag == doc.UnitTag && d.Method == doc.Method && d.Profile == doc.Profile && d.Imported == nil &&
			d.Host.Board == doc.Host.Board && d.Host.BusMode == doc.Host.BusMode && d.Target.Kind == doc.Target.Kind
		if !same || err != nil || at.Before(firstRuns) || t == nil || len(disturbed(d)) > 0 {
			continue
		}
		f := t.Figures()
		if f.IOPS == nil || !(*f.IOPS > 0) {
			continue
		}
		run := ageing.Run{At: at, IOPS: *f.IOPS}
		if f.IOPSLow != nil && f.IOPSHigh != nil && *f.IOPSLow > 0 {
			const interval = 2 * 1.959963985 // of 95 %, in standard errors
			run.Error = math.Log(*f.IOPSHigh / *f.IOPSLow) / interval
		}
		if w := d.Identity.Wear; w != nil {
			run.WrittenGB, run.WrittenBy = w.WrittenGB, w.WrittenBy
		}
		runs = append(runs, run)
	}
	return runs
}

// lastRun returns the file of the unit's last run with this profile, whatever disturbed it, and when it began. If there
// is none, the time is zero.
func lastRun(all []spool.Kept, doc *result.Document) (path string, last time.Time) {
	for _, one := range all {
		d := one.Result
		at, err := time.Parse(time.RFC3339, d.StartedAt)
		if err == nil && d.UnitTag == doc.UnitTag && d.Profile == doc.Profile && at.After(last) {
			path, last = one.Path, at
		}
	}
	return path, last
}

// clockBehind returns an error if the last run is in the future, or now before any run. The first is told each time: a
// run that a wrong clock dated years ahead would keep watch from measuring until then.
func clockBehind(path string, last, now time.Time) error {
	switch {
	case now.Before(firstRuns):
		return fmt.Errorf("this computer's clock says %s, so when the next run is due isn't known. Nothing was measured. "+
			"Set the clock", now.Format(time.DateOnly))
	case !last.After(now):
		return nil
	}
	return fmt.Errorf("this computer's clock says %s, before the last run of %s, so when the next is due isn't known. "+
		"Nothing was measured. Set the clock; if it is right, the run has a wrong date: move its file away, which is %s",
		now.Format(time.DateOnly), last.Format(time.DateOnly), path)
}

// mostTries limits how often watch begins to measure a module within ageing.Apart, whether or not the run succeeds.
// Each try may write all that the profile writes.
const mostTries = 3

// fewTries returns an error if watch has begun to measure the module too often.
func fewTries(kept spool.Spool, tag string, now time.Time) error {
	began := kept.Tries(tag, now.Add(-ageing.Apart), now)
	if len(began) < mostTries {
		return nil
	}
	return fmt.Errorf("watch began to measure this module on %s, and begins three times in 30 days at most, so that "+
		"tests that fail don't wear it. Nothing was measured; the next try is from %s on. flashdex DIR measures it now",
		days(began), began[len(began)-mostTries].Add(ageing.Apart).Format(time.DateOnly))
}

func days(times []time.Time) string {
	var all []string
	for _, at := range times {
		all = append(all, at.Format(time.DateOnly))
	}
	return strings.Join(all, ", ")
}

// uploading is how long watch waits beyond ageing.Apart. The site counts from the time at which it received a run. A
// run that is uploaded a little faster than the last one would make no point of its own.
const uploading = time.Hour

// notDue says why it isn't yet time to measure. It returns "" if it is. last is zero if the unit was never measured.
func notDue(last, now time.Time) string {
	if next := last.Add(ageing.Apart + uploading); next.After(now) {
		return fmt.Sprintf("Measured on %s; the next time is from %s on.", last.Format(time.DateOnly),
			next.Format(time.DateOnly))
	}
	return ""
}

// quiet returns an error if something else uses the module.
func quiet(ctx context.Context, run *measure.Run) error {
	moved, busy, err := run.Busy(ctx, busyLook)
	if err == nil && busy {
		err = failure{fmt.Errorf("%s is busy: something else moved %s kB in %s. Nothing was measured; try again later",
			run.Target.Disk.Name, result.Number(float64(moved)/1e3), inWords(busyLook)), exitBusy}
	}
	return err
}

// agreeOnce decides whether this run is uploaded. It doesn't ask again once the user has said yes for a module;
// --no-upload takes the yes back. Without a yes and without a terminal, nothing is sent.
func (o *options) agreeOnce(ctx context.Context, kept spool.Spool, tag string) error {
	if o.noUpload {
		return kept.ForgetConsent(tag)
	}
	if site := kept.Consent(tag); site != "" && (o.site == "" || o.site == site) {
		o.site, o.upload, o.yes = site, true, true
		return nil
	}
	if o.site == "" || o.upload && o.yes {
		return nil
	}
	agreed, err := ask(ctx, sent+"Upload this result and, without asking again, each later one that watch measures of "+
		"this module, and publish them under CC0? [y/N] ", "nothing was measured or sent", errNoTerminal)
	switch {
	case errors.Is(err, errNoTerminal) || err == nil && !agreed:
		o.noUpload = true
		return nil
	case err != nil:
		return err
	}
	o.upload, o.yes = true, true
	return kept.KeepConsent(tag, o.site)
}

var errNoTerminal = errors.New("there is no terminal to ask on")

// sayChange says how the rate changed.
func sayChange(runs []ageing.Run, doc *result.Document) {
	fmt.Println()
	if what := disturbed(doc); len(what) > 0 {
		fmt.Fprintf(stdout, "Change  this run isn't compared with others: %s\n", strings.Join(what, "; "))
		return
	}
	line := ageing.PerYear(runs)
	if line == nil {
		fmt.Fprintf(stdout, "Change  known from %d runs on that are at least 30 days apart; so far: %d\n",
			ageing.LeastPoints, ageing.Points(runs))
		return
	}
	fmt.Fprintf(stdout, "Change  4K random write %s; by %d runs since %s\n", line.Change().Words("year"), line.Runs,
		line.First.Format(time.DateOnly))
	if tb := line.PerTB; tb != nil {
		fmt.Fprintf(stdout, "Change  4K random write %s; by %d runs that know what was written\n", tb.Change().Words("TB"),
			tb.Runs)
	}
}

// untold returns an error with exitChanged if the runs show a change that watch didn't tell yet: by a new run, by one
// that was made by hand, or by one after which watch was killed before it could tell.
func untold(kept spool.Spool, runs []ageing.Run, tag string) error {
	line := ageing.PerYear(runs)
	if line == nil {
		return nil
	}
	now := line.Change()
	if now.Says == kept.Told(tag) {
		return nil
	}
	err := kept.KeepTold(tag, now.Says)
	if now.Says == ageing.Slower || now.Says == ageing.Faster {
		return failure{errors.Join(fmt.Errorf("this module %s", now.Words("year")), err), exitChanged}
	}
	return err
}

// sayToPerson prints a message that a mail from cron or a timer's log doesn't need each day.
func sayToPerson(format string, args ...any) {
	if terminalColumns(os.Stderr) > 0 {
		fmt.Fprintf(stderr, format+"\n", args...)
	}
}
