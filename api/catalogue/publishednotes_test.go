package catalogue_test

import (
	"math"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/result"
)

// Figures worked out by hand from the sources.
func TestTimesAreInMilliseconds(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, tc := range []struct {
		source, test, printed string
		ms                    float64
	}{
		{"cleanflight_436", "write_latency_max", "185037 us", 185.037},
		{"iksdp_usb_sticks", "mixed_seq_read_latency_max", "2927.2 ms", 2927.2},
		{"p2_usd_cards", "mount_time", "232.5 ms", 232.5},
		{"efournier_usb_notes", "access_time", "0.68 ms", 0.68},
		{"tkaiser_a1a2_2018", "boot_time", "26.7 s", 26700},
	} {
		found := false
		for _, p := range c.Published {
			if p.Source == tc.source && p.Test == tc.test && p.ValueText+" "+p.Unit == tc.printed {
				found = true
				if p.MS == nil || math.Abs(*p.MS-tc.ms) > 1e-9 || p.MBPerS != nil || p.IOPS != nil {
					t.Errorf("%s %s: %v ms, want %v, and no rate", tc.source, tc.test, p.MS, tc.ms)
				}
			}
		}
		if !found {
			t.Errorf("%s has no %s of %s", tc.source, tc.test, tc.printed)
		}
	}
	for _, p := range c.Published {
		if rate := p.MBPerS != nil || p.IOPS != nil; rate == (p.MS != nil) {
			t.Errorf("%s:%d, %s %s, is a rate and a time, or neither", p.Source, p.Line, p.ValueText, p.Unit)
		}
	}
}

// A row has the quality of its source, unless its note states another, and the unit number that the source gives.
func TestNotesTellRowsApart(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, tc := range []struct {
		source, says        string // which rows: each of their tests
		unit, quality, kind string
		compared            bool // its random writes of 4 KiB
	}{
		{"m1cha_sdexpress", "Q1T1; run 1 of 10; active cooling; second unit", "Michael Zimmermann (M1cha), second unit", "B",
			"fio, as CrystalDiskMark, 256 MB, PC, PCIe 3.0 x1 (M.2 adapter; the log names neither host nor system), " +
				"active cooling", true},
		{"m1cha_sdexpress", "Q1T1; run 2 of 10; passive cooling; second unit", "Michael Zimmermann (M1cha), second unit",
			"B", ", passive cooling, run 2", false},
		{"m1cha_sdexpress", "Q1T1; run 2 of 3; cooling not certain", "Michael Zimmermann (M1cha), first unit", "B",
			", cooling not certain, run 2", false},
		{"tkaiser_rock5b", "after the kernel change", "Thomas Kaiser", "A", "Radxa ROCK 5B (RK3588), card clock raised", true},
		{"litebsd_sd_2016", "second sample", "Serge Vakulenko, second sample", "B", "", false},
		{"litebsd_sd_2016", "EVO U1 (yellow)", "Serge Vakulenko", "B", "", false},
		{"pastebin_rock64_emmc", "root fs 15G", "pfeerick, module of paste kNVFW2t8", "B", "Rock64, eMMC", true},
		{"anandtech_lexar1066x", "lowest rate after", "AnandTech", "B", ", lowest rate, after long use", false},
		{"yacy_grid_sd", "no fsync", "YaCy Grid authors", "C", "dd, cache not ruled out", false},
		{"gist_misc_dd", "gist frarees", "frarees", "B", "", true},
		{"gist_misc_dd", "gist bergpb", "bergpb", "C", "", false},
	} {
		n := 0
		for _, p := range c.Published {
			if p.Source != tc.source || !strings.Contains(p.Note, tc.says) {
				continue
			}
			n++
			if p.OfUnit != tc.unit || p.Quality != tc.quality || !strings.Contains(p.Kind, tc.kind) {
				t.Errorf("%s:%d: unit %q, quality %s, kind %q; want %q, %s, %q", p.Source, p.Line, p.OfUnit, p.Quality, p.Kind,
					tc.unit, tc.quality, tc.kind)
			}
			if p.Test == result.RandWrite && p.BlockBytes == 4096 && (p.Contributor != "") != tc.compared {
				t.Errorf("%s:%d is compared: %t, want %t", p.Source, p.Line, !tc.compared, tc.compared)
			}
		}
		if n == 0 {
			t.Errorf("%s has no row whose note says %q", tc.source, tc.says)
		}
	}
}

