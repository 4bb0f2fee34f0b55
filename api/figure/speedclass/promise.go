package speedclass

import (
	"fmt"
	"math"
	"slices"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/result"
)

// promise is the least value of one figure that a class demands.
type promise struct {
	key   string
	least float64
}

func promisesOf(s catalogue.SpeedClass) []promise {
	return slices.DeleteFunc([]promise{
		{figure.RandWriteIOPS, s.RandWriteIOPS},
		{figure.RandReadIOPS, s.RandReadIOPS},
		{figure.SeqWriteMBPerS, s.SeqWriteMBPerS},
	}, func(p promise) bool { return p.least == 0 })
}

// sentence compares the measured with the promised value, with enough digits to tell them apart.
func (p promise) sentence(m figure.Figure) string {
	text := func(v float64) string { return result.NumberBeside(v, p.least) }
	interval := "measured without an interval"
	switch {
	case !m.HasInterval():
	case math.IsInf(*m.High, 1):
		interval = fmt.Sprintf("at least %s with 95 %%, since hosts held it back", text(*m.Low))
	case m.Confidence > 0 && m.Confidence < 0.95:
		interval = fmt.Sprintf("above %s with 95 %%, below %s with 95 %%", text(*m.Low), text(*m.High))
	default:
		interval = fmt.Sprintf("95 %% interval %s to %s", text(*m.Low), text(*m.High))
	}
	metric := figure.MetricOf(p.key)
	return fmt.Sprintf("%s %s %s where %s are promised (%s)", metric.Name, text(m.Value), metric.Unit,
		result.Number(p.least), interval)
}

const (
	// busHeadroom is the factor by which a bus must exceed a linear promise so that it can't be the reason for a miss.
	// Commands, responses and the card's busy time take their share of the bus.
	busHeadroom = 1.25
	// readerBusMBPerS is the rate of High Speed mode, 50 MHz on 4 data lines, in which every card reader can drive a
	// card. Over USB nobody can see whether it does more.
	readerBusMBPerS = 25
	// readerShare is the share of a card's random rate that a card reader may leave: it may take as long for an
	// operation as the card does.
	readerShare = 0.5
	// classSeconds is for how long the random promises hold.
	classSeconds = 600
	// slowerChange is by which factor a rate over seconds may be off the one over classSeconds: a cache that takes twice
	// as many writes while it has room, or stops for which the seconds were too few.
	slowerChange = 2
)

// marginOf returns by which factor a figure must be off a promise to tell whether it is kept.
func (c Conditions) marginOf(p promise) float64 {
	if p.key != figure.SeqWriteMBPerS && c.Method == result.MethodQueue1 && c.QueueSeconds < classSeconds {
		return slowerChange
	}
	return 1
}

// excuseOf returns the reason why a missed promise is not held against the module, or "".
func excuseOf(p promise, s catalogue.SpeedClass, m figure.Figure, c Conditions) string {
	linear := p.key == figure.SeqWriteMBPerS
	bus := c.BusMBPerS
	_, high := m.Ends()
	if c.Reader {
		bus = min(bus, readerBusMBPerS)
	}
	switch {
	case s.NeedsCommandQueue && !linear && !c.CommandQueue && c.Method == result.MethodQueue1:
		return "the class is promised with the card's command queue and cache at work, and the host didn't use both, " +
			"or its kernel doesn't say"
	case s.NeedsCommandQueue && !linear && !c.CommandQueue:
		return "the class is promised with the card's command queue and cache at work, and the test did one operation " +
			"at a time"
	case !linear && result.OfReference(c.Method):
		return "the area was 512 MiB, twice the class's"
	case !linear && c.Reader && high >= readerShare*p.least:
		return "a USB card reader takes its own time for each operation"
	case linear && bus == 0:
		return "what the bus to the card carries is not known"
	case linear && bus < s.BusMBPerS && c.Reader:
		return fmt.Sprintf("the class holds in the bus mode %s, and a USB card reader doesn't show which one it used", s.Bus)
	case linear && bus < s.BusMBPerS:
		return fmt.Sprintf("the class holds in the bus mode %s, and the bus carries at most %s MB/s", s.Bus,
			result.Number(bus))
	case linear && bus <= busHeadroom*p.least:
		return fmt.Sprintf("the bus carries at most %s MB/s", result.Number(bus))
	}
	return ""
}
