package result

import (
	"fmt"
	"strconv"
	"strings"
)

// LostBytes is how much came back neither as it had been written nor with few bits changed: what worn modules hardly
// do.
func (c Checked) LostBytes() int64 { return c.Bytes - c.OKBytes - c.ChangedBytes }

// Lacks reports whether more than 1 % of what was checked is lost, which is a sign of less capacity. What else is
// missing is an error of the medium, its reader or a contact: published texts of H2testw about errors lost at most
// 0.6 %, and no fake in data/capacity_checks.csv has more than half of what it claims.
func (c Checked) Lacks() bool { return 100*c.LostBytes() > c.Bytes }

// LacksSurely reports whether so much is lost that hardly anything but less capacity explains it: 5 % of what was
// checked, and 2 % of the whole, which no honest module loses in the simulations of docs/verify.md.
func (c Checked) LacksSurely() bool {
	return c.Lacks() && 20*c.LostBytes() >= c.Bytes && 50*c.LostBytes() >= c.OfBytes
}

// Checked returns what was found by filling the module and reading it back, by flashdex verify or by another tool; nil:
// nothing was filled.
func (d *Document) Checked() *Checked {
	if d.Imported != nil {
		return d.Imported.Checked
	}
	return d.Identity.Checked
}

// LacksCapacity reports whether the tool checked the module and found that it lacks capacity.
func (i *Imported) LacksCapacity() bool { return i != nil && i.Checked != nil && i.Checked.Lacks() }

// CapacityChecked reports whether so much of the module was checked that a fake of a known kind would have shown: four
// fifths of the device and of what is printed on it. No fake in data/capacity_checks.csv has more than 54 % of that, so
// it would lose a third of what it was given. No sound module is left out if it is empty: ext4, which keeps the most to
// itself, leaves 84 % from 1 GiB on.
//
// The same share is asked whatever was found. If any part were enough to count a fake, but not to count a sound unit,
// then of the modules with files on them the fakes alone would count.
func (d *Document) CapacityChecked() bool {
	c := d.Checked()
	if c == nil {
		return d.Identity.Verified != nil
	}
	return 5*float64(c.Bytes) >= 4*max(float64(c.OfBytes), d.Module.CapacityGB*1e9)
}

// Found says what a check of the capacity found, as far as it looked. Empty: by this document, nobody looked.
func (d *Document) Found() string {
	v, c := d.Identity.Verified, d.Identity.Checked
	switch {
	case d.Imported != nil:
		return d.Imported.Found()
	case d.Method != MethodVerify1:
		return ""
	case v != nil && v.FoundBytes == v.ClaimedBytes:
		return fmt.Sprintf("nothing contradicts the %s GB that it claims", Number(float64(v.ClaimedBytes)/1e9))
	case v != nil:
		claimed, found := float64(v.ClaimedBytes)/1e9, float64(v.FoundBytes)/1e9
		return fmt.Sprintf("of the %s GB that it claims, only the first %s are sure", NumberBeside(claimed, found),
			NumberBeside(found, claimed))
	}
	return fmt.Sprintf("%s; the module claims %s GB", c.found("came back as written"), Number(float64(c.OfBytes)/1e9))
}

// Found says how much of the module the tool found good, as far as it looked. Empty: it didn't look.
func (i *Imported) Found() string {
	switch {
	case i.Checked == nil:
		return ""
	case strings.Contains(i.Options, OptionF3probe):
		return i.Checked.found("is usable")
	}
	return i.Checked.found("came back as written")
}

// found says how much is good, and how that shows.
func (c Checked) found(how string) string {
	all, ok := float64(c.Bytes)/1e9, float64(c.OKBytes)/1e9
	switch missing := c.Bytes - c.OKBytes; {
	case missing == 0:
		return fmt.Sprintf("all of %s GB %s", Number(all), how)
	case !c.Lacks():
		return fmt.Sprintf("all but %s bytes of %s GB %s: an error of the medium, its reader or a contact",
			commas(strconv.FormatInt(missing, 10)), Number(all), how)
	}
	return fmt.Sprintf("only %s of %s GB %s", NumberBeside(ok, all), NumberBeside(all, ok), how)
}

// check reports parts that are greater than the whole, of a finding at a place in its document.
func (c *Checked) check(at string, add report) {
	if c.OKBytes+c.ChangedBytes > c.Bytes {
		add(at+"/ok_bytes", "%d bytes were right and %d changed, but only %d were looked at", c.OKBytes, c.ChangedBytes,
			c.Bytes)
	}
	if c.OfBytes != 0 && c.OfBytes < c.Bytes {
		add(at+"/of_bytes", "%d bytes were looked at, which is more than the %d that there are", c.Bytes, c.OfBytes)
	}
}

// checkVerify reports where a document of MethodVerify1 is not one finding about the capacity of one whole module.
func (d *Document) checkVerify(add report) {
	v, c := d.Identity.Verified, d.Identity.Checked
	switch {
	case d.Method != MethodVerify1 && c != nil:
		add("/identity/checked", "only a result of the method %s has what flashdex verify found in free space", MethodVerify1)
	case d.Method != MethodVerify1:
	case len(d.Tests) > 0:
		add("/tests", "a check of the capacity measures no rate, so no test stands beside it")
	case v != nil && c != nil:
		add("/identity", "a check is of the whole device or of free space, and finds one thing: verified or checked")
	case v == nil && c == nil:
		add("/identity", "a check of the capacity found something: verified or checked is missing")
	case (v != nil) != (d.Target.Kind == "device"):
		add("/target/kind", "a whole device is verified, and the free space of a directory is checked")
	case v != nil && v.ClaimedBytes != d.Identity.SizeBytes:
		add("/identity/verified/claimed_bytes", "the device has %d bytes and not the %d that it is said to claim",
			d.Identity.SizeBytes, v.ClaimedBytes)
	case c != nil && c.OfBytes != d.Identity.SizeBytes:
		add("/identity/checked/of_bytes", "the device has %d bytes, and what was checked is a part of %d",
			d.Identity.SizeBytes, c.OfBytes)
	}
}
