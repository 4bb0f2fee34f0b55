package transcript

import "strings"

// sbcBenchBegins finds a line in which sbc-bench (github.com/ThomasKaiser/sbc-bench) names a storage device:
// "* 29.7GB "SanDisk SE32G" UHS SDR104 SD card as /dev/mmcblk1: date 10/2017, manfid/oemid: 0x000003/0x5344, ...".
func sbcBenchBegins(t *text) bool {
	line, listed := strings.CutPrefix(strings.TrimSpace(t.line()), "* ")
	size, rest, found := strings.Cut(line, "B ")
	_, isSize := decimal(strings.TrimRight(size, "MGT"))
	return listed && found && isSize && strings.Contains(rest, " as /dev/")
}

// sbcBench passes over such a line. sbc-bench measures processors and memory, but no storage.
func sbcBench(s *section) error {
	s.tool = "sbc-bench"
	s.leave("it names a storage device and measures none: %s", shorten(strings.TrimLeft(s.line(), "* ")))
	s.at++
	return nil
}
