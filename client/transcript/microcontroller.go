package transcript

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"flashdex/result"
)

// passes holds the runs of one test that a microcontroller prints: each one's rate and slowest call.
type passes struct {
	bytesPerS []float64
	maxNS     []int64
}

// addPasses adds a test with the passes as its intervals. The tests are direct, since microcontrollers have no page
// cache.
func (s *section) addPasses(t result.Test, p *passes, passBytes int64, options string) {
	t.QueueDepth, t.Direct, t.Engine, t.Ended = 1, true, s.tool, result.Complete
	t.AreaBytes = passBytes
	for i, perS := range p.bytesPerS {
		pass := t
		if passBytes == 0 { // sd_bench writes for 2 s by default
			pass.AreaBytes = int64(min(perS*max(2, float64(p.maxNS[i])/1e9+1), maxBytes))
		}
		rated(&pass, perS)
		t.Ops, t.Bytes, t.DurationNS = t.Ops+pass.Ops, t.Bytes+pass.Bytes, t.DurationNS+pass.DurationNS
		t.Intervals = append(t.Intervals, result.Interval{Ops: pass.Ops, Bytes: pass.Bytes, NS: pass.DurationNS,
			MaxNS: p.maxNS[i]})
	}
	if longest := slices.Max(p.maxNS); longest > 0 {
		t.Percentiles = &result.Percentiles{MaxNS: longest}
	}
	s.add(t, options)
}

const sdFatColumns = "KB/Sec,usec,usec,usec"

func sdFatBegins(t *text) bool {
	_, _, isSize := sdFatSize(t.line())
	_, isCard := sdFatCard(t.line())
	return isSize || isCard || sdFatTest(t.line()) != ""
}

// sdFatCard reads "Card size: 31.91 GB (GB = 1E9 bytes)", which comes before the sizes of a card's tests.
func sdFatCard(line string) (size string, ok bool) {
	return between(line, "Card size:", "(GB = 1E9 bytes)")
}

// sdFatSize reads a line with the size of the file in MB (10^6 bytes) or of the buffer in bytes.
func sdFatSize(line string) (key string, n int64, ok bool) {
	line = strings.ToLower(strings.TrimSpace(line))
	for _, form := range [][3]string{
		{"file", "file_size_mb = ", ""}, {"file", "file size ", "mb"}, {"buffer", "buf_size = ", "bytes"},
		{"buffer", "buffer size ", "bytes"},
	} {
		if rest, found := strings.CutPrefix(line, form[1]); found {
			n, ok = count(strings.TrimSpace(strings.TrimSuffix(rest, form[2])))
			return form[0], n, ok && n < maxBytes/1e6
		}
	}
	return "", 0, false
}

func sdFatTest(line string) string {
	switch strings.TrimSpace(line) {
	case "write speed and latency":
		return result.SeqWrite
	case "read speed and latency":
		return result.SeqRead
	}
	return ""
}

// sdFat reads SdFat's bench example and its ports. They print "speed,max,min,avg" in KB (1,000 bytes) a second, and µs
// for each call.
func sdFat(s *section) error {
	s.tool = result.ToolSdFat
	var file, buffer int64
	for ; s.at < len(s.lines); s.at++ {
		key, n, isSize := sdFatSize(s.line())
		name := sdFatTest(s.line())
		card, isCard := sdFatCard(s.line())
		product, isProduct := strings.CutPrefix(strings.TrimSpace(s.line()), "Product: ")
		switch {
		case (isSize || isCard) && len(s.made) > 0:
			return nil
		case isCard:
			s.places = []place{{cards, card}}
		case isProduct && len(s.places) == 1:
			s.places[0].name += " " + product
		case isSize && key == "file":
			file = n
		case isSize:
			buffer = n
		case name != "":
			s.at++
			if err := s.sdFatPasses(name, file, buffer); err != nil {
				s.leave("line %d: %v", s.at+1, err)
			}
			s.at--
		case s.beginsAny():
			return s.sdFatEnd()
		}
	}
	return s.sdFatEnd()
}

func (s *section) sdFatEnd() error {
	if len(s.made)+len(s.left)+len(s.missing) == 0 {
		return errors.New("sizes without the lines of a test")
	}
	return nil
}

