package result

import (
	"fmt"
	"strings"
)

// Stack describes several modules that the kernel shows as one device: a RAID, or an LVM volume.
type Stack struct {
	Kind       string     `json:"kind"`                  // one that StackLabel knows
	ChunkBytes int64      `json:"chunk_bytes,omitempty"` // on one member before the next one; 0: not known, or none
	Members    []Identity `json:"members"`               // whole devices, in the order of the kernel's names
}

// stackLabels names the kinds of stacks for readers. RAID levels have the names in /sys/block/mdN/md/level (md(4)).
var stackLabels = map[string]string{
	"raid0": "RAID 0", "raid1": "RAID 1", "raid4": "RAID 4", "raid5": "RAID 5", "raid6": "RAID 6", "raid10": "RAID 10",
	"striped": "Stripe",        // an LVM volume
	"linear":  "Concatenation", // RAID or LVM: the second member begins where the first ends
}

// StackLabel returns the name of a kind of stack for readers, or "" for an unknown kind.
func StackLabel(kind string) string { return stackLabels[kind] }

// Label describes the stack for readers, without its members.
func (s *Stack) Label() string {
	text := fmt.Sprintf("%s of %d modules", StackLabel(s.Kind), len(s.Members))
	if s.ChunkBytes > 0 {
		text += fmt.Sprintf(" in chunks of %d KiB", s.ChunkBytes>>10)
	}
	return text
}

// Label describes the device for readers, from the kernel's data about it.
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

// Devices returns the identity of the measured device, or of each member of a stack.
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
