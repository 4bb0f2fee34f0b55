package transcript

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"flashdex/result"
)

// fillBlockBytes is how much these programs write or read at once: 1 MiB.
const fillBlockBytes = 1 << 20

// filled is the finding of a program that fills a module and reads it back.
type filled struct {
	ok, lost    float64 // bytes; ok is what could be read back as it was written
	changed     float64 // of the lost, with few bits changed
	of          float64 // of the volume, of which a part was tested; 0: not shown
	hasOK       bool
	write, read float64 // bytes a second; 0: not shown
}

// take adds the finding to the section: the rates as tests, and how much came back as it was written.
func (f *filled) take(s *section, sync string) error {
	if f.write == 0 && f.read == 0 {
		return errors.New("no rate; the output is not whole")
	}
	for _, side := range []struct {
		name, sync string
		perS       float64
	}{{result.SeqWrite, sync, f.write}, {result.SeqRead, "none", f.read}} {
		if side.perS == 0 {
			continue
		}
		t := result.Test{Name: side.name, BlockBytes: fillBlockBytes, QueueDepth: 1, Sync: side.sync, Engine: s.tool,
			EngineVersion: s.version, Ended: result.Complete, AreaBytes: int64(min(f.ok+f.lost, maxBytes))}
		rated(&t, side.perS)
		s.add(t, "")
	}
	if f.hasOK && f.ok+f.lost >= 1 {
		all, ok := min(f.ok+f.lost, maxBytes), min(f.ok, maxBytes)
		s.checked = &result.Checked{Bytes: int64(all), OKBytes: int64(ok), ChangedBytes: int64(min(f.changed, all-ok))}
		if of := min(f.of, maxBytes); of > all {
			s.checked.OfBytes = int64(of)
		}
	}
	return nil
}

// count reads how much came back how. Somebody may have joined the lines. ok is false if a number is damaged.
func (f *filled) count(line string) (ok bool) {
	ok = true
	if at := strings.Index(line, " OK"); at >= 0 && strings.ContainsAny(line[at+3:min(at+5, len(line))], ":(") {
		f.ok, ok = sectors(line[at:])
		f.hasOK = true
	}
	if at := strings.Index(line, " LOST"); at >= 0 && ok {
		f.lost, ok = sectors(line[at:])
	}
	if at := strings.Index(strings.ToLower(line), "slightly changed"); at >= 0 && ok {
		f.changed, ok = changed(line[at:])
	}
	return ok
}

var h2testwFirst = []string{"Warning: Only ", "Test finished without errors", "The media is likely to be defective"}

// h2testwGerman pairs the beginnings of H2testw's German lines with the English ones that say the same. We found no
// German text about errors, so none is read.
var h2testwGerman = [][2]string{{"Achtung: Nur ", "Warning: Only "}, {"Schreibrate: ", "Writing speed: "},
	{"Fertig, kein Fehler aufgetreten", "Test finished without errors"}, {"Leserate: ", "Reading speed: "}}

// inEnglish translates a German line of H2testw, if it holds figures.
func inEnglish(line string) (english string, german bool) {
	for _, words := range h2testwGerman {
		if rest, ok := strings.CutPrefix(line, words[0]); ok {
			return words[1] + strings.Replace(rest, " MByte getestet.", " MByte tested.", 1), true
		}
	}
	return line, false
}

func h2testwBegins(t *text) bool {
	line, german := inEnglish(strings.TrimSpace(t.line()))
	if german && strings.Contains(line, " speed: ") { // after German errors; other programs have such lines, too
		at := 1
		if next, _ := inEnglish(strings.TrimSpace(t.ahead(1))); strings.HasPrefix(next, "Reading speed: ") {
			at = 2
		}
		return strings.HasPrefix(strings.TrimSpace(t.ahead(at)), "H2testw v")
	}
	for i, first := range h2testwFirst {
		if strings.HasPrefix(line, first) && (i > 0 || strings.HasSuffix(line, " MByte tested.")) {
			return true
		}
	}
	return false
}

func f3Begins(t *text) bool {
	line := strings.TrimSpace(t.line())
	for _, first := range []string{"F3 read ", "F3 write ", "F3 probe ", "Data OK: ", "Average writing speed: "} {
		if strings.HasPrefix(line, first) {
			return true
		}
	}
	return false
}

