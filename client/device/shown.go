package device

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// shown holds what the kernel showed of a whole disk when Open found it. The user was asked about that disk.
type shown struct {
	kernel   Kernel
	path     string // of the device's file
	dir      string // in /sys
	number   uint64
	traits   []trait
	contents [sha256.Size]byte
	polling  string // what events_poll_msecs in dir held before quiet
	changed  bool   // an event told of a change
	events   int    // socket with the kernel's messages before Linux 5.15, which counts no sequence numbers; else 0
}

// trait is something by which one disk differs from another.
type trait struct{ name, value string }

// ChangedError says that a disk is no longer the one that Open found.
type ChangedError struct{ Name, How string }

func (e *ChangedError) Error() string {
	return fmt.Sprintf("%s is no longer the module that was shown (%s); look at what is in it, and run this again",
		e.Name, e.How)
}

// look notes what the kernel shows of the disk at path, which was opened for erasing.
func (k Kernel) look(path, dir string, number uint64) *shown {
	s := &shown{kernel: k, path: path, dir: dir, number: number}
	if text(dir, "diskseq") == "" {
		s.events = messages()
	}
	s.quiet()
	s.traits = s.read()
	return s
}

// pollName is the file in a disk's directory that says how often the kernel asks its reader for a changed card; 0 is
// never.
const pollName = "events_poll_msecs"

// quiet stops the kernel from asking the reader for a changed card until Close. A reader reports a change once, to
// whatever comes first. If that is a write, the kernel refuses this write and all later ones until somebody opens the
// disk. If it is the kernel's question, later writes go to the new card.
func (s *shown) quiet() {
	s.polling = text(s.dir, pollName)
	if s.polling == "" || s.polling == "0" || set(s.dir, pollName, "0") != nil {
		s.polling = ""
	}
}

// read reads the disk's size and its sequence number, which every change of a medium raises. It also reads the
// registers of an SD card or eMMC, a disk's INQUIRY and vital product data, and the descriptors of the USB device above
// it.
func (s *shown) read() []trait {
	traits := []trait{{"its sequence number", text(s.dir, "diskseq")}, {"its size", text(s.dir, "size")}}
	add := func(dir string, names ...string) {
		for _, name := range names {
			traits = append(traits, trait{"its " + name, text(dir, name)})
		}
	}
	add(filepath.Join(s.dir, "device"), "cid", "csd", "serial", "vendor", "model", "rev", "wwid", "vpd_pg80", "vpd_pg83")
	if usb, _ := s.kernel.usbAbove(Disk{dir: s.dir}); usb != "" {
		add(usb, "idVendor", "idProduct", "bcdDevice", "serial")
	}
	return traits
}

// Same returns a ChangedError if the disk is no longer the one that Open found. A card that was taken out and put in
// again counts as changed, too. Callers that write to the disk call Same before each chunk. For a directory it returns
// nil.
func (t Target) Same() error {
	s := t.shown
	if s == nil {
		return nil
	}
	changed := func(how string) error { return &ChangedError{t.Disk.Name, how} }
	// The kernel asks a reader whether its card was changed only when somebody opens it, or every few seconds, or never.
	file, err := os.OpenFile(s.path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return changed(fmt.Sprintf("it can't be opened again: %v", err))
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || uint64(info.Sys().(*syscall.Stat_t).Rdev) != s.number {
		return changed(s.path + " is another device")
	}
	if dir, err := s.kernel.block(deviceNumber(s.number)); err != nil || dir != s.dir {
		return changed("it was taken out")
	}
	for i, now := range s.read() {
		if then := s.traits[i]; now != then {
			return changed(fmt.Sprintf("%s was %q and is %q", then.name, then.value, now.value))
		}
	}
	if s.events > 0 && s.changedMedium() {
		return changed("the kernel says that a card was taken out or put in")
	}
	return nil
}

// HidesChanges reports whether a card can be changed unnoticed while the client writes. A USB reader that calls its
// cards fixed disks allows that: the kernel doesn't ask it, and repeats a write that it refuses.
func (t Target) HidesChanges() bool {
	if t.shown == nil || t.Disk.Removable {
		return false
	}
	usb, _ := t.shown.kernel.usbAbove(t.Disk)
	return usb != ""
}

// Untouched returns an error if the disk isn't the one that Open found, or doesn't hold what Contents describes. Called
// before the first write, it tells apart two cards that look the same through their reader.
func (t Target) Untouched() error {
	if err := t.Same(); err != nil || t.shown == nil {
		return err
	}
	_, sum, err := t.examine()
	if err == nil && sum != t.shown.contents {
		err = &ChangedError{t.Disk.Name, "it holds something else"}
	}
	return err
}

// Close gives a whole device back. It does nothing for a directory.
func (t Target) Close() {
	t.Device.Close() // no harm if it is nil
	s := t.shown
	if s == nil {
		return
	}
	if s.polling != "" {
		_ = set(s.dir, pollName, s.polling) // the disk may be gone
		s.polling = ""
	}
	if s.events > 0 {
		_ = syscall.Close(s.events)
		s.events = 0
	}
}

// messages opens the stream of the kernel's messages about devices (NETLINK_KOBJECT_UEVENT). It returns 0 if it can't.
func messages() (socket int) {
	const family, kernelsOwn = 15, 1
	socket, err := syscall.Socket(syscall.AF_NETLINK,
		syscall.SOCK_DGRAM|syscall.SOCK_NONBLOCK|syscall.SOCK_CLOEXEC, family)
	if err != nil {
		return 0
	}
	if syscall.Bind(socket, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK, Groups: kernelsOwn}) != nil {
		_ = syscall.Close(socket)
		return 0
	}
	return socket
}

// changedMedium reads the messages since the last call. It reports whether any message so far told of a changed medium.
// The kernel sends a message for each change that it sees, at the latest when Same opens the disk (disk_check_events in
// block/disk-events.c).
func (s *shown) changedMedium() bool {
	major, minor, _ := strings.Cut(deviceNumber(s.number), ":")
	message := make([]byte, 16<<10)
	for {
		n, err := syscall.Read(s.events, message)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EAGAIN):
			return s.changed
		case err != nil: // messages were lost (ENOBUFS)
			s.changed = true
			return true
		}
		has := func(line string) bool { return bytes.Contains(message[:n], []byte("\x00"+line+"\x00")) }
		s.changed = s.changed || has("DISK_MEDIA_CHANGE=1") && has("MAJOR="+major) && has("MINOR="+minor)
	}
}