// sdFatPasses reads the lines after the name of a test.
func (s *section) sdFatPasses(name string, file, buffer int64) error {
	for ; s.at < len(s.lines) && strings.TrimSpace(s.line()) != sdFatColumns; s.at++ {
		if text := strings.TrimSpace(s.line()); text != "" && text != "speed,max,min,avg" {
			return errors.New("the units of the columns are missing")
		}
	}
	var p passes
	block, _ := count(s.know(FactBlockSize, map[bool]string{true: fmt.Sprint(buffer)}[buffer > 0]))
	for s.at++; s.at < len(s.lines); s.at++ {
		fields := strings.Split(s.line(), ",")
		var row [4]float64
		ok := len(fields) == 4
		for i := 0; ok && i < 4; i++ {
			row[i], ok = decimal(strings.TrimSpace(fields[i]))
		}
		if !ok {
			if text := strings.TrimSpace(s.line()); len(fields) > 1 || text != "" && strings.Contains(digits, text[:1]) {
				return errors.New("a line with four numbers is damaged")
			}
			break
		}
		rate, most, least, mean := row[0]*1e3, row[1], row[2], row[3]
		if !(rate > 0) || most < mean || mean < least || most > maxNS/1e3 ||
			block > 0 && math.Abs(rate*mean/1e6/float64(block)-1) > 0.25 {
			return fmt.Errorf("%g KB/s in calls of %g µs of %d bytes don't fit together", row[0], mean, block)
		}
		p.bytesPerS, p.maxNS = append(p.bytesPerS, rate), append(p.maxNS, int64(most*1e3))
	}
	if len(p.maxNS) == 0 {
		return errors.New("the lines of the test are missing")
	}
	t := result.Test{Name: name, BlockBytes: block, Sync: "none"}
	if writes(name) {
		t.Sync = "fsync"
	}
	s.addPasses(t, &p, file*1e6, "")
	return nil
}

func px4Begins(t *text) bool { return strings.Contains(t.line(), "Using block size = ") }

// px4 reads PX4's sd_bench and NuttX's sdbench. Each run has KB (1,024 bytes) a second and its slowest call.
func px4(s *section) error {
	s.tool = result.ToolPX4
	size, _ := between(s.line(), "block size = ", " byte")
	block, ok := count(size)
	_, sync, _ := strings.Cut(s.line(), "sync")
	each := strings.ContainsAny(sync, "1") || strings.Contains(sync, "true")
	if !ok {
		return errors.New("the block size is damaged")
	}
	t := result.Test{BlockBytes: block}
	p := &passes{}
	end := func() {
		if t.Name != "" && len(p.maxNS) > 0 {
			s.addPasses(t, p, 0, "")
		}
		p = &passes{}
	}
	for s.at++; s.at < len(s.lines); s.at++ {
		line := s.line()
		_, run, isRun := strings.Cut(line, "Run ")
		switch {
		case strings.Contains(line, "Testing Sequential Write Speed"):
			end()
			t.Name, t.Sync = result.SeqWrite, map[bool]string{true: "sync", false: "fsync"}[each]
		case strings.Contains(line, "Testing Sequential Read Speed"):
			end()
			t.Name, t.Sync = result.SeqRead, "none"
		case isRun && strings.Contains(run, "KB/s"):
			rate, most, err := px4Run(run)
			if err != nil || t.Name == "" {
				return fmt.Errorf("line %d: the run is damaged", s.at+1)
			}
			p.bytesPerS, p.maxNS = append(p.bytesPerS, rate), append(p.maxNS, most)
		case strings.Contains(line, "Avg ") || strings.TrimSpace(line) == "" || strings.Contains(line, "INFO"):
		case s.beginsAny() || len(s.made)+len(p.maxNS) > 0:
			end()
			return s.px4End()
		}
	}
	end()
	return s.px4End()
}

func (s *section) px4End() error {
	if len(s.made) == 0 {
		return errors.New("no runs")
	}
	return nil
}

// px4Run reads " 0:   225.88 KB/s, max write time: 30 ms (= 133.33 KB/s), fsync: 11 ms".
func px4Run(run string) (bytesPerS float64, maxNS int64, err error) {
	text, ok := between(run, ":", " KB/s")
	rate, isRate := px4Number(text)
	if !ok || !isRate || !(rate > 0) {
		return 0, 0, errors.New("no rate")
	}
	_, rest, found := strings.Cut(run, "time:")
	if !found {
		return rate * 1024, 0, nil
	}
	text, _ = between(":"+rest, ":", " ms")
	ms, isTime := px4Number(text)
	if !isTime || ms > 1e9 {
		return 0, 0, errors.New("no time")
	}
	return rate * 1024, int64(ms * 1e6), nil
}

// px4Number reads a number with a fraction of fixed length, which always has a point.
func px4Number(text string) (float64, bool) {
	if strings.Contains(text, ",") {
		return 0, false
	}
	return decimal(strings.TrimSpace(text))
}
