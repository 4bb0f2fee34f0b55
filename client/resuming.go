package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"flashdex/client/device"
	"flashdex/client/measure"
	"flashdex/client/spool"
	"flashdex/result"
)

// unfinished is the head of a journal: the run and its target.
type unfinished struct {
	Dir        string          `json:"dir,omitempty"`
	Device     string          `json:"device,omitempty"`
	Filesystem string          `json:"filesystem,omitempty"` // to be made on the device
	Result     result.Document `json:"result"`               // without its tests
}

// begin makes the journal of a run that can be resumed.
func begin(kept spool.Spool, o options, target device.Target, doc *result.Document) (*spool.Journal, error) {
	head := unfinished{Filesystem: o.filesystem, Result: *doc}
	if target.Device == nil {
		head.Dir = target.Dir
	} else {
		var err error
		if head.Device, err = filepath.Abs(o.device); err != nil {
			return nil, err
		}
	}
	return kept.Begin(doc.ID, head)
}

// resume continues the run of the named journal, or of the only one in the spool.
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
	journal, entries, err := spool.Continue[measure.Entry](files[0], &head)
	if err != nil {
		return usageError(err)
	}
	defer journal.Close()
	if o.end != "" {
		return end(ctx, o, kept, &head.Result, entries, journal)
	}
	refuse := func(err error) error {
		left := "to give it up, remove " + files[0]
		if head.Result.Profile == result.ProfileEndure { // a dead module can't show that it is the run's
			left += ", or " + endings(o)
		}
		return usagef("%w. Nothing was written, and the finished part is kept; %s", err, left)
	}
	run, err := head.find(&o)
	if err != nil {
		return refuse(err)
	}
	defer run.Target.Close()
	run.Kept = entries
	now, err := newDocument(o, kept, run)
	if err == nil {
		err = head.same(now, run)
	}
	if err != nil {
		return refuse(err)
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
		return fmt.Errorf("the journal of the run can't be written: %w", err)
	}
	fmt.Fprintf(stderr, "Module  %s, on %s\nRun     begun at %s; done so far: %s\nTakes   as long as the module "+
		"needs; Ctrl-C interrupts it again, and keeps what is done\n",
		describe(doc), run.Target.Disk.Name, doc.StartedAt, run.Done())
	return finish(ctx, o, kept, doc, run, journal)
}

// endings says how to end a run of the endure profile that nobody goes on with.
func endings(o options) string {
	return "make a result of it, if you go on no more, or no host can use the module any more:\n    " +
		clientCommand(o, "resume", "--end", "stopped") + "\n    " + clientCommand(o, "resume", "--end", "gone")
}

// end makes the result of a run of the endure profile that nobody goes on with. It needs no module.
func end(ctx context.Context, o options, kept spool.Spool, doc *result.Document, entries []measure.Entry,
	journal *spool.Journal) error {
	if doc.Profile != result.ProfileEndure {
		return usagef("--end is for runs of the endure profile; this one is of %s, which has no result before its end",
			doc.Profile)
	}
	sign, err := signer(kept, doc)
	if err != nil {
		return err
	}
	run := measure.Run{Kept: entries, Sign: sign}
	tests, err := run.Ended(result.EndureBytes(doc.Identity.SizeBytes), result.Ended(o.end))
	if err != nil {
		return usagef("%w. Nothing was changed; to give the run up, remove %s", err, journal.Path)
	}
	doc.Tests = tests
	for _, entry := range entries {
		doc.Spoilers = append(doc.Spoilers, entry.Spoilers...)
		if entry.Resumed {
			doc.Resumed++
		}
	}
	slices.Sort(doc.Spoilers)
	doc.Spoilers = slices.Compact(doc.Spoilers)
	return keepAndOffer(ctx, o, kept, doc, journal)
}

// signer returns a function that signs the checkpoints of a run. It uses the key that also tags the contributor's
// units.
func signer(kept spool.Spool, doc *result.Document) (func(c result.Checkpoint, before string) string, error) {
	key, err := kept.TagKey()
	return func(c result.Checkpoint, before string) string {
		return device.Tag(key, c.Text(doc.ID, doc.UnitTag, before))
	}, err
}

// find finds the directory or device of the run. The options may name another path of the device.
func (u unfinished) find(o *options) (*measure.Run, error) {
	if u.Device == "" && o.device != "" {
		return nil, fmt.Errorf("the run was in the directory %s, and not on a whole device", u.Dir)
	}
	o.profile, o.filesystem, o.erase, o.device = u.Result.Profile, u.Filesystem, true, cmp.Or(o.device, u.Device)
	if profiles[o.profile].plan == nil {
		return nil, fmt.Errorf("this client doesn't know the profile %q of the run", o.profile)
	}
	return findTarget(*o, u.Dir)
}

// same returns an error if the module or the computer is another than the run's, or if the device doesn't hold what the
// run wrote.
func (u unfinished) same(now *result.Document, run *measure.Run) error {
	then := &u.Result
	was, is := then.Identity, now.Identity
	was.Verified, is.Verified, was.Wear, is.Wear = nil, nil, nil, nil
	name := run.Target.Disk.Name
	switch {
	case then.Method != now.Method:
		return fmt.Errorf("the run began with an older client, by the method %s, and this client measures by %s", then.Method,
			now.Method)
	case then.UnitTag != now.UnitTag || !reflect.DeepEqual(was, is):
		return fmt.Errorf("%s is not the module that the run began on, %s, or is on another bus", name, describe(then))
	case then.Host.Board != now.Host.Board || then.Host.CPU != now.Host.CPU || then.Host.Arch != now.Host.Arch:
		return errors.New("the run began on another computer")
	case then.Host.CommandQueue != "" && then.Host.CommandQueue != now.Host.CommandQueue:
		return fmt.Errorf("the run began with the command queue of the card %s, and now it isn't; set it as it was",
			then.Host.CommandQueue)
	case run.Target.Device == nil:
		return nil
	}
	mark, err := measure.Mark(run.Target.Device)
	if err != nil {
		return err
	}
	marked := slices.IndexFunc(run.Kept, func(entry measure.Entry) bool { return entry.Mark != nil })
	switch {
	case marked < 0:
		return errors.New("the run had done nothing yet: start it again")
	case !bytes.Equal(run.Kept[marked].Mark, mark):
		return fmt.Errorf("%s doesn't begin with what the run wrote there: it is another module, or something else wrote "+
			"to it since", name)
	}
	return nil
}