// A placeholder for a name may be a different person in each source.
func TestPlaceholdersForNamesJoinNoPeople(t *testing.T) {
	t.Parallel()
	c := load(t)
	sources := map[string]bool{}
	for _, p := range c.Published {
		source, _ := c.Source(p.Source)
		switch source.Author {
		case "anonymous", "reporters of the issue", "reporters of the issues", "users of Magic Lantern",
			"author not named in our copy of a public repository", "author of a Chinese blog post, not named in our copy":
			sources[p.Source] = true
			if strings.HasPrefix(p.OfUnit, source.Author) || p.Contributor == source.Author ||
				strings.Contains(p.Kind, source.Author) {
				t.Errorf("%s:%d is of %q, measured by %q: %s", p.Source, p.Line, p.OfUnit, p.Contributor, p.Kind)
			}
		case "ironsheep", "altechnative.net": // names that people use
			if !strings.HasPrefix(p.OfUnit, source.Author) {
				t.Errorf("%s:%d is of %q", p.Source, p.Line, p.OfUnit)
			}
		}
	}
	if len(sources) < 12 {
		t.Errorf("%d sources without a name", len(sources))
	}
}

// iozone on 32, 50, 80 and 100 MB are four methods. fio with and without the command queue are two, hdparm past the
// page cache and through it are two, and so are H2testw and F3, which syncs.
func TestMethodsThatDifferStayApart(t *testing.T) {
	t.Parallel()
	c := load(t)
	areas, queues := map[string]map[string]bool{}, map[string]map[string]bool{}
	programs := map[string]map[string]bool{}
	enter := func(in map[string]map[string]bool, method, what string) {
		if in[method] == nil {
			in[method] = map[string]bool{}
		}
		in[method][what] = true
	}
	for _, p := range c.Published {
		if strings.HasPrefix(p.Method, "iozone-direct") {
			area := "not stated"
			for _, size := range []string{"32 MB", "50 MB", "80 MB", "100 MB"} {
				if strings.HasPrefix(p.Kind, "iozone, direct I/O, "+size+", ") {
					area = size
				}
			}
			enter(areas, p.Method, area)
		}
		for _, state := range []string{"ON", "OFF"} {
			if strings.Contains(p.Note, "command queueing "+state) {
				enter(queues, p.Method, state)
			}
		}
		for _, program := range []string{"hdparm", "H2testw", "f3"} {
			if !strings.HasPrefix(p.Tool, program) {
				continue
			}
			if strings.Contains(p.Tool, "--direct") {
				program += " --direct"
			}
			enter(programs, p.Method, program)
		}
	}
	for method, want := range map[string]string{"iozone-direct-32m": "32 MB", "iozone-direct-50m": "50 MB",
		"iozone-direct-80m": "80 MB", "iozone-direct-100m": "100 MB", "iozone-direct": "not stated"} {
		if len(areas[method]) != 1 || !areas[method][want] {
			t.Errorf("%s is of %v, want %s alone", method, areas[method], want)
		}
	}
	for method, want := range map[string]string{"fio-qd32-queue-on": "ON", "fio-qd32-queue-off": "OFF",
		"fio-table-queue-on": "ON", "fio-table-queue-off": "OFF"} {
		if len(queues[method]) != 1 || !queues[method][want] {
			t.Errorf("%s is with the command queue %v, want %s alone", method, queues[method], want)
		}
	}
	for method, want := range map[string]string{"hdparm": "hdparm", "hdparm-direct": "hdparm --direct",
		"h2testw": "H2testw", "f3": "f3"} {
		if len(programs[method]) != 1 || !programs[method][want] {
			t.Errorf("%s is of %v, want %s alone", method, programs[method], want)
		}
	}
	if len(areas) != 5 || len(queues) != 4 || len(programs) != 4 {
		t.Errorf("methods %v, %v and %v, want five, four and four", areas, queues, programs)
	}
}

// A name that says SD Express means that form, and a card that only says SD or microSD doesn't.
func TestSDExpressIsAFormOfItsOwn(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, tc := range []struct{ product, form, want string }{
		{"microSD Express", "", "sdexpress"}, {"Gamma 256GB SD Express card", "", "sdexpress"},
		{"Gamma", "microSD Express", "sdexpress"}, {"Gamma", "SD Express", "sdexpress"}, {"Gamma", "sdexpress", "sdexpress"},
		{"Gamma microSD", "", "microsd"}, {"Gamma", "microSD", "microsd"}, {"Gamma", "CFexpress", "other"},
	} {
		if m := resolve(c, typed("Acme", tc.product, 256, tc.form)); m.Form != tc.want {
			t.Errorf("%q, form %q, has the form %q, want %q", tc.product, tc.form, m.Form, tc.want)
		}
	}
	m := resolve(c, typed("SanDisk", "microSD Express", 256, ""))
	if m.Slug != "sandisk-express-256gb-sdexpress" || m.Name() != "SanDisk microSD Express 256 GB" {
		t.Errorf("%s, called %q", m.Slug, m.Name())
	}
	if label := catalogue.FormLabel("sdexpress"); label != "SD Express" {
		t.Errorf("the form is called %q", label)
	}
}
