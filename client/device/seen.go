package device

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"flashdex/result"
)

// Seen is a flash module that this machine has.
type Seen struct {
	Disk     Disk
	Identity result.Identity
	System   bool     // the system runs from it
	Points   []string // where its file systems are mounted, the one with the most room first
}

// Modules lists the modules that this machine has: cards, eMMC, and disks that are removable or on USB.
func (k Kernel) Modules() (all []Seen) {
	system, _ := k.systemDisks()
	mounts, _ := k.mounts()
	links, _ := filepath.Glob(filepath.Join(k.Sys, "block/*"))
	for _, link := range links {
		dir, err := filepath.EvalSymlinks(link)
		if err != nil {
			continue
		}
		d := diskAt(dir, dir, nil)
		bus := k.bus(d)
		isModule := bus == "sd" || bus == "mmc" || bus == "usb" || d.Removable && (bus == "ata" || bus == "scsi")
		other := strings.HasPrefix(d.Name, "sr") || strings.Contains(d.Name, "boot") // an optical drive; a part of an eMMC
		if !isModule || other || d.SizeBytes == 0 {
			continue
		}
		all = append(all, Seen{d, k.Identity(d), slices.Contains(system, dir), k.points(dir, mounts)})
	}
	return all
}

// points lists where the file systems on a disk are mounted, each once, the one with the most room first.
func (k Kernel) points(disk string, mounts []mount) (points []string) {
	parts := k.above(disk, 0)
	found := map[string]bool{} // by device
	for _, m := range mounts {
		on := func(dir string) bool { return text(dir, "dev") == m.number }
		if !found[m.number] && slices.ContainsFunc(parts, on) {
			found[m.number] = true
			points = append(points, m.point)
		}
	}
	room := func(point string) int64 {
		free, _ := freeBytes(point)
		return free
	}
	slices.SortStableFunc(points, func(a, b string) int { return cmp.Compare(room(b), room(a)) })
	return points
}
