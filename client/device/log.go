package device

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"flashdex/result"
)

// diskErrors counts the errors of a module that the kernel has seen: ioerr_cnt of the SCSI layer, or the sum of the mmc
// layer's err_stats (since Linux 5.19, only for root).
func (k Kernel) diskErrors(d Disk) int64 {
	count, _ := strconv.ParseInt(text(d.dir, "device/ioerr_cnt"), 0, 64) // 0x1f
	for _, host := range numbered(d.dir, "mmc") {
		for _, value := range settings(k.Sys, "kernel/debug", host, "err_stats") { // # Data CRC Errors Occurred:	 0
			n, _ := strconv.ParseInt(value, 10, 64)
			count += n
		}
	}
	return count
}

// numbered lists the elements of a path that consist of name and a number, such as mmc0.
func numbered(path, name string) (found []string) {
	for element := range strings.SplitSeq(path, "/") {
		if number, ok := strings.CutPrefix(element, name); ok && areNumbers(number) {
			found = append(found, element)
		}
	}
	return found
}

// kernelLog reads the new lines of /dev/kmsg (Documentation/ABI/testing/dev-kmsg), or none if it can't be opened.
type kernelLog struct {
	fd    int // -1 if there is no log: no call does anything then
	about []diskName
}

func (k Kernel) openLog(d Disk) *kernelLog {
	path := filepath.Join(filepath.Dir(k.Sys), "dev/kmsg") // beside /sys
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if err != nil {
		return &kernelLog{fd: -1}
	}
	const end = 2 // SEEK_END: earlier lines are not about this test
	_, _ = syscall.Seek(fd, 0, end)
	log := &kernelLog{fd: fd, about: namesOf(d)}
	for _, module := range d.modules() {
		log.about = append(log.about, namesOf(module)...)
	}
	return log
}

// read returns the codes of the problems that new lines report about the disk.
func (l *kernelLog) read() (codes []string) {
	var said strings.Builder
	record := make([]byte, 16<<10) // longer than any record
	for said.Len() < 4<<20 {
		n, err := syscall.Read(l.fd, record)
		if err == syscall.EPIPE || err == syscall.EINTR { // EPIPE: lines were lost; the next read goes on
			continue
		}
		if err != nil || n <= 0 {
			break
		}
		said.Write(record[:n])
	}
	for line := range strings.Lines(said.String()) {
		_, message, ok := strings.Cut(line, ";") // 6,339,5140900,-;message
		if !ok || !mentions(message, l.about) {
			continue
		}
		if isTrouble(message) {
			codes = append(codes, result.KernelErrors)
		}
		if strings.Contains(message, "CQE recovery") { // mmc0: running CQE recovery
			codes = append(codes, result.QueueRecovery)
		}
	}
	return codes
}

func (l *kernelLog) close() {
	_ = syscall.Close(l.fd)
	l.fd = -1
}

// diskName is a disk's name in the kernel's log. The disk's parts have the same name, followed by part and a number.
// Regular expressions would be shorter, but make the client 250 kB larger.
type diskName struct {
	name, part string
	parts      bool // there are parts
}

// namesOf finds the disk's names in the kernel's log: its own, its SCSI address, its mmc host, its USB and ATA ports.
func namesOf(d Disk) []diskName {
	own := diskName{d.Name, "", true} // sda1
	if strings.ContainsAny(d.Name[len(d.Name)-1:], Digits) {
		own.part = "p" // mmcblk0p1
	}
	names := []diskName{own}
	for _, host := range numbered(d.dir, "mmc") {
		names = append(names, diskName{name: host})
	}
	for _, port := range numbered(d.dir, "ata") {
		names = append(names, diskName{port, ".", true}) // the parts are the devices at the port
	}
	for element := range strings.SplitSeq(d.dir, "/") {
		hub, port, isUSB := strings.Cut(element, "-")
		switch address := strings.Split(element, ":"); {
		case len(address) == 4 && areNumbers(address...):
			names = append(names, diskName{name: element})
		case isUSB && areNumbers(hub) && areNumbers(strings.Split(port, ".")...):
			names = append(names, diskName{name: "usb " + element})
		}
	}
	return names
}

func areNumbers(texts ...string) bool {
	return !slices.ContainsFunc(texts, func(text string) bool { return text == "" || strings.Trim(text, Digits) != "" })
}

// mentions reports whether a message contains one of the disk's names, or the name of one of its parts, as a word.
func mentions(message string, names []diskName) bool {
	const within, further = Letters + Digits, Letters + Digits + "."
	return slices.ContainsFunc(names, func(n diskName) bool {
		return hasWord(message, n.name, within, func(after string) bool {
			if endsBefore(after, further) {
				return true
			}
			number, isPart := strings.CutPrefix(after, n.part)
			rest := strings.TrimLeft(number, Digits)
			return n.parts && isPart && len(rest) < len(number) && endsBefore(rest, further)
		})
	})
}

// isTrouble reports whether a message is about an error.
func isTrouble(message string) bool {
	const within = Letters + Digits + "_"
	message = strings.ToLower(message)
	return slices.ContainsFunc([]string{"error", "failed", "timeout", "time-out", "timed out", "reset"},
		func(word string) bool {
			return hasWord(message, word, within, func(after string) bool { return endsBefore(after, within) })
		})
}

// hasWord reports whether text contains word, with no character of within before it, and with a text after it that ends
// accepts.
func hasWord(text, word, within string, ends func(after string) bool) bool {
	for at := 0; ; at++ {
		next := strings.Index(text[at:], word)
		if next < 0 {
			return false
		}
		at += next
		if (at == 0 || !strings.Contains(within, text[at-1:at])) && ends(text[at+len(word):]) {
			return true
		}
	}
}

func endsBefore(after, within string) bool {
	return after == "" || !strings.Contains(within, after[:1])
}
