package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"flashdex/client/device"
	"flashdex/client/measure"
	"flashdex/client/spool"
	"flashdex/result"
)

// unfinished is the head of a journal: what was begun, and where.
type unfinished struct {
	Dir        string          `json:"dir,omitempty"`
	Device     string          `json:"device,omitempty"`
	Filesystem string          `json:"filesystem,omitempty"` // to be made on the device
	Result     result.Document `json:"result"`               // without its tests
}

// begin makes the journal of a run that can be gone on with.
func begin(kept spool.Spool, o options, target device.Target, doc *result.Document) (*spool.Journal, error) {
	head := unfinished{Filesystem: o.filesystem, Result: *doc}
	if target.Device == nil {
		head.Dir = target.Dir
	} else {
		path, err := filepath.Abs(o.device)
		if err != nil {
			return nil, err
		}
		head.Device = path
	}
	return kept.Begin(doc.ID, head)
}

// resume goes on with the run of the journal that is named, or with the only one that there is.
func resume(ctx context.Context, o options, files []string) error {
	kept, err := roomToKeep()
	if err != nil {
		return err
	}
	if len(files) == 0 {
		if files, err = kept.Unfinished(); err != nil {
			return err
		}
	}
	switch {
	case len(files) == 0:
		return usagef("there is no interrupted run in %s", kept.Dir)
	case len(files) > 1:
		return usagef("one run at a time: name one of\n  %s", strings.Join(files, "\n  "))
	}
	var head unfinished
	run := &measure.Run{Kernel: device.Running}
	journal, err := spool.Continue(files[0], &head, func(line []byte) error {
		var entry measure.Entry
		err := json.Unmarshal(line, &entry)
		run.Kept = append(run.Kept, entry)
		return err
	})
	if err != nil {
		return usageError{err}
	}
	defer journal.Close()
	if err := head.find(&o, run); err != nil {
		return usageError{fmt.Errorf("%w. Nothing was written, and what was done is kept; to give it up, remove %s", err, files[0])}
	}
	if run.Target.Device != nil {
		defer run.Target.Device.Close()
	}
	now, err := newDocument(o, kept, run.Plan, run.Target)
	if err == nil {
		err = head.same(now, run)
	}
	if err != nil {
		return usageError{fmt.Errorf("%w. Nothing was written, and what was done is kept; to give it up, remove %s", err, files[0])}
	}
	doc := &head.Result
	doc.Client = now.Client
	doc.Resumed++
	for _, entry := range run.Kept {
		if entry.Resumed {
			doc.Resumed++
		}
	}
	if err := journal.Append(measure.Entry{Resumed: true}); err != nil {
		return fmt.Errorf("what is done can't be kept: %w", err)
	}
	fmt.Fprintf(os.Stderr, "Module  %s, on %s\nRun     begun at %s; done so far: %s\nTakes   as long as the module needs; Ctrl-C interrupts it, and %s goes on where it was\n",
		describe(doc), run.Target.Disk.Name, doc.StartedAt, run.Done(), resumeCommand(o))
	return finish(ctx, o, kept, doc, run, journal)
}

// find finds where the run was, or where the options say that the device is now.
func (u unfinished) find(o *options, run *measure.Run) (err error) {
	if u.Device == "" && o.device != "" {
		return fmt.Errorf("the run was in the directory %s, and not on a whole device", u.Dir)
	}
	o.profile, o.filesystem, o.erase, o.device = u.Result.Profile, u.Filesystem, true, cmp.Or(o.device, u.Device)
	if plans[o.profile] == nil {
		return fmt.Errorf("the journal is of the profile %q, which this client doesn't know", o.profile)
	}
	run.Target, run.Plan, err = findTarget(*o, u.Dir)
	return err
}

// same says why the run can't go on, or nil if module and computer are those that it was begun with, and the device holds what it wrote.
func (u unfinished) same(now *result.Document, run *measure.Run) error {
	then := &u.Result
	was, is := then.Identity, now.Identity
	was.Verified, is.Verified = nil, nil
	name := run.Target.Disk.Name
	switch {
	case then.UnitTag != now.UnitTag || !reflect.DeepEqual(was, is):
		return fmt.Errorf("%s is not the module that the run was begun on, %s, or hangs at another bus", name, describe(then))
	case then.Host.Board != now.Host.Board || then.Host.CPU != now.Host.CPU || then.Host.Arch != now.Host.Arch:
		return errors.New("the run was begun on another computer")
	case run.Target.Device == nil:
		return nil
	}
	mark, err := measure.Mark(run.Target.Device)
	if err != nil {
		return err
	}
	for _, entry := range run.Kept {
		if entry.Mark != nil && !bytes.Equal(entry.Mark, mark) {
			return fmt.Errorf("%s doesn't begin with what the run wrote there: it is another module, or something was put on it since", name)
		}
		if entry.Mark != nil {
			return nil
		}
	}
	return errors.New("nothing had been done yet: begin anew")
}

// resumeCommand is what to type to go on with an interrupted run.
func resumeCommand(o options) string {
	if o.site == "" {
		return "flashdex resume"
	}
	return siteCommand(o, "resume")
}
