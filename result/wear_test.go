package result_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"flashdex/result"
	"flashdex/result/register/health"
	"flashdex/result/schema"
)

// A module that can't be asked didn't refuse to tell.
func TestNoWearOnUSB(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/valid/sd-card.json")
	if err != nil {
		t.Fatal(err)
	}
	for bus, refused := range map[string]bool{"sd": false, "usb": true} {
		with := strings.Replace(string(text), `"removable"`, `"wear": {"told_by": "none"}, "removable"`, 1)
		_, err := schema.Read([]byte(strings.Replace(with, `"bus": "sd"`, `"bus": "`+bus+`"`, 1)))
		if got := err != nil && strings.Contains(err.Error(), "/identity/wear"); got != refused {
			t.Errorf("%s: %v", bus, err)
		}
	}
}

func TestWearIsCoarse(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/valid/sd-card.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ wear, says, refuse string }{
		{`{"told_by": "two-step", "life_tenths": 1}`, "0 to 10 % of its rated life used, by its own word", ""},
		{`{"told_by": "sandisk", "life_tenths": 11}`, "past its rated life, by its own word", ""},
		{`{"told_by": "micron"}`, "told, but not how much of its life is used, by its own word", ""},
		{`{"told_by": "none"}`, "asked, and not told", ""},
		{`{"told_by": "none", "life_tenths": 1}`, "", "/identity/wear/told_by"},
		{`{"told_by": "emmc", "life_tenths": 1}`, "", "/identity/wear/told_by"}, // on the bus of SD cards
		{`{"told_by": "sandisk", "pre_eol": "normal"}`, "", "/identity/wear/pre_eol"},
		{`{"told_by": "sandisk", "life_tenths": 12}`, "", "/identity/wear/life_tenths"},
		{`{"told_by": "sandisk", "life_tenths": 1.5}`, "", "/identity/wear/life_tenths"},
		{`{"told_by": "sandisk", "used_percent": 3}`, "", "/identity/wear"},
		{`{"told_by": "another"}`, "", "/identity/wear/told_by"},
		{`{"told_by": "none", "written_gb": 99, "written_by": "ext4"}`,
			"asked, and not told; about 99 GB written since ext4 was made on it", ""},
		{`{"written_gb": 1200, "written_by": "ext4"}`, "about 1,200 GB written since ext4 was made on it", ""},
		{`{"written_gb": 10000000, "written_by": "ext4"}`, "about 10,000,000 GB written since ext4 was made on it", ""},
		{`{}`, "", "/identity/wear"},
		{`{"written_by": "ext4"}`, "", "/identity/wear"},
		{`{"told_by": "none", "written_by": "ext4"}`, "", "/identity/wear/written_gb"},
		{`{"written_gb": 99}`, "", "/identity/wear/written_gb"},
		{`{"written_gb": 101, "written_by": "ext4"}`, "", "/identity/wear/written_gb"},
		{`{"written_gb": 1230, "written_by": "ext4"}`, "", "/identity/wear/written_gb"},
		{`{"written_gb": 0, "written_by": "ext4"}`, "", "/identity/wear/written_gb"},
		{`{"written_gb": -1, "written_by": "ext4"}`, "", "/identity/wear/written_gb"},
		{`{"written_gb": 1.5, "written_by": "ext4"}`, "", "/identity/wear/written_gb"},
		{`{"written_gb": 11000000, "written_by": "ext4"}`, "", "/identity/wear/written_gb"},
		{`{"written_gb": 99, "written_by": "f2fs"}`, "", "/identity/wear/written_gb"}, // it is on ext4
		{`{"written_gb": 99, "written_by": "vfat"}`, "", "/identity/wear/written_by"},
		{`{"told_by": "sandisk", "written_gb": 99, "written_by": "module"}`, "", "/identity/wear/written_gb"},
	} {
		with := strings.Replace(string(text), `"removable"`, `"wear": `+c.wear+`, "removable"`, 1)
		doc, err := schema.Read([]byte(with))
		switch {
		case c.refuse == "" && err != nil:
			t.Errorf("%s: %v", c.wear, err)
		case c.refuse == "" && doc.Identity.Wear.Words() != c.says:
			t.Errorf("%s says %q", c.wear, doc.Identity.Wear.Words())
		case c.refuse != "" && (err == nil || !strings.Contains(err.Error(), c.refuse)):
			t.Errorf("%s: %v, want %s", c.wear, err, c.refuse)
		}
	}
	counted := result.Wear{ToldBy: "nvme-smart", LifeTenths: 1, WrittenGB: 1200, WrittenBy: result.WrittenByModule}
	if got := counted.Words(); got != "0 to 10 % of its rated life used, by its own word; about 1,200 GB written, by its own count" {
		t.Error(got)
	}
	eol := result.Wear{ToldBy: "emmc", LifeTenths: 10, PreEOL: "urgent"}
	if got := eol.Words(); got != "90 to 100 % of its rated life used, 90 % of its spare blocks used, by its own word" {
		t.Error(got)
	}
}

// The written amount keeps two digits. If a counter grows, its rounded value never goes back.
func TestWrittenIsRounded(t *testing.T) {
	t.Parallel()
	for bytes, want := range map[int64]int64{-1: 0, 0: 0, 1: 1, 1.4e9: 1, 1.5e9: 2, 99.4e9: 99, 99.5e9: 100, 104e9: 100,
		105e9: 110, 994e9: 990, 995e9: 1000, 1.05e12: 1100, 9.9e15: 9_900_000, 10e15: 10_000_000, 11e15: 0, 1<<63 - 1: 0} {
		if got := result.WrittenGB(bytes); got != want {
			t.Errorf("%d bytes are %d GB, want %d", bytes, got, want)
		}
	}
	before := int64(0)
	for bytes := int64(1); bytes < 10e15; bytes += bytes/97 + 1e8 {
		gb := result.WrittenGB(bytes)
		if step := result.StepGB(gb); gb < before || gb%step != 0 || gb/step > 99 ||
			bytes > 1e9 && 2*max(gb*1e9-bytes, bytes-gb*1e9) > step*1e9 {
			t.Fatalf("%d bytes are %d GB after %d, in steps of %d", bytes, gb, before, step)
		}
		before = gb
	}
}

// Every dialect that a client can name is accepted in a document. Of what the module told, only the tenth is kept.
func TestDialectsOfWear(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{health.EMMC, health.SanDisk, health.TwoStep, health.ADATA, health.Transcend, health.Swissbit,
		health.Micron, health.ATA, health.NVMe} {
		if !slices.Contains(result.WearDialects, dialect) {
			t.Errorf("no document takes %s", dialect)
		}
	}
	most := 7.0
	for used, want := range map[float64]int{0: 1, 0.03: 1, 9.99: 1, 10: 2, 99.99: 10, 100: 11, 453: 11} {
		if got := (health.Health{UsedPercent: &health.Range{AtLeast: used, AtMost: &most}}).Tenths(); got != want {
			t.Errorf("%v %% used is tenth %d, want %d", used, got, want)
		}
	}
	if got := (health.Health{}).Tenths(); got != 0 {
		t.Errorf("unknown is tenth %d", got)
	}
}
