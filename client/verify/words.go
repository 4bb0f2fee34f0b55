package verify

import (
	"fmt"
	"strings"
)

// Size writes bytes as they are printed on modules, in units of 10^9 or 10^6.
func Size(bytes int64) string {
	if bytes >= 1e9 {
		return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}

const (
	returnIt  = "Don't use it for anything that matters: copy off it what is still whole, and give it back to the seller."
	tryAgain  = "Clean its contacts, try another reader and port, and run this again; if it stays so, don't trust the module."
	wornAlone = "That is more the sign of a module that wears out or of a bad reader or contact than of a fake."
)

// Words says what was found, and what to do, in sentences for the user.
func (c Content) Words() string {
	var lines []string
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	good := c.Sectors[Good] * SectorBytes
	bytes := func(states ...State) (sum int64) {
		for _, state := range states {
			sum += c.Sectors[state] * SectorBytes
		}
		return sum
	}
	switch {
	case c.ReadBytes == 0:
		say("Nothing was read back, so that nothing is known.")
	case c.Sectors.Bad() == 0:
		say("All %s that were written and read back hold what was written.", Size(c.ReadBytes))
	default:
		say("Of %s that were written and read back, only %s hold what was written; the first that doesn't was number %d.",
			Size(c.ReadBytes), Size(good), c.FirstBad/SectorBytes)
		say("Up to %s all is real, from there on it is not, or not all.", Size(c.FirstBad))
	}
	elsewhere, lost := bytes(Elsewhere), bytes(Old, Blank, Foreign)
	if elsewhere > 0 {
		say("%s came back with what had been written elsewhere: the module uses the same memory for several addresses. That is the sign of a fake.", Size(elsewhere))
	}
	if lost > 0 {
		say("%s came back empty or with something else: what is written there is lost. That is the sign of a fake.", Size(lost))
	}
	if broken := bytes(Damaged, Unreadable); broken > 0 {
		say("%s came back with changed bits, and %s could not be read. %s", Size(bytes(Damaged)), Size(bytes(Unreadable)), wornAlone)
	}
	if c.WriteError != nil {
		say("After %s the module refused to be written to (%v). Some fakes do so, and so do modules that wear out.", Size(c.WrittenBytes), c.WriteError)
	}
	switch {
	case elsewhere+lost > 0:
		say(returnIt)
	case c.Sectors.Bad() > 0 || c.WriteError != nil:
		say(tryAgain)
	}
	return strings.Join(lines, "\n")
}

// Words says what was found, and what to do, in sentences for the user.
func (c Capacity) Words() string {
	sizes := fmt.Sprintf("%s claimed, %s real", Size(c.ClaimedBytes), Size(c.RealBytes))
	spared := "A partition that ends before " + Size(c.RealBytes) + " can still be used, for what may be lost."
	switch c.Kind {
	case Genuine:
		return fmt.Sprintf("%s claimed, and nothing contradicts it: all %d blocks that were looked at hold what was written.\n"+
			"Most of the device was not looked at; flashdex verify DIR checks every free byte of a file system on it.", Size(c.ClaimedBytes), c.Blocks)
	case Limited:
		return sizes + ": what is written beyond is lost. That is the sign of a fake.\n" + returnIt + " " + spared
	case Refused:
		return fmt.Sprintf("%s claimed, but from %s on it refuses to be written to or read. Some fakes do so, and so do modules that wear out.\n%s",
			Size(c.ClaimedBytes), Size(c.RealBytes), tryAgain)
	case Wrapped:
		return sizes + ": what is written beyond overwrites what is before. That is the sign of a fake.\n" + returnIt + " " + spared
	case Chained:
		return sizes + " in a row: of what is written beyond, a part is lost or overwrites something else. That is the sign of a fake.\n" + returnIt + " " + spared
	}
	return fmt.Sprintf("%d of %d blocks that were looked at are bad, the first at %s. %s\n%s",
		c.BadBlocks, c.Blocks, Size(c.RealBytes), wornAlone, tryAgain)
}
