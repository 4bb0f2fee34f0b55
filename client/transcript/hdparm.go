package transcript

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"flashdex/result"
)

// hdparmBlockBytes is the size of hdparm's reads (TIMING_BUF_MB in hdparm.c).
const hdparmBlockBytes = 2 << 20

func hdparmBegins(t *text) bool {
	kind, _, found := strings.Cut(strings.TrimSpace(t.line()), " reads:")
	return found && strings.HasPrefix(kind, "Timing ")
}

// hdparm reads a line of hdparm -t or -T: "Timing buffered disk reads:  66 MB in  3.05 seconds =  21.61 MB/sec". Its MB
// are 2^20 bytes.
func hdparm(s *section) error {
	s.tool, s.repeats = result.ToolHdparm, true
	line := strings.TrimSpace(s.line())
	for at := s.at - 1; at >= max(0, s.at-3) && s.places == nil; at-- { // its name, and the line of -T
		if name, ok := strings.CutSuffix(strings.TrimSpace(s.lines[at]), ":"); ok {
			s.on(name)
		}
	}
	s.at++
	kind, rest, _ := strings.Cut(line, " reads:")
	fields := strings.Fields(rest)
	if len(fields) != 8 || fields[2] != "in" || fields[5] != "=" {
		return errors.New("the line is not whole")
	}
	bytes, ok := scaled(fields[0], fields[1])
	seconds, isTime := decimal(fields[3])
	perS, isRate := scaled(fields[6], fields[7])
	switch {
	case !ok || !isTime || !isRate || !strings.HasSuffix(fields[7], "/sec") || !strings.HasPrefix(fields[4], "seconds"):
		return errors.New("the line is damaged")
	case strings.Contains(kind, "cached"):
		s.leave("cached reads come from the computer's memory")
		return nil
	case seconds <= 0 || perS <= 0 || math.Abs(bytes/seconds/perS-1) > 0.02+0.01/seconds:
		return fmt.Errorf("%s %s in %s seconds are not %s %s", fields[0], fields[1], fields[3], fields[6], fields[7])
	}
	t := result.Test{
		Name: result.SeqRead, BlockBytes: hdparmBlockBytes, QueueDepth: 1, Sync: "none", Engine: result.ToolHdparm,
		Direct: strings.Contains(kind, "O_DIRECT"), Ended: result.TimeLimit, Bytes: int64(min(bytes, maxBytes)),
	}
	t.Ops, t.DurationNS = (t.Bytes+t.BlockBytes-1)/t.BlockBytes, nsOf(t.Bytes, perS)
	t.Intervals = []result.Interval{{Ops: t.Ops, Bytes: t.Bytes, NS: t.DurationNS}}
	s.add(t, "")
	return nil
}
