package catalogue_test

import (
	"strings"
	"testing"

	"flashdex/api/catalogue"
)

func TestStackOf(t *testing.T) {
	t.Parallel()
	c := load(t)
	extreme := resolve(c, typed("SanDisk", "Extreme 90MB/s", 64, "microsd"))
	evo := resolve(c, typed("Samsung", "EVO Plus", 32, "microsd"))
	one := catalogue.StackOf("raid0", 512<<10, []catalogue.Module{extreme, evo, extreme})
	if one.Slug != "stack-raid0-512kib-1-samsung-evo-plus-32gb-microsd-2-sandisk-extreme-64gb-microsd" &&
		!strings.HasPrefix(one.Slug, "stack-raid0-512kib-1-samsung-evo-plus-32gb") {
		t.Errorf("slug %s", one.Slug)
	}
	if name := one.Name(); name != "RAID 0 in chunks of 512 KiB of 1 × Samsung EVO Plus 32 GB microSD and 2 × SanDisk "+
		"Extreme 64 GB microSD" {
		t.Errorf("name %q", name)
	}
	if again := catalogue.StackOf("raid0", 512<<10, []catalogue.Module{extreme, extreme, evo}); again.Slug != one.Slug ||
		one.Form != catalogue.FormStack {
		t.Errorf("%+v and %+v", one, again)
	}
	others := map[string]bool{one.Slug: true}
	for _, m := range []catalogue.Module{
		catalogue.StackOf("raid0", 64<<10, []catalogue.Module{extreme, evo, extreme}),
		catalogue.StackOf("raid1", 0, []catalogue.Module{extreme, evo, extreme}),
		catalogue.StackOf("raid0", 512<<10, []catalogue.Module{extreme, evo}),
		catalogue.StackOf("raid0", 512<<10, []catalogue.Module{extreme, extreme, evo, evo}),
	} {
		if others[m.Slug] || len(m.Slug) > 80 {
			t.Errorf("%s is the slug of another one, or too long", m.Slug)
		}
		others[m.Slug] = true
	}
}

// No typed name gives a module the slug of a stack.
func TestNoModuleHasTheSlugOfAStack(t *testing.T) {
	t.Parallel()
	c := load(t)
	extreme := resolve(c, typed("SanDisk", "Extreme 90MB/s", 64, "microsd"))
	stack := catalogue.StackOf("raid1", 0, []catalogue.Module{extreme, extreme})
	for _, e := range []evidence{typed("Stack", "raid1 2 sandisk extreme", 32, "microsd"),
		typed("", "stack raid1 2 SanDisk Extreme", 32, "microsd"), {Vendor: "stack", SDManfid: "0x000001", SDOEMID: "0x4142",
			SDName: "X", Bus: "sd"}} {
		if m := resolve(c, e); m.Slug == stack.Slug || strings.HasPrefix(m.Slug, "stack-") || m.Form == catalogue.FormStack {
			t.Errorf("%+v became %+v", e, m)
		}
	}
}
