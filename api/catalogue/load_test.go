package catalogue_test

import (
	"encoding/csv"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"flashdex/api/catalogue"
	"flashdex/data"
)

// The catalogue is read-only, so the tests share one.
var loaded = sync.OnceValues(func() (*catalogue.Catalogue, error) { return catalogue.Load(data.FS) })

func load(t testing.TB) *catalogue.Catalogue {
	t.Helper()
	c, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestLoadHoldsEverythingPublished(t *testing.T) {
	t.Parallel()
	c := load(t)
	devices := map[string]bool{}
	for _, d := range c.ReferenceDevices {
		devices[d.Slug] = true
	}
	for _, p := range c.Published {
		_, isModule := c.Module(p.ModuleSlug)
		if isModule == devices[p.DeviceSlug] {
			t.Errorf("%s:%d means %q and %q, want one module or one reference device", p.Source, p.Line, p.ModuleSlug,
				p.DeviceSlug)
		}
		if _, ok := c.Method(p.Method); !ok {
			t.Errorf("%s:%d: method %q", p.Source, p.Line, p.Method)
		}
	}
	if m, ok := c.Method("flashdex-1"); !ok || !m.UsedForUploads {
		t.Errorf("method flashdex-1 is %+v, want the one used for uploads", m)
	}
}

// data/README.md gives lower bounds of the counts, so nobody has to edit it after adding a row. make check-data skips
// this test, so nobody has to after correcting a row, either.
func TestTheReadmeCountsNoMoreThanThereIs(t *testing.T) {
	t.Parallel()
	c := load(t)
	spellings, rows := map[string]map[string]bool{}, map[string][][]string{}
	for _, p := range c.Published {
		if rows[p.Source] == nil {
			rows[p.Source] = readCSV(t, "published/"+p.Source+".csv")
		}
		if p.ModuleSlug == "" {
			continue
		}
		if spellings[p.ModuleSlug] == nil {
			spellings[p.ModuleSlug] = map[string]bool{}
		}
		spellings[p.ModuleSlug][strings.Join(rows[p.Source][p.Line-1][1:6], "\x00")] = true // vendor to speed class
	}
	ways, several, withoutDirection := 0, 0, 0
	for _, s := range spellings {
		ways += len(s)
		if len(s) > 1 {
			several++
		}
	}
	for _, m := range c.Modules {
		for _, r := range m.Rated {
			if _, undirected := r.Figures[catalogue.RatedTransfer]; undirected {
				withoutDirection++
			}
		}
	}
	readme, err := os.ReadFile("../../data/README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(readme)), " ")
	for says, counted := range map[string]int{
		"at least # published figures":                       len(c.Published),
		"figures from at least # sources":                    len(rows),
		"At least # modules are listed":                      len(c.Modules),
		"and at least # of them have published figures":      len(spellings),
		"name modules in at least # ways":                    ways,
		"At least # modules are written in several ways":     several,
		"At least # rates on a package or in a shop's title": withoutDirection,
	} {
		found := regexp.MustCompile(strings.Replace(says, "#", "([0-9,]+)", 1)).FindStringSubmatch(text)
		if found == nil {
			t.Errorf("data/README.md doesn't say %q", says)
			continue
		}
		if n, err := strconv.Atoi(strings.ReplaceAll(found[1], ",", "")); err != nil || n > counted {
			t.Errorf("data/README.md says %q, but there are %d", found[0], counted)
		}
	}
}

// readCSV reads a file of the data set, its head included.
func readCSV(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := data.FS.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// The test reads the files again in its own way, so that Load can't skip a row or mix up two.
func TestPublishedKeepsTheFileRow(t *testing.T) {
	t.Parallel()
	c := load(t)
	files := map[string][][]string{}
	for _, p := range c.Published {
		if files[p.Source] == nil {
			files[p.Source] = readCSV(t, "published/"+p.Source+".csv")
		}
		r := files[p.Source][p.Line-1] // no field in these files holds a line break
		got := []string{p.Source, p.Host, p.Tool, p.ValueText, p.Unit, p.Date, p.Note}
		if diff := cmp.Diff([]string{r[0], r[6], r[7], r[11], r[12], r[13], r[14]}, got); diff != "" {
			t.Fatalf("%s:%d (-file +loaded):\n%s", p.Source, p.Line, diff)
		}
	}
}

func TestPublishedIsNormalised(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, tc := range []struct {
		name                      string
		source, slug, test, value string
		block                     int64
		mb, iops                  float64
		method                    string
		queueDepth                int
	}{
		{"iozone KB of 1024 bytes", "derekwhite_2014", "toshiba-class-10-uhs-i-8gb-microsd", "seq-write", "982", 4096,
			982 * 1024 / 1e6, 0, "iozone-direct-50m", 1},
		{"iozone MB of 2^20 bytes", "geerling_2015_pi2", "samsung-evo-plus-32gb-microsd", "rand-write", "3.00", 4096,
			3 * 1048576 / 1e6, 3 * 256, "iozone-direct-100m", 1},
		{"IOPS give MB/s", "tkaiser_a1a2_2018", "sandisk-ultra-8gb-sd", "rand-read", "2243", 1024, 2243 * 1024 / 1e6, 2243,
			"iozone-direct-100m", 1},
		{"dd counts 10^6", "ricsanfre_pi_storage", "sandisk-ultra-a1-32gb-microsd", "seq-write", "19.23", 4096, 19.23, 0, "dd",
			0},
		{"hdparm counts 2^20", "luthra_bbb_2015", "sandisk-ultra-microsd", "seq-read", "19.2", 0, 19.2 * 1048576 / 1e6, 0,
			"hdparm", 0},
		{"CrystalDiskMark counts 10^6, 32 in flight", "usb_acex_s75", "lexar-jumpdrive-s75-128gb-usb", "rand-write", "0.641",
			4096, 0.641, 0.641e6 / 4096, "crystaldiskmark-qd32", 32},
		{"sequential CrystalDiskMark 8", "auyong_cdm_2025", "kioxia-microsd-g2-128gb-microsd", "seq-write", "65.84", 1 << 20,
			65.84, 0, "crystaldiskmark", 8},
		{"KB of 1000 bytes, as the source counts", "p2_usd_spi", "amazon-basics-64gb-microsd", "seq-read", "1245", 512, 1.245, 0,
			"spi-embedded", 1},
		{"four jobs at once keep their name", "iksdp_usb_sticks", "orico-ufsd-x-64gb-usb", "mixed_rand_write", "33.78", 4096, 0, 0,
			"fio-four-jobs", 128},
		{"MiB rounded down give way to the IOPS", "m1cha_sdexpress", "adata-premier-extreme-express-256gb-sdexpress",
			"rand-read", "9784", 4096, 9784 * 4096 / 1e6, 9784, "fio-cdm", 1},
		{"seconds have neither", "cf_clubsnap_1ds3", "sandisk-ducati-8gb-cf", "camera_burst_write_time", "8.95", 0, 0, 0,
			"other", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			found := false
			for _, p := range c.Published {
				if p.Source != tc.source || p.ModuleSlug != tc.slug || p.Test != tc.test || p.BlockBytes != tc.block ||
					(p.ValueText != tc.value && tc.mb+tc.iops > 0) {
					continue
				}
				found = true
				if tc.mb > 0 && (p.MBPerS == nil || math.Abs(*p.MBPerS-tc.mb) > 5e-9*tc.mb) {
					t.Errorf("MB/s %v, want %v", p.MBPerS, tc.mb)
				}
				if tc.iops > 0 && (p.IOPS == nil || math.Abs(*p.IOPS-tc.iops) > 5e-9*tc.iops) {
					t.Errorf("IOPS %v, want %v", p.IOPS, tc.iops)
				}
				if p.Unit == "s" && (p.MBPerS != nil || p.IOPS != nil) {
					t.Error("seconds became a rate")
				}
				if p.Method != tc.method || p.QueueDepth != tc.queueDepth {
					t.Errorf("method %s, queue depth %d, want %s, %d", p.Method, p.QueueDepth, tc.method, tc.queueDepth)
				}
				break
			}
			if !found {
				t.Fatal("no such row")
			}
		})
	}
}

// If a source prints a measurement in two units, the assumed sizes of its KB and MB must make them agree.
func TestRestatedFiguresAgree(t *testing.T) {
	t.Parallel()
	c := load(t)
	rows := map[string]catalogue.Published{}
	for _, p := range c.Published {
		rows[fmt.Sprint(p.Source, p.Line)] = p
	}
	n := 0
	for _, b := range c.Published {
		if b.Restates == 0 {
			continue
		}
		n++
		a := rows[fmt.Sprint(b.Source, b.Restates)]
		if a.Restates != 0 || a.Test != b.Test || a.ModuleSlug != b.ModuleSlug || a.BlockBytes != b.BlockBytes ||
			a.QueueDepth != b.QueueDepth {
			t.Errorf("%s:%d does not restate line %d", b.Source, b.Line, a.Line)
		}
		if a.MBPerS == nil || b.MBPerS == nil || *a.MBPerS < 0.1 || min(printed(a), printed(b)) < 100 {
			continue // too few digits printed to compare
		}
		if ratio := *a.MBPerS / *b.MBPerS; ratio < 0.98 || ratio > 1.02 {
			t.Errorf("%s:%d: %s %s and %s %s differ by %.3f", b.Source, b.Line, a.ValueText, a.Unit, b.ValueText, b.Unit, ratio)
		}
	}
	if n < 400 {
		t.Errorf("%d restated rows found, want over 400", n)
	}
}

// printed returns the number of units of the last digit in a figure: 31 for 3.1, 155 for 155.
func printed(p catalogue.Published) float64 {
	digits := 0.0
	for _, r := range p.ValueText {
		if r != '.' {
			digits = digits*10 + float64(r-'0')
		}
	}
	return digits
}

// The folder must not hold serial numbers. The lists behind card_registers.csv and near_zero_serials.csv had some.
func TestEveryTableIsReadable(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(data.FS, "*.csv")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d tables, %v", len(files), err)
	}
	for _, name := range files {
		f, err := data.FS.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(f).ReadAll()
		if err != nil || len(rows) < 5 {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
		for _, column := range rows[0] {
			if strings.Contains(column, "serial") && column != "near_zero_serial" || column == "psn_hex" {
				t.Errorf("%s has a column %q", name, column)
			}
		}
	}
}

func TestDataAreSound(t *testing.T) {
	t.Parallel()
	if err := catalogue.Check(data.FS); err != nil {
		t.Error(err)
	}
}

func TestCheckNamesFileAndLine(t *testing.T) {
	t.Parallel()
	good := fstest.MapFS{}
	err := fs.WalkDir(data.FS, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(data.FS, path)
		good[path] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, file, old, new, want string }{
		{"a currency in words", "prices.csv", ",USD,", ",dollar,", `prices.csv:2: the currency "dollar" of `},
		{"a price of an unknown module", "prices.csv", "\neaget-128gb-microsd,", "\neaget-129gb-microsd,",
			`prices.csv:3: unknown module "eaget-129gb-microsd": write the slug of`},
		{"a price of an unknown source", "prices.csv", "joyousjohn_sdbench", "joyousjohn",
			`prices.csv:2: unknown source "joyousjohn": add it to sources.csv`},
		{"a price of nothing", "prices.csv", ",2.59,USD,", ",,,",
			"prices.csv:2: no-brand-memory-card-mask-256gb-microsd needs"},
		{"an unknown verdict", "capacity_checks.csv", ",fake,", ",fraud,",
			`capacity_checks.csv:2: the verdict "fraud" of no-brand-memory-card-mask-256gb-microsd is not one of ["full `},
		{"a check of unknown means", "capacity_checks.csv", "H2testw after FakeFlashTest", "",
			"capacity_checks.csv:2: how no-brand-memory-card-mask-256gb-microsd was checked is missing"},
		{"a survey that can't be", "endurance_survey.csv", ",1502,0,20876,", ",1502,0,1000,",
			"endurance_survey.csv:2: n must be at least 1"},
		{"a unit twice", "endurance_cards.csv", "microsd,2,", "microsd,1,",
			`endurance_cards.csv:2: unit "1" of bekit-microsd-8gb-microsd is there twice`},
		{"a unit that died before its first error", "endurance_cards.csv", ",1572,1582,", ",1582,1572,",
			`endurance_cards.csv:2: unit "1" of bekit-microsd-8gb-microsd is dead: its first error came before`},
		{"a unit that died and is watched", "endurance_cards.csv", ",1572,1582,,", ",1572,1582,2000,",
			`endurance_cards.csv:2: unit "1" of bekit-microsd-8gb-microsd is dead`},
		{"an error that nobody saw", "endurance_cards.csv", ",1415,,11614,", ",1415,,1000,",
			`unit "3" of samsung-evo-plus-32gb-microsd had its first error after`},
		{"a correction of an unknown source", "corrections.csv", "\nricsanfre_pi_storage,", "\nricsanfre,",
			`corrections.csv:2: unknown source "ricsanfre"`},
		{"a form with a typo", "published/joyousjohn_sdbench.csv", ",microsd,", ",mikrosd,",
			`published/joyousjohn_sdbench.csv:2: form_factor "mikrosd" is not one of sd, microsd, sdexpress, cf, usb, emmc, ` +
				`other, hdd; leave it empty if the source doesn't say`},
		{"a field too few", "prices.csv", "module,", "module,more,",
			"prices.csv:2: this row has 8 fields, and the head has 9: is a comma missing"},
		{"duplicate alias", "modules/nasya.json", `"aliases": ["C10"]`,
			`"aliases": ["C10"], "known_from": "published"}, {"slug": "nasya-other", "product": "Other", ` +
				`"capacity_gb": 16, "form": "microsd", "aliases": ["c10", "Class 10"]`,
			`modules/nasya.json:10: "c10" of nasya-other already means nasya-class-10-16gb-microsd (modules/nasya.json:4)`},
		{"duplicate slug", "modules/ov.json", `"ov-pro-gold-16gb-microsd"`, `"sony-class-10-16gb-microsd"`,
			`slug "sony-class-10-16gb-microsd" is already taken at modules/`},
		{"former name that is another module", "modules/ov.json", `"form":`,
			`"formerly": ["sony-class-10-16gb-microsd"], "form":`, `"sony-class-10-16gb-microsd" is a listed module`},
		{"former name given twice", "modules/ov.json", `"form":`, `"formerly": ["ov-gold", "ov-gold"], "form":`,
			`can't both have been "ov-gold"`},
		{"former name that is no slug", "modules/ov.json", `"form":`, `"formerly": ["OV Gold"], "form":`,
			"formerly must hold slugs"},
		{"unknown field", "modules/ov.json", `"form":`, `"shape":`,
			`modules/ov.json:11: no field is called "shape"; data/README.md lists the fields`},
		{"missing comma", "modules/ov.json", `"Pro Gold",`, `"Pro Gold"`, "a comma or a quotation mark may be missing"},
		{"module without a slug", "modules/ov.json", `"ov-pro-gold-16gb-microsd"`, `""`, `slug "" of "Pro Gold" must be`},
		{"source that is missing", "modules/ov.json", `"known_from": "published"`, `"known_from": "somebody"`,
			`is known from "somebody", which sources.csv does not list: add the source there first`},
		{"spelling of two vendors", "modules/ov.json", `"vendor": "OV",`, `"vendor": "OV", "vendor_aliases": ["RPi"],`,
			`vendor "RPi" is already a spelling of "OV"; a spelling means one vendor`},
		{"owner that is no vendor", "modules/sandisk.json", `"owner": "Western Digital"`, `"owner": "WD"`,
			`the owner "WD" is no vendor in modules/`},
		{"part number twice", "part_numbers.csv", "SDCS/*GB", "SDCS2/*GB", `the prefix "SDCS2/*GB" is already in line`},
		{"part number without capacity", "part_numbers.csv", "SDCS/*GB", "SDCS/", `the prefix "SDCS/" needs one *`},
		{"part number of nobody", "part_numbers.csv", "SDCS/*GB,Kingston", "SDCS/*GB,", `the vendor "" is spelled`},
		{"part number of a vendor spelled otherwise", "part_numbers.csv", "SDCS/*GB,Kingston", "SDCS/*GB,kingston",
			`the vendor "kingston" is spelled "Kingston" in modules/`},
		{"part number of no product", "part_numbers.csv", "Kingston,Canvas Select,", "Kingston,32 GB,",
			`the product "32 GB" must be a name, without a capacity`},
		{"part number of no form", "part_numbers.csv", "Kingston,Canvas Select,,microsd", "Kingston,Canvas Select,,micro",
			`the form "micro" is not one of sd, microsd`},
		{"part number of a strange revision", "part_numbers.csv", "EVO Plus,2020", "EVO Plus,new",
			`the revision "new" is no year`},
		{"part number without a source", "part_numbers.csv", "Canvas Select,,microsd,", "Canvas Select,,microsd,,",
			`part_numbers.csv:57: this row has 8 fields, and the head has 7`},
		{"part number with another's example", "part_numbers.csv", ",SDCS/32GB\n", ",SDCG2/32GB\n",
			`the example "SDCG2/32GB" is not read by its own prefix "SDCS/*GB"`},
		{"one form of no line", "one_form_lines.csv", "MAX Endurance", "MIN Endurance", "no module of the line SanDisk MIN"},
		{"one form, listed in another", "one_form_lines.csv", "533X Plus,cf", "533X Plus,sd", "is listed in another form"},
		{"one form without a source", "one_form_lines.csv", `,"https://komar.org/faq/camera/photofast-533x-plus/"`, ",",
			"who says that PhotoFast 533X Plus is sold as cf alone"},
		{"rate of no module", "printed_rates.csv", "sandisk-extreme-pro-8gb-microsd,", "sandisk-extreme-pro-9gb-microsd,",
			`no module "sandisk-extreme-pro-9gb-microsd" is listed`},
		{"rate of nothing", "printed_rates.csv", "pro-8gb-microsd,95,", "pro-8gb-microsd,0,", `read_mb_per_s "0" is no rate`},
		{"unknown form", "modules/ov.json", `"microsd"`, `"minisd"`,
			`modules/ov.json:4: ov-pro-gold-16gb-microsd: form "minisd"`},
		{"unsafe slug", "modules/ov.json", `"ov-pro-gold-16gb-microsd"`, `"../ov"`, `modules/ov.json:4: slug "../ov"`},
		{"unmarketed capacity", "modules/ov.json", `"capacity_gb": 16`, `"capacity_gb": 14.9`, "14.9 is no marketed size"},
		{"not JSON", "modules/ov.json", `"product"`, `product`, "modules/ov.json:"},
		{"module nobody published", "modules/ov.json", `"Pro Gold"`, `"Pro Silver"`,
			`published/lechnology_ev3_2017.csv:10: no module for "OV" "Pro Gold"`},
		{"bad number", "published/luthra_bbb_2015.csv", "19.2", "19,2x", "published/luthra_bbb_2015.csv"},
		{"bad value", "published/luthra_bbb_2015.csv", "19.2", "fast", `published/luthra_bbb_2015.csv:2: value "fast"`},
		{"negative value", "published/luthra_bbb_2015.csv", "19.2", "-19.2",
			`published/luthra_bbb_2015.csv:2: value "-19.2"`},
		{"bad unit", "published/luthra_bbb_2015.csv", "19.2,MB/s", "19.2,Mbit/s",
			`published/luthra_bbb_2015.csv:2: unit "Mbit/s"`},
		{"unknown tool", "published/luthra_bbb_2015.csv", "hdparm -t", "hdparm -T",
			`published/luthra_bbb_2015.csv:2: no method for the tool "hdparm -T"`},
		{"unknown source", "sources.csv", "luthra_bbb_2015", "luthra", `unknown source "luthra_bbb_2015"`},
		{"bad quality", "sources.csv", ",B\n", ",D\n", `quality "D" is not A, B or C`},
		{"unknown method", "tool_methods.csv", ",hdparm,", ",hdpram,", `unknown method "hdpram"`},
		{"published by a method for uploads", "tool_methods.csv", ",hdparm,", ",altechnative-2012,",
			`the method "altechnative-2012" is for uploads`},
		{"published by what is only expected", "tool_methods.csv", ",hdparm,", ",expected,",
			`nobody measures by the method "expected"`},
		{"bad command queue", "tool_methods.csv", ",32,on,", ",32,ON,", `command_queue "ON" is not on or off`},
		{"host that nobody names", "published_hosts.csv", ",Raspberry Pi B+,", ",Raspberry Pi B-,",
			`published_hosts.csv:4: no published figure is of the host "Raspberry Pi B-"`},
		{"bad interface", "published_hosts.csv", ",Raspberry Pi B+,card,", ",Raspberry Pi B+,slot,", `interface "slot"`},
		{"rate that nobody vouches for", "published_hosts.csv", ",19,the same slot", ",19,", "carries 19 MB/s?"},
		{"serial number", "card_registers.csv", "ad4c535553443030200000000", "ad4c535553443030200000001",
			"card_registers.csv:2: cid"},
		{"unknown module", "card_registers.csv", "pny-16gb-microsd", "pny-17gb-microsd", `unknown module "pny-17gb-microsd"`},
		{"missing column", "tool_methods.csv", "queue_depth", "depth", `tool_methods.csv:1: no column "queue_depth"`},
		{"unknown source of a device", "reference_devices.json", "altechnative_2012", "altechnative",
			`unknown source "altechnative"`},
		{"rated by nobody", "modules/transcend.json", `"rated": [{"source": "transcend_cf220i"`,
			`"rated": [{"source": "hearsay"`, `transcend-cf220i-1gb-cf is rated by "hearsay", which sources.csv does not list`},
		{"rated in what is not measured", "modules/swissbit.json", `{"rand_write_iops": 1400}`, `{"endurance_tb": 1400}`,
			"is rated with endurance_tb 1400"},
		{"rated with nothing", "modules/swissbit.json", `{"rand_write_iops": 1400}`, `{}`, "with no figure"},
		{"the form of a stack", "modules/ov.json", `"microsd"`, `"stack"`, `form "stack" is not one of`},
		{"the slug of a stack", "modules/ov.json", `"ov-pro-gold-16gb-microsd"`, `"stack-raid0-2-ov"`,
			"the slug belongs to a stack"},
		{"formerly a stack", "modules/ov.json", `"form":`, `"formerly": ["stack-raid0-2-ov"], "form":`,
			"formerly must hold slugs of modules"},
		{"class listed twice", "speed_classes.csv", "UHS Speed Class,U3,", "UHS Speed Class,U1,",
			`speed_classes.csv:7: the class "U1" is empty or listed twice`},
		{"class without a promise", "speed_classes.csv", "U3,30,", "U3,,", "speed_classes.csv:7: U3 promises nothing"},
		{"class with a bad promise", "speed_classes.csv", "U3,30,", "U3,30x,", `speed_classes.csv:7: min_seq_mb_per_s "30x"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			fsys := maps.Clone(good)
			text := string(good[tc.file].Data)
			if !strings.Contains(text, tc.old) {
				t.Fatalf("%s does not hold %q", tc.file, tc.old)
			}
			fsys[tc.file] = &fstest.MapFile{Data: []byte(strings.Replace(text, tc.old, tc.new, 1))}
			err := catalogue.Check(fsys)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want %q in it", err, tc.want)
			}
		})
	}
}
