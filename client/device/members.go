package device

import (
	"fmt"
	"path/filepath"

	"flashdex/result"
)

// Stack is what several modules make together. It is measured as what it is, and its figures are never those of a module.
type Stack struct {
	Kind       string // that result.StackLabel knows
	ChunkBytes int64  // that lie on one member before the next one's turn; 0: not known, or none
	Members    []Disk // by name; each with the partition that the stack lies on
}

// stackAt finds the modules that the block device dir is made of, which lies on those below, in the order of their names. All of it is in
// /sys, for everybody to read. It fails where they are not several, or don't do what they should.
func stackAt(dir string, below []string) (*Stack, error) {
	stack := &Stack{Kind: text(dir, "md/level"), ChunkBytes: number(dir, "md/chunk_size")}
	action := text(dir, "md/sync_action")
	if text(dir, "dm/uuid") != "" {
		stack.Kind, stack.ChunkBytes = mapped(dir, below)
	}
	reason := ""
	switch {
	case number(dir, "md/degraded") > 0:
		reason = "lacks a member"
	case action != "" && action != "idle" && action != "frozen":
		reason = "is at work of its own (" + action + "); wait until /proc/mdstat says that it is done"
	case result.StackLabel(stack.Kind) == "":
		reason = "is of a kind (" + stack.Kind + ") that isn't known"
	case len(below) == 1:
		reason = "is a RAID of one device, which writes records of its own along with the data"
	}
	for _, dir := range below {
		if text(dir, "dm/uuid") != "" {
			reason = "is made of parts that LVM or encryption made: a RAID of LVM doesn't show what it does, one of mdadm does"
			continue
		}
		member, err := descend(dir)
		if err != nil {
			return nil, err
		}
		if member.Stack != nil {
			reason = "lies on a stack of its own, " + member.Name
		}
		for _, other := range stack.Members {
			if other.dir == member.dir {
				reason = "lies on several parts of " + member.Name + ", so that its figures would not be the module's"
			}
		}
		stack.Members = append(stack.Members, member)
	}
	if reason != "" {
		return nil, fmt.Errorf("%s (%s) %s; or mount a module by itself", filepath.Base(dir), names(below), reason)
	}
	return stack, nil
}

// mapped tells a striped volume of LVM from one whose parts follow each other. The device mapper shows its tables to root alone, but of
// stripes also what it would like to be asked for at once: a chunk at least, and best one from each member (stripe_io_hints in
// drivers/md/dm-stripe.c).
func mapped(dir string, below []string) (kind string, chunkBytes int64) {
	least, best := number(dir, "queue/minimum_io_size"), number(dir, "queue/optimal_io_size")
	if best == 0 || best != least*int64(len(below)) {
		return "linear", 0
	}
	return "striped", least
}

// StackOf is what the kernel shows of a stack, less every serial number; nil for a single module.
func (k Kernel) StackOf(d Disk) *result.Stack {
	if d.Stack == nil {
		return nil
	}
	stack := &result.Stack{Kind: d.Stack.Kind, ChunkBytes: d.Stack.ChunkBytes}
	for _, member := range d.Stack.Members {
		stack.Members = append(stack.Members, k.Identity(member))
	}
	return stack
}
