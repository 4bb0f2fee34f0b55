package transcript

import (
	"fmt"
	"slices"
	"strings"
)

// place is a disk, volume or card that a tool measured.
type place struct {
	kind placeKind
	name string // of a disk in /dev, the path of a volume, or a tool's name for a card
}

// placeKind is a kind of place, in the plural.
type placeKind string

const (
	devices placeKind = "devices"
	volumes placeKind = "volumes"
	cards   placeKind = "cards"
)

// same reports whether two places may be one. A folder in a volume is in that volume.
func (p place) same(other place) bool {
	within := func(a, b place) bool { return a.kind == volumes && strings.HasPrefix(a.name, b.name+"/") }
	return p == other || p.kind == other.kind && (within(p, other) || within(other, p))
}

// maxPlaces limits how many places are told apart. Two are already too many.
const maxPlaces = 20

// with adds a place, unless it may be the same as one of them.
func with(places []place, p place) []place {
	if len(places) >= maxPlaces || slices.ContainsFunc(places, p.same) {
		return places
	}
	return append(places, p)
}

// several returns an error for each kind with more than one place, since these are not of one module.
func several(places []place) map[placeKind]error {
	names := map[placeKind][]string{}
	for _, p := range places {
		names[p.kind] = append(names[p.kind], p.name)
	}
	why := map[placeKind]error{}
	for kind, of := range names {
		if len(of) > 1 {
			why[kind] = fmt.Errorf("these outputs are of %d %s (%s), and nobody knows which is the module; import those of one",
				len(of), kind, shorten(strings.Join(of, ", ")))
		}
	}
	return why
}

// refuseSeveral leaves out the sections of a kind with several places, since these are not of one module. Places in the
// texts beside count, too. Places of two kinds may be one. refuseSeveral returns all places that count, and these
// together with the places of failed runs.
func refuseSeveral(all []outcome, beside []Transcript) (counted, named []place) {
	for i := range beside {
		for _, p := range beside[i].places {
			counted = with(counted, p)
		}
		for _, p := range beside[i].named {
			named = with(named, p)
		}
	}
	for i := range all {
		for _, p := range all[i].places {
			named = with(named, p)
			if all[i].err == nil && (len(all[i].made) > 0 || all[i].isProbe()) {
				counted = with(counted, p)
			}
		}
	}
	ofCounted, ofNamed := several(counted), several(named)
	for i := range all {
		for _, kind := range []placeKind{devices, volumes, cards} {
			shows := slices.ContainsFunc(all[i].places, func(p place) bool { return p.kind == kind })
			switch {
			case all[i].err != nil:
			case all[i].isProbe(): // its finding goes to other sections' rates
				all[i].err = ofNamed[kind]
			case shows:
				all[i].err = ofCounted[kind]
			}
		}
	}
	return counted, named
}

// on notes that a section measured a file or a device.
func (s *section) on(file string) {
	if p, ok := placeOf(file); ok && !slices.Contains(s.places, p) {
		s.places = append(s.places, p)
	}
}

// mounts are the folders that hold volumes, and how many folders below name one: /run/media/alice/CARD, /mnt/card.
var mounts = map[string]int{"/media/": 2, "/run/media/": 2, "/mnt/": 1, "/Volumes/": 1}

// placeOf returns the place of a file. For a file in /dev, that is the disk, without a partition's number. For a file
// below a folder that people and computers mount volumes in, it is the volume. For other paths, nobody knows whether
// they are on one disk.
func placeOf(file string) (p place, ok bool) {
	for mount, depth := range mounts {
		if below, ok := strings.CutPrefix(file, mount); ok {
			folders := strings.Split(below, "/")
			return place{volumes, mount + strings.Join(folders[:min(depth, len(folders)-1)], "/")}, len(folders) > 1
		}
	}
	name, found := strings.CutPrefix(file, "/dev/")
	if !found || strings.Contains(name, "/") {
		return place{}, false
	}
	name = strings.TrimPrefix(name, "r") // on macOS, rdisk2 is disk2
	disk := strings.TrimRight(name, digits)
	if before, ok := strings.CutSuffix(disk, "p"); ok && disk != name && strings.TrimRight(before, digits) != before {
		return place{devices, before}, true // mmcblk0p2, nvme0n1p1
	}
	if strings.HasPrefix(name, "sd") || strings.HasPrefix(name, "hd") || strings.HasPrefix(name, "vd") {
		return place{devices, disk}, true
	}
	return place{devices, name}, true
}
