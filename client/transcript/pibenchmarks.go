package transcript

import (
	"errors"
	"fmt"
	"strings"

	"flashdex/result"
)

// piRows are the rows of PiBenchmarks' last table. iozone's rows come first. If fio's rows have the same name and size
// as iozone's, they make another result.
var piRows = [][2]string{
	{"IOZone 4k read", result.SeqRead}, {"IOZone 4k write", result.SeqWrite},
	{"IOZone 4k random read", result.RandRead}, {"IOZone 4k random write", result.RandWrite},
	{"HDParm Disk Read", result.SeqRead}, {"FIO 4k random read", result.RandRead},
	{"FIO 4k random write", result.RandWrite}, {"DD Disk Write", result.SeqWrite},
}

// piTest returns a row's test, its unit, and the bytes in one unit. They follow from the script Storage.sh
// (github.com/TheRemote/PiBenchmarks): hdparm -t --direct; dd bs=4k conv=fsync; fio --direct=1 --iodepth=64; iozone -e
// -I.
func piTest(row [2]string) (t result.Test, unit string, bytes float64) {
	t = result.Test{Name: row[1], BlockBytes: 4096, QueueDepth: 1, Engine: result.ToolIozone, Sync: "none", Direct: true,
		Ended: result.Complete}
	unit, bytes = "KB/s", 1024
	switch row[0][0] {
	case 'H':
		t.Engine, t.BlockBytes, unit, bytes = result.ToolHdparm, hdparmBlockBytes, "MB/s", 1<<20
	case 'F':
		t.Engine, t.QueueDepth, unit, bytes = result.ToolFio, 64, "IOPS", 4096
	case 'D':
		t.Engine, t.Direct, unit, bytes = result.ToolDD, false, "MB/s", 1e6
	}
	if writes(t.Name) && t.Engine != result.ToolFio {
		t.Sync = "fsync"
	}
	return t, unit, bytes
}

func piBegins(t *text) bool {
	return strings.Join(strings.Fields(t.line()), " ") == "Category Test Result"
}

func piFioBegins(t *text) bool {
	return strings.HasPrefix(strings.TrimSpace(t.line()), "FIO results - 4k RandWrite: ")
}

// piFio reads the script's own line about fio: "FIO results - 4k RandWrite: 2684 IOPS (10736 KB/s) - 4k RandRead: 7543
// IOPS (30173 KB/s)". The table at the end repeats these figures.
func piFio(s *section) error {
	s.tool = result.ToolPiBenchmarks
	line := s.line()
	s.at++
	shown := map[string]float64{}
	for _, part := range [][2]string{{" RandWrite: ", result.RandWrite}, {" RandRead: ", result.RandRead}} {
		number, ok := between(line, part[0], " IOPS")
		iops, isNumber := decimal(number)
		switch {
		case !ok || !isNumber:
			return fmt.Errorf("%q is damaged", shorten(line))
		case iops == 0:
			s.leave("fio's %s without a figure", part[1])
			continue
		}
		shown[part[1]] = iops
		t, _, bytes := piTest([2]string{"FIO", part[1]})
		rated(&t, iops*bytes)
		s.add(t, "")
	}
	s.piFio = shown
	return nil
}

// piBenchmarks reads the table.
func piBenchmarks(s *section) error {
	s.tool = result.ToolPiBenchmarks
	values := map[string]float64{}
	for s.at++; s.at < len(s.lines) && !s.beginsAny(); s.at++ {
		line := strings.Join(strings.Fields(s.line()), " ")
		if strings.HasPrefix(line, "Score:") {
			s.at++
			break
		}
		if strings.HasPrefix(line, "HDParm Cached Disk Read ") {
			s.leave("cached reads, which don't come from the medium")
		}
		for _, row := range piRows {
			_, want, _ := piTest(row)
			text, ok := strings.CutPrefix(line, row[0]+" ")
			if !ok || !strings.ContainsAny(text[:1], digits+want[:1]) {
				continue
			}
			number, unit, _ := strings.Cut(text, " ")
			if text == want { // the script found no figure
				number, unit = "0", want
			}
			v, isNumber := decimal(number)
			if unit, _, _ = strings.Cut(strings.Replace(unit, "/sec", "/s", 1), " "); !isNumber || unit != want {
				return fmt.Errorf("line %d: %q is damaged", s.at+1, shorten(line))
			}
			values[row[0]] = v
		}
	}
	linear := max(values["IOZone 4k read"], values["IOZone 4k write"])
	for _, row := range piRows {
		v, ok := values[row[0]]
		t, unit, bytes := piTest(row)
		switch {
		case !ok:
		case v == 0:
			s.leave("%s without a figure", row[0])
		case row[0][0] == 'F' && s.piFio[row[1]] == v:
			s.leave("%s, which stands in the script's own line above", row[0])
		case unit == "MB/s" && (v <= 3 || linear <= 2*v):
			s.leave("%s: the script drops the unit, and whether these are kB, MB or GB can't be told", row[0])
		default:
			rated(&t, v*bytes)
			s.add(t, "")
		}
	}
	s.piFio = nil
	if len(values) == 0 {
		return errors.New("the table has no rows")
	}
	return nil
}