// h2testw reads what H2testw shows at its end, in English or German. Its MByte are 2^20 bytes.
func h2testw(s *section) error { return s.fill(result.ToolH2testw, "none") }

// f3 reads f3write and f3read, whose MB are 2^20 bytes, and the size that f3probe finds.
func f3(s *section) error {
	s.filled = true
	if s.from > 0 { // $ f3write /media/card
		command := strings.Fields(s.lines[s.from-1])
		if len(command) > 1 && strings.Contains(s.lines[s.from-1], result.ToolF3) {
			s.on(strings.TrimRight(command[len(command)-1], "/") + "/1.h2w")
		}
	}
	return s.fill(result.ToolF3, "fsync")
}

// summaryBegins finds the summary that armbianmonitor -c prints after the output of F3 and iozone. If somebody copied
// only the summary, F3's lines in it are read as F3's.
func summaryBegins(t *text) bool {
	return t.filled && strings.Contains(t.line(), "The results from testing ")
}

// summary passes over figures that were read before.
func summary(s *section) error {
	s.tool = "armbianmonitor"
	s.leave("a summary of figures that stand above")
	for s.at++; s.at < len(s.lines); s.at++ {
		words := strings.Fields(s.line())
		if len(words) > 0 && !slices.Contains(summaryWords, words[0]) && strings.Trim(words[0], digits) != "" {
			break
		}
	}
	return nil
}

// summaryWords begin the lines of the summary.
var summaryWords = []string{"Data", "Average", "random", "reclen", "Health", "Performance", "Sequential", "4K"}

func (s *section) fill(tool, sync string) error {
	s.tool = tool
	var f filled
	var tested float64
	german, begins := false, h2testwBegins
	if tool == result.ToolF3 {
		begins = f3Begins
	}
	for ; s.at < len(s.lines); s.at++ {
		line := strings.TrimSpace(s.line())
		if tool == result.ToolH2testw {
			var also bool
			line, also = inEnglish(line)
			german = german || also
		}
		name, number, _ := strings.Cut(line, " ")
		again := s.at > s.from && (strings.HasPrefix(line, "F3 ") || strings.HasPrefix(line, "Warning: Only "))
		ended := f.read > 0 || f.write > 0 && tool == result.ToolF3 && !strings.HasPrefix(line, "Average reading")
		other := s.at > s.from && !begins(s.text) && s.beginsAny()
		if again || other || ended && line != "" && name != "H2testw" {
			break
		}
		ok := true
		switch {
		case name == "F3" && tool == result.ToolF3:
			name, number, _ = strings.Cut(number, " ")
			s.version = version(number)
			if name == "probe" {
				s.at++
				return s.f3probe()
			}
		case name == "H2testw" && strings.HasPrefix(number, "v"):
			s.version = version(number[1:])
		case again:
		case strings.HasPrefix(line, "Warning: Only "):
			tested, f.of, ok = part(line)
		case strings.HasPrefix(line, "Test finished without errors"):
			f.hasOK = true
		case strings.Contains(line, "riting speed: "):
			f.write, ok = fillRate(line)
		case strings.Contains(line, "eading speed: "):
			f.read, ok = fillRate(line)
		case german:
		default:
			ok = f.count(line)
		}
		if !ok {
			return fmt.Errorf("line %d: %q is damaged", s.at+1, shorten(line))
		}
		if s.version != "" && ended {
			s.at++
			break
		}
	}
	if f.hasOK && f.ok == 0 && f.lost == 0 { // H2testw shows no sectors if it found no errors
		f.ok, f.hasOK = tested, tested > 0
	} else if german && !f.hasOK {
		s.leave("how much came back as it was written, which is read in English where there are errors: choose English in " +
			"H2testw, and let it verify the files again")
	}
	return f.take(s, sync)
}

// isProbe reports whether a section is f3probe's output. f3probe checks a device and measures no rate.
func (s *section) isProbe() bool { return len(s.made) == 0 && s.checked != nil }

