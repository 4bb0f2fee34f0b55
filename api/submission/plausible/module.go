package plausible

import (
	"fmt"
	"strconv"
	"strings"

	"flashdex/result"
	"flashdex/result/register"
)

const (
	// A module holds at least 85 % of the printed capacity, because some modules reserve much of their flash for wear.
	// It holds at most 110 %, because some are sold with 2^30 bytes as a GB.
	leastOfPrinted = 0.85
	mostOfPrinted  = 1.10

	// largestBytes is above 4 TB, the size of the largest card and stick for sale.
	largestBytes = 4_500_000_000_000
)

// isPhysical reports whether the size of the device says something about a module. A loop device or virtual disk has
// any size, and an imported result doesn't show the device.
func isPhysical(d *result.Document, device *result.Identity) bool {
	return d.Imported == nil && device.Bus != "loop" && device.Bus != "virtio"
}

// capacity compares the printed capacity, which the contributor typed, with the device or with each member of a stack.
// A typing error would assign the result to another module. It also compares the size that an earlier check took as
// claimed. If it differs, that check was of another module, and mustn't give this one a sign.
func capacity(d *result.Document, add report) {
	typed := d.Module.CapacityGB
	for _, device := range d.Devices() {
		if !isPhysical(d, device) {
			continue
		}
		gb, gib := float64(device.SizeBytes)/1e9, float64(device.SizeBytes)/(1<<30)
		if typed != 0 && (gb < leastOfPrinted*typed || gb > mostOfPrinted*typed) {
			add("The capacity was given as %.4g GB, but the device has %.4g GB (%.4g GiB).", typed, gb, gib)
			return
		}
		if v := device.Verified; v != nil && v.ClaimedBytes != device.SizeBytes {
			add("The check of its capacity was of a device of %.4g GB, and this one has %.4g GB.", float64(v.ClaimedBytes)/1e9, gb)
			return
		}
	}
}

func size(d *result.Document, add report) {
	for _, device := range d.Devices() {
		if isPhysical(d, device) && device.SizeBytes > largestBytes {
			add("The device has %.4g TB, which is more than any flash module sold.", float64(device.SizeBytes)/1e12)
			return
		}
	}
}

// stackSize compares the size of a stack with its members' sizes: no kind of stack holds more than all its members
// together.
func stackSize(d *result.Document, add report) {
	var members int64
	for _, device := range d.Devices() {
		members += device.SizeBytes
	}
	if d.Stack != nil && d.Identity.SizeBytes > members {
		add("The stack has %d bytes, and its members together only %d.", d.Identity.SizeBytes, members)
	}
}

// isOurs reports whether the tests follow flashdex-1, on a module or a stack.
func isOurs(d *result.Document) bool {
	return d.Method == result.MethodFlashdex1 || d.Method == result.MethodStack1
}

// method checks how the random tests of flashdex-1 were run. The client must issue the operations itself: starting a
// process for each one would be part of the figure and leave no latencies. The batches must have the same size, except
// for the first, which takes the remainder: uneven batches would hide the variation that the interval is computed from.
func method(d *result.Document, t *result.Test, add report) {
	if !isOurs(d) || !t.IsRandom() {
		return
	}
	if t.Engine != "flashdex" {
		add("%s was done by dd; in this method the client does it itself.", testNames[t.Name])
		return
	}
	count := min(result.BatchCount, t.Ops)
	for i, b := range t.Batches {
		if want := t.Ops / count; int64(len(t.Batches)) != count || i > 0 && b.Ops != want {
			add("%s has %d batches, and number %d holds %d operations; this method makes %d batches, "+
				"with %d operations in each after the first.", testNames[t.Name], len(t.Batches), i+1, b.Ops, count, want)
			return
		}
	}
}

