package device

import (
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// diskErrors counts the errors of a module that the kernel has seen: ioerr_cnt of the SCSI layer, or the sum of the mmc
// layer's err_stats (since Linux 5.19, only for root).
func (k Kernel) diskErrors(d Disk) int64 {
	count, _ := strconv.ParseInt(text(d.dir, "device/ioerr_cnt"), 0, 64) // 0x1f
	for _, host := range mmcHosts(d.dir) {
		for _, value := range settings(k.Sys, "kernel/debug", host, "err_stats") { // # Data CRC Errors Occurred:	 0
			n, _ := strconv.ParseInt(value, 10, 64)
			count += n
		}
	}
	return count
}

func mmcHosts(dir string) []string {
	var hosts []string
	for element := range strings.SplitSeq(dir, "/") {
		if number, ok := strings.CutPrefix(element, "mmc"); ok && areNumbers(number) {
			hosts = append(hosts, element)
		}
	}
	return hosts
}

// kernelLog reads the new lines of /dev/kmsg (Documentation/ABI/testing/dev-kmsg). If it can't be opened, there are
// none.
type kernelLog struct {
	fd    int // -1 if there is none, with which no call does anything
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

// read reports whether new lines are about trouble with the disk.
func (l *kernelLog) read() bool {
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
		if ok && mentions(message, l.about) && isTrouble(message) {
			return true
		}
	}
	return false
}

func (l *kernelLog) close() {
	_ = syscall.Close(l.fd)
	l.fd = -1
}