// f3probe reads what f3probe found: the usable and the announced size, in blocks. It measures no rate.
func (s *section) f3probe() error {
	blocks := map[string]int64{} // and the power of 2 of their size
	for ; s.at < len(s.lines) && len(blocks) < 3; s.at++ {
		line := strings.TrimSpace(s.line())
		if s.beginsAny() || strings.HasPrefix(line, "Probe time") {
			break
		}
		if _, device, ok := strings.Cut(line, " device `"); ok { // "Good news: The device `/dev/sdc' is the real thing"
			device, _, _ = strings.Cut(device, "'")
			s.on(device)
		}
		for name, ends := range map[string][2]string{"*Usable* size:": {"(", " blocks)"},
			"Announced size:": {"(", " blocks)"}, "Physical block size:": {"(2^", " Bytes)"}} {
			if !strings.HasPrefix(line, name) {
				continue
			}
			number, found := between(line, ends[0], ends[1])
			n, ok := count(number)
			if !found || !ok {
				return fmt.Errorf("line %d: %q is damaged", s.at+1, shorten(line))
			}
			blocks[name] = n
		}
	}
	usable, announced, power := blocks["*Usable* size:"], blocks["Announced size:"], blocks["Physical block size:"]
	switch {
	case len(blocks) < 3:
		return errors.New("f3probe without the sizes that it found; the output is not whole")
	case power < 9 || power > 20 || announced < 1 || announced > maxBytes>>power || usable > announced:
		return errors.New("f3probe's sizes contradict each other")
	}
	s.checked = &result.Checked{Bytes: announced << power, OKBytes: usable << power}
	return nil
}

// attach gives f3probe's findings to F3's rates that nothing checked, in the same text or in the texts beside it. A
// finding alone makes no result, since a result holds a rate. attach reports whether rates in another text take a
// finding of this one.
func (c *collected) attach(beside []Transcript) (elsewhere bool) {
	takes := func(outputs []Output) bool {
		return slices.ContainsFunc(outputs, func(o Output) bool { return o.Tool == result.ToolF3 && o.Checked == nil })
	}
	give := func(found result.Checked) {
		for i := range c.Outputs {
			if out := &c.Outputs[i]; out.Tool == result.ToolF3 && out.Checked == nil {
				out.Checked, out.Options = &found, joinOptions(out.Options, result.OptionF3probe)
			}
		}
	}
	all := map[result.Checked]bool{} // several findings contradict each other: none goes to another text
	for i := range beside {
		for _, found := range beside[i].found {
			all[found] = true
		}
	}
	crosses := len(all) == 1 && len(several(c.named)) == 0
	rated := slices.ContainsFunc(beside, func(t Transcript) bool { return takes(t.Outputs) })
	for _, probe := range c.probes {
		c.found = append(c.found, *probe.checked)
		switch {
		case takes(c.Outputs):
			give(*probe.checked)
		case crosses && rated:
			elsewhere = true
		default:
			found := result.Imported{Checked: probe.checked, Options: result.OptionF3probe}
			c.leave(probe.from, probe.to, fmt.Sprintf("%s: f3probe found that %s. That is no result, because it measures no "+
				"rate: import it together with what f3write printed of the same unit, or let flashdex verify --device find it",
				probe.tool, found.Found()))
		}
	}
	if crosses {
		for found := range all {
			give(found)
		}
	}
	return elsewhere
}

// sectors reads "(9136127 sectors)", which gives a rounded size exactly, in units of 512 bytes.
func sectors(line string) (bytes float64, ok bool) {
	text, ok := between(line, "(", " sector")
	n, isCount := count(text)
	return float64(n) * 512, ok && isCount
}

// changed reads how much was slightly changed: "(0 sectors)" of F3, and "(< 8 bit/sector, 0 sectors)" of H2testw.
func changed(line string) (bytes float64, ok bool) {
	text, ok := between(line, "(", " sector")
	n, isCount := count(text[strings.LastIndex(text, " ")+1:])
	return float64(n) * 512, ok && isCount
}

// part reads "Warning: Only 39622 of 63984 MByte tested.".
func part(line string) (tested, of float64, ok bool) {
	words := strings.Fields(line)
	unit := words[len(words)-2]
	if tested, ok = scaled(words[2], unit); ok && len(words) > 5 {
		of, ok = scaled(words[4], unit)
	}
	return tested, of, ok
}

// fillRate reads "Average reading speed: 21.06 MB/s" or "Reading speed: 15.7 MByte/s".
func fillRate(line string) (bytesPerS float64, ok bool) {
	_, rest, _ := strings.Cut(line, ": ")
	number, unit, _ := strings.Cut(rest, " ")
	bytesPerS, ok = scaled(number, unit)
	return bytesPerS, ok && strings.HasSuffix(unit, "/s")
}
