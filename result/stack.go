package result

import (
	"fmt"
	"strings"
)

// Stack is several modules that the kernel shows as one device: a RAID, or a volume of LVM over several.
type Stack struct {
	Kind       string     `json:"kind"`                  // that StackLabel knows
	ChunkBytes int64      `json:"chunk_bytes,omitempty"` // that lie on one member before the next one's turn; 0: not known, or none
	Members    []Identity `json:"members"`               // whole devices, in the order of the kernel's names
}

// stackKinds are the kinds of stacks and how one reads them. Those of RAID are levels of Linux' md (md(4)), as /sys/block/mdN/md/level prints
// them.
var stackKinds = [...]struct{ kind, label string }{
	{"raid0", "RAID 0"}, {"raid1", "RAID 1"}, {"raid4", "RAID 4"}, {"raid5", "RAID 5"}, {"raid6", "RAID 6"}, {"raid10", "RAID 10"},
	{"striped", "Stripe"},       // a volume of LVM
	{"linear", "Concatenation"}, // of either: the second member begins where the first ends
}

// StackLabel is how one reads a kind of stack, "" if there is no such kind.
func StackLabel(kind string) string {
	for i := range stackKinds {
		if stackKinds[i].kind == kind {
			return stackKinds[i].label
		}
	}
	return ""
}

// Label is what the stack is as one reads it, without its members.
func (s *Stack) Label() string {
	text := fmt.Sprintf("%s of %d modules", StackLabel(s.Kind), len(s.Members))
	if s.ChunkBytes > 0 {
		text += fmt.Sprintf(" in chunks of %d KiB", s.ChunkBytes>>10)
	}
	return text
}

// Label is the device as one reads it, by what the kernel shows of it.
func (id *Identity) Label() string {
	var words []string
	switch {
	case id.SD != nil:
		words = []string{"SD card", id.SD.Manfid, id.SD.OEMID, id.SD.Name}
	case id.MMC != nil:
		words = []string{"eMMC", id.MMC.Manfid, id.MMC.Name}
	case id.USB != nil:
		words = []string{"USB", id.USB.VendorID + ":" + id.USB.ProductID, id.USB.Manufacturer, id.USB.Product}
	case id.SCSI != nil:
		words = []string{strings.ToUpper(id.Bus), id.SCSI.Vendor, id.SCSI.Model}
	case id.Bus != "stack":
		words = []string{id.Bus, "device"}
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

// Devices are what the document says of the device that was measured, or of each member of a stack.
func (d *Document) Devices() []*Identity {
	if d.Stack == nil {
		return []*Identity{&d.Identity}
	}
	members := make([]*Identity, len(d.Stack.Members))
	for i := range members {
		members[i] = &d.Stack.Members[i]
	}
	return members
}
