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

// LacksSurely reports whether so much is lost that hardly anything but less capacity explains it: 5 % of the whole,
// however small the part of it that was checked.
func (c Checked) LacksSurely() bool { return c.Lacks() && 20*c.LostBytes() >= max(c.Bytes, c.OfBytes) }

// LacksCapacity reports whether the tool checked the module and found that it lacks capacity.
func (i *Imported) LacksCapacity() bool { return i != nil && i.Checked != nil && i.Checked.Lacks() }

// CapacityChecked reports whether somebody checked if the module has its capacity. To say that it has takes 95 % of the
// volume and of what is printed on the module, and to say that it lacks some takes any part.
func (d *Document) CapacityChecked() bool {
	if d.Imported == nil || d.Imported.Checked == nil {
		return d.Identity.Verified != nil
	}
	c := d.Imported.Checked
	return c.Lacks() || 100*float64(c.Bytes) >= 95*max(float64(c.OfBytes), d.Module.CapacityGB*1e9)
}

// Found says how much of the module the tool found good, as far as it looked. Empty: it didn't look.
func (i *Imported) Found() string {
	if i.Checked == nil {
		return ""
	}
	all, ok := float64(i.Checked.Bytes)/1e9, float64(i.Checked.OKBytes)/1e9
	how := "came back as written"
	if strings.Contains(i.Options, OptionF3probe) {
		how = "is usable"
	}
	switch missing := i.Checked.Bytes - i.Checked.OKBytes; {
	case missing == 0:
		return fmt.Sprintf("all of %s GB %s", Number(all), how)
	case !i.LacksCapacity():
		return fmt.Sprintf("all but %s bytes of %s GB %s: an error of the medium, its reader or a contact",
			commas(strconv.FormatInt(missing, 10)), Number(all), how)
	}
	return fmt.Sprintf("only %s of %s GB %s", NumberBeside(ok, all), NumberBeside(all, ok), how)
}

// check reports parts that are greater than the whole.
func (c *Checked) check(add report) {
	if c.OKBytes+c.ChangedBytes > c.Bytes {
		add("/imported/checked/ok_bytes", "%d bytes were right and %d changed, but only %d were looked at", c.OKBytes,
			c.ChangedBytes, c.Bytes)
	}
	if c.OfBytes != 0 && c.OfBytes < c.Bytes {
		add("/imported/checked/of_bytes", "%d bytes were looked at, more than the %d of the volume", c.Bytes, c.OfBytes)
	}
}
