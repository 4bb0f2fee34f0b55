package main

import (
	"context"
	"errors"
	"fmt"

	"flashdex/client/device"
	"flashdex/client/measure"
	"flashdex/client/spool"
	"flashdex/client/verify"
	"flashdex/result"
)

// finding is the result of a check that is under way. Its document is nil if it can't be kept.
type finding struct {
	kept spool.Spool
	doc  *result.Document
}

// newFinding begins the result of a check. It does so before anything is written to the module, because the document
// says how full the file system was. Without room to keep a result, the check goes on, unless it is to be uploaded.
func newFinding(o options, target device.Target) (f finding, err error) {
	if f.kept, err = roomToKeep(); err == nil {
		f.doc, err = newDocument(o, f.kept, &measure.Run{Kernel: device.Running, Target: target,
			Plan: measure.Plan{Method: result.MethodVerify1, Profile: result.ProfileVerify}})
	}
	switch {
	case err != nil && o.upload:
		return f, err
	case err != nil:
		fmt.Fprintf(stderr, "Keeps   no result of this check. %v\n", err)
		return f, nil
	}
	f.doc.Tests, f.doc.Identity.Verified = []result.Test{}, nil
	return f, nil
}

// end keeps what was found about the capacity, which add adds to the result, and offers to upload it. A finding that
// says nothing of the capacity is not kept. It returns the error that the check ends with.
func (f finding) end(
	ctx context.Context, o options, saysCapacity, isSound bool, add func(*result.Identity),
) (err error) {
	if saysCapacity && f.doc != nil {
		add(&f.doc.Identity)
		switch printed, of := int64(f.doc.Module.CapacityGB*1e9), f.doc.Checked(); {
		case f.doc.CapacityChecked():
		case of != nil && 5*of.OfBytes < 4*printed:
			fmt.Fprintf(stderr, "It claims %s, and %s are printed on it, so /fakes/ on the site won't count it.\n",
				verify.Size(of.OfBytes), verify.Size(printed))
		default:
			fmt.Fprintln(stderr, "Less than four fifths of the module were reached, so /fakes/ on the site won't count it. "+
				"To have it counted, empty it and run this again.")
		}
		err = keepAndOffer(ctx, o, f.kept, f.doc, nil)
	}
	if !isSound { // which matters more to a script than an upload that failed
		return failure{errors.Join(errNotSound, err), exitFailed}
	}
	return err
}
