package verify

import (
	"fmt"
	"strings"
)

// Size writes bytes as they are printed on modules, in units of 10^9 or 10^6, and few in full.
func Size(bytes int64) string {
	switch {
	case bytes >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
	case bytes >= 1e5:
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

const (
	returnIt = "Don't use it for anything important: copy the files that are still whole, and return it to the seller."
	tryAgain = "Clean its contacts, try another reader and port, and run this again; if nothing changes, don't trust " +
		"the module."
	wornAlone = "That points to a module that wears out, or to a bad reader or contact, rather than to a fake."
	fake      = "That is the sign of a fake."
	someFakes = "Some fakes do so, and so do modules that wear out."
)

// Words puts the finding and the user's next step into sentences.
func (c Content) Words() string {
	var lines []string
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	checked := c.Checked()
	isFake, points := checked.LacksSurely(), wornAlone
	switch {
	case isFake:
		points = fake
	case checked.Lacks():
		points = someFakes
	}
	switch {
	case c.ReadBytes == 0:
		say("Nothing was read back, so nothing is known.")
	case c.Sectors.Bad() == 0:
		say("All %s that were written and read back hold what was written.", Size(c.ReadBytes))
	case isFake:
		say("Of %s that were written and read back, only %s hold what was written; the first bad sector is number %d.",
			Size(c.ReadBytes), Size(c.GoodBytes()), c.FirstBad/SectorBytes)
		say("The first %s are all real; after that some or all is not.", Size(c.FirstBad))
	default:
		say("Of %s that were written and read back, %s don't hold what was written; the first bad sector is number %d.",
			Size(c.ReadBytes), Size(c.ReadBytes-c.GoodBytes()), c.FirstBad/SectorBytes)
	}
	if elsewhere := c.bytes(Elsewhere); elsewhere > 0 {
		shared := ""
		if isFake {
			shared = ": the module uses the same memory for several addresses"
		}
		say("%s came back with the data of another address%s. %s", Size(elsewhere), shared, points)
	}
	if lost := c.bytes(Old, Blank, Foreign); lost > 0 {
		say("%s came back empty or with something else: what is written there is lost. %s", Size(lost), points)
	}
	if damaged, unreadable := c.bytes(Damaged), c.bytes(Unreadable); damaged+unreadable > 0 {
		points := wornAlone
		if c.Unreads() {
			points = someFakes
		}
		say("%s came back with changed bits, and %s could not be read. %s", Size(damaged), Size(unreadable), points)
	}
	if c.WriteError != nil {
		say("After %s the module refused to be written to (%v). "+someFakes, Size(c.WrittenBytes), c.WriteError)
	}
	if c.Stopped {
		say("%s were not read back: the module failed or hung for more than %d minutes in all, so the test ended.",
			Size(c.WrittenBytes-c.ReadBytes), int(patience.Minutes()))
	}
	switch {
	case isFake:
		say(returnIt)
	case c.Sectors.Bad() > 0 || c.WriteError != nil || c.Stopped:
		say(tryAgain)
	}
	return strings.Join(lines, "\n")
}

// Words puts the finding and the user's next step into sentences.
func (c Capacity) Words() string {
	claimed, size := Size(c.ClaimedBytes)+" claimed", Size(c.RealBytes)
	sign := ""
	switch c.Kind {
	case Genuine:
		return fmt.Sprintf("%s, and nothing contradicts it: all %d blocks that were tested hold what was written.\nMost of "+
			"the device was not tested; flashdex verify DIR tests every free byte of a file system on it.", claimed, c.Blocks)
	case Refused:
		return fmt.Sprintf("%s, but from %s on it refuses to be written to or read. %s\n%s", claimed, size, someFakes,
			tryAgain)
	case Failing:
		points := wornAlone
		if c.Loses() {
			points = someFakes
		}
		return fmt.Sprintf("%d of %d blocks that were tested are bad, the first at %s. %s\n%s",
			c.BadBlocks, c.Blocks, size, points, tryAgain)
	case Stopped:
		return fmt.Sprintf("%s, but it fails or hangs, and so long that the test ended after %d minutes of that. So it "+
			"can't tell whether or where the module ends: %d blocks were read back, and %d of them are bad.\n%s", claimed,
			int(patience.Minutes()), c.Blocks, c.BadBlocks, tryAgain)
	case Chained: // no partition avoids what lies where
		return fmt.Sprintf("%s, and only the first %s are sure: of what is written beyond that, a part is lost or "+
			"overwrites something else. %s\n%s", claimed, size, fake, returnIt)
	case Limited:
		sign = ": what is written beyond that is lost."
	case Wrapped:
		sign = ": what is written beyond that overwrites the beginning."
	}
	return fmt.Sprintf("%s, %s real%s %s\n%s A partition that ends before %s still works, for files that you can afford "+
		"to lose.", claimed, size, sign, fake, returnIt, size)
}
