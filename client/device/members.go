package device

import (
	"fmt"
	"path/filepath"

	"flashdex/result"
)

// Stack is a device made of several modules. Its figures are never a module's.
type Stack struct {
	Kind       string // one that result.StackLabel knows
	ChunkBytes int64  // on one member before the next member's turn; 0: not known, or none
	Members    []Disk // by name; each with the partition that the stack is on
}

// stackAt finds the modules of the block device dir, which is on the devices below, in the order of their names. It
// fails if there is only one, or if the stack doesn't work as it should. Everybody may read all of this in /sys.
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
		reason = "is busy with work of its own (" + action + "); wait until /proc/mdstat says that it is done"
	case result.StackLabel(stack.Kind) == "":
		reason = "is of an unknown kind (" + stack.Kind + ")"
	case len(below) == 1:
		reason = "is a RAID of one device, which adds records of its own to the data"
	}
	for _, dir := range below {
		if text(dir, "dm/uuid") != "" {
			reason = "is made of parts of LVM or encryption: LVM's RAID doesn't show its state, mdadm's does"
			continue
		}
		member, err := descend(dir)
		if err != nil {
			return nil, err
		}
		if member.Stack != nil {
			reason = "is on another stack, " + member.Name
		}
		for _, other := range stack.Members {
			if other.dir == member.dir {
				reason = "lies on several parts of " + member.Name + ", so its figures would not be the module's"
			}
		}
		stack.Members = append(stack.Members, member)
	}
	if reason != "" {
		return nil, fmt.Errorf("%s (%s) %s; otherwise mount a module by itself", filepath.Base(dir), names(below), reason)
	}
	return stack, nil
}

// mapped tells a striped volume of LVM from a linear one. The device mapper shows its tables only to root. But for
// stripes it shows the preferred sizes of requests to everybody: at least a chunk, and best a chunk from each member
// (stripe_io_hints in drivers/md/dm-stripe.c).
func mapped(dir string, below []string) (kind string, chunkBytes int64) {
	least, best := number(dir, "queue/minimum_io_size"), number(dir, "queue/optimal_io_size")
	if best == 0 || best != least*int64(len(below)) {
		return "linear", 0
	}
	return "striped", least
}

// StackOf returns what the kernel shows of a stack, without any serial number, or nil for a single module.
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