// settled verifies that the samples of a converged random test satisfy the stopping rule.
func settled(d *result.Document, t *result.Test, add report) {
	if !isOurs(d) || !t.IsRandom() || t.Ended != result.Converged {
		return
	}
	rule := result.StandardRule(0) // the rule of the quick profile differs only in its times
	e := result.EstimateOf(t.Batches)
	low, _ := slowest(t.Latency)
	share := float64(low) / float64(t.DurationNS)
	switch {
	case e.Ops < rule.MinOps:
		add("%s says that it settled, after %d operations; the rule asks for %d.", testNames[t.Name], e.Ops, rule.MinOps)
	case e.HalfWidth > rule.HalfWidth*(1+1e-9):
		add("%s says that it settled, but its mean is only known to within %.0f %%; the rule asks for %.0f %%.",
			testNames[t.Name], 100*e.HalfWidth, 100*rule.HalfWidth)
	case share > rule.MaxShare:
		add("%s says that it settled, but one operation took %.0f %% of its time; the rule asks for at most %.0f %%.",
			testNames[t.Name], 100*share, 100*rule.MaxShare)
	case e.Trend:
		add("%s says that it settled, but its speed rose or fell all the time.", testNames[t.Name])
	}
}

// registers compares a card's CID with the fields that the kernel decodes from it.
func registers(d *result.Document, add report) {
	for _, device := range d.Devices() {
		if device.SD != nil && device.Bus != "sd" || device.MMC != nil && device.Bus != "mmc" {
			add("The document holds the registers of a card, but the bus is one that shows none.")
		} else if field := contradictedField(device); field != "" {
			add("The CID of the module contradicts its %s, which the kernel decodes from it.", field)
		}
	}
}

// commandQueue checks that a card can have had its command queue on. The kernel turns the queue on by CMD49, only on
// cards whose SCR says that they know this command (bit 34).
func commandQueue(d *result.Document, add report) {
	card := d.Identity.SD
	if d.Host.CommandQueue != result.QueueOn || card == nil {
		return
	}
	if scr, err := strconv.ParseUint(card.SCR, 16, 64); err == nil && scr>>34&1 == 0 {
		add("The command queue of the card was on, but the card's SCR says that it lacks the command for that (CMD49).")
	}
}

func contradictedField(id *result.Identity) string {
	// An MMC card before version 2.0 has another layout, in which the manufacturer's number has three bytes.
	if id.MMC != nil && (id.MMC.Manfid == "" || !strings.HasPrefix("0x"+id.MMC.CID, id.MMC.Manfid)) {
		if cid, err := register.ParseMMCCID(id.MMC.CID); err == nil {
			// The kernel decides how much of the OEM's number it shows, and which sixteen years the year's code means.
			date := id.MMC.Date
			var month, year int
			_, err := fmt.Sscanf(date, "%d/%d", &month, &year)
			if err == nil && (month != cid.Month || (year-1997-cid.Year)%16 != 0) {
				date = "another"
			}
			return contradiction(id.MMC, cid.Manufacturer, id.MMC.OEMID, cid.Name, date)
		}
	}
	if id.SD != nil {
		if cid, err := register.ParseCID(id.SD.CID); err == nil {
			date := fmt.Sprintf("%02d/%04d", cid.Month, cid.Year)
			return contradiction(id.SD, cid.Manufacturer, cid.OEM, cid.Name, date)
		}
	}
	return ""
}

// contradiction names the first field of shown that differs from the CID. Fields that the kernel didn't show are empty.
func contradiction(shown *result.Register, manufacturer int, oem, name, date string) string {
	switch {
	case shown.Manfid != "" && shown.Manfid != fmt.Sprintf("0x%06x", manufacturer):
		return "manufacturer's number"
	case shown.OEMID != "" && shown.OEMID != oem:
		return "OEM's number"
	case shown.Name != "" && !sameName(shown.Name, name):
		return "name"
	case shown.Date != "" && shown.Date != date:
		return "date"
	}
	return ""
}

// sameName compares a name as the kernel showed it with the complete name in the CID. The kernel's name ends at a zero
// byte and has no control characters or double spaces. In the complete name, "?" replaces unprintable characters.
func sameName(shown, whole string) bool {
	rest, ok := strings.CutPrefix(strings.Join(strings.Fields(whole), " "), shown)
	return ok && (rest == "" || rest[0] == ' ') || strings.Contains(whole, "?")
}
