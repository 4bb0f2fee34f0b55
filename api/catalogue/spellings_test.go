package catalogue_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/result"
	"flashdex/result/sign"
)

// Each row of testdata/spellings.csv is a name that somebody wrote, its source, and the module that it means: a slug;
// "none" if the catalogue has no such module; or "ambiguous" if it may mean several modules or generations, or is too
// vague for a guess. meant decides what rows without a generation mean. For "none" and "ambiguous", only a provisional
// or an ambiguous module is right. The test fails if Resolve takes one product for another. A provisional or ambiguous
// module instead of a listed one is no failure, but the share of names that Resolve finds must not fall.
func TestSpellings(t *testing.T) {
	t.Parallel()
	resolveNames(t, readTable(t, "spellings.csv"), 400).check(t, "names (`spellings.csv`)", 0.94)
}

// testdata/collected_spellings.csv has names from public threads, in two halves that a hash drew. After the column with
// the half, rows are as in TestSpellings. Both halves were used to make rules. docs/identity.md says when "aside" was
// counted unseen.
func TestCollectedSpellings(t *testing.T) {
	t.Parallel()
	resolveNames(t, half(t, "collected_spellings.csv", "tuning"), 300).
		check(t, "names, half \"tuning\" (`collected_spellings.csv`)", 0.88)
	resolveNames(t, half(t, "collected_spellings.csv", "aside"), 325).check(t, "names, half \"aside\"", 0.84)
}

// testdata/collected_registers.csv has registers of cards and chips with their owner's label, from public threads, in
// two halves like the names. The test types the label, with the stated capacity and form. If the registers contradict a
// label, or it has no listed product, the result must not be a listed module.
func TestCollectedRegisters(t *testing.T) {
	t.Parallel()
	resolveDumps(t, half(t, "collected_registers.csv", "tuning"), 75).
		check(t, "registers with labels, half \"tuning\" (`collected_registers.csv`)", 1)
	resolveDumps(t, half(t, "collected_registers.csv", "aside"), 75).check(t, "registers with labels, half \"aside\"", 1)
}

// testdata/public_registers.csv has such registers from other public pages, without serial numbers. Two people labelled
// each row independently. The rows were counted once before they were used to make rules.
func TestPublicRegisters(t *testing.T) {
	t.Parallel()
	o := resolveDumps(t, half(t, "public_registers.csv", "all"), 92)
	o.check(t, "registers with labels of other pages (`public_registers.csv`)", 0.8)
	o.leadThere(t)
}

// testdata/thread_registers.csv has registers of cards from forums, mailing lists, issues and a survey ("cards"). It
// also has registers of chips for which a tool's table lists the part number beside the name in the CID ("chips"). One
// person labelled each row twice. The rows were counted once before they were used to make rules.
func TestThreadRegisters(t *testing.T) {
	t.Parallel()
	o := resolveDumps(t, half(t, "thread_registers.csv", "cards"), 44)
	o.check(t, "registers of owners in threads (`thread_registers.csv`)", 0.85)
	o.leadThere(t)
	resolveDumps(t, half(t, "thread_registers.csv", "chips"), 43).check(t, "registers of chips in tables of tools", 0.5)
}

// testdata/november_spellings.csv has names in some 20 languages, in the columns of collected_spellings.csv. A person
// who didn't know the rules collected and labelled them. They were counted once, and then used to make rules.
func TestNovemberSpellings(t *testing.T) {
	t.Parallel()
	resolveNames(t, half(t, "november_spellings.csv", "november"), 440).
		check(t, "names in some 20 languages (`november_spellings.csv`)", 0.95)
}

// testdata/unseen_spellings.csv has names in halves that a hash drew. The half "tuning" is used to make rules.
func TestUnseenSpellings(t *testing.T) {
	t.Parallel()
	resolveNames(t, half(t, "unseen_spellings.csv", "tuning"), 370).
		check(t, "titles of shops, half \"tuning\" (`unseen_spellings.csv`)", 0.84)
}

// The half "aside" has names that nobody looked at while the rules were made, most of them titles of shops. The test
// reports no row of them, so that nobody makes rules from them. Without a question, fewer than 85 % of such titles are
// found (docs/identity.md).
func TestNamesThatNoRuleWasMadeBy(t *testing.T) {
	t.Parallel()
	o := resolveNames(t, half(t, "unseen_spellings.csv", "aside"), 370)
	t.Log(o)
	if taken := o.right + len(o.wrong); 200*len(o.wrong) > taken {
		t.Errorf("%d of %d names are taken for another listed module, want at most 1 in 200", len(o.wrong), taken)
	}
	if n := len(o.otherBrand); n > 1 { // it was one when this was first counted, and nobody looked which
		t.Errorf("%d names say one listed brand, and are taken for a module of another", n)
	}
	if got := float64(o.right) / float64(o.named); got < 0.69 {
		t.Errorf("%.3f are found, want at least 0.69", got)
	}
	if got := float64(o.right+o.asked) / float64(o.named); got < 0.84 {
		t.Errorf("%.3f are found or asked about, want at least 0.84", got)
	}
}

// testdata/thread_spellings.csv has names from public threads and READMEs, in two halves that a hash drew. Two people
// labelled each row independently, and a third decided where they disagreed. None of them knew the rules. Both halves
// are used to make rules. docs/identity.md says when they were counted unseen.
func TestThreadSpellings(t *testing.T) {
	t.Parallel()
	for part, row := range map[string]string{
		"tuning": "names of threads, half \"tuning\" (`thread_spellings.csv`)",
		"aside":  "names of threads, half \"aside\"",
	} {
		o := resolveNames(t, half(t, "thread_spellings.csv", part), 660)
		o.check(t, row, 0.65)
		if got := float64(o.right+o.asked) / float64(o.named); got < 0.9 {
			t.Errorf("%s: %.3f are found or asked about, want at least 0.9", part, got)
		}
	}
}

// testdata/owners_spellings.csv has names that people wrote for their own modules, and listed_spellings.csv names of
// lines that the catalogue lists. card_list_spellings.csv has such names in lists of cards, and public_spellings.csv
// names in public posts, lists of parts and code. They were collected and labelled like the names in threads, and
// counted once before they were used to make rules.
func TestOwnersSpellings(t *testing.T) {
	t.Parallel()
	for _, of := range []struct {
		table, names string
		atLeast      int
	}{
		{"owners_spellings.csv", "names of their owners", 520},
		{"listed_spellings.csv", "names of listed lines", 460},
		{"card_list_spellings.csv", "names of listed lines in lists of cards", 100},
		{"public_spellings.csv", "names in public posts, lists of parts and code", 660},
	} {
		o := resolveNames(t, half(t, of.table, "all"), of.atLeast)
		o.check(t, of.names+" (`"+of.table+"`)", 0.5)
		o.leadThere(t)
	}
}

// outcome counts what Resolve returns for the rows of a table.
type outcome struct {
	rows, named, right int      // named: rows that mean a listed module; right: the ones of them that are found
	asked              int      // rows that aren't found, but whose contributor is asked about the right module
	decided            int      // rows that get one module, listed or not, without a question
	several, ownOf     int      // several: rows that may mean several modules; ownOf: decided, as modules of their own
	certain, settled   int      // certain: rows that mean one listed module or none; settled: put there unasked
	wrong, missed      []string // wrong: rows that get another listed module; missed: rows that are not found
	otherBrand         []string // rows that say one listed brand, and get a module of another
}

func (o outcome) String() string {
	return fmt.Sprintf("%d rows, %d decided, %d taken for a listed module, %d of these wrong; %d mean one, %d of these "+
		"found, %d asked; %d may mean several, %d of these are modules of their own; %d mean one or none, %d of these are "+
		"where they belong", o.rows, o.decided, o.right+len(o.wrong), len(o.wrong), o.named, o.right, o.asked, o.several,
		o.ownOf, o.certain, o.settled)
}

// check fails for every row that gets another module. It also fails if a smaller share than recall is found, or if the
// row with this name in the table of docs/identity.md has other counts.
func (o outcome) check(t *testing.T, name string, recall float64) {
	t.Helper()
	t.Log(o)
	t.Run("CountsOfTheDocument", func(t *testing.T) { // which make check-data leaves out: a new module may change them
		row := fmt.Sprintf("\n| %s | %d | %d | %d | %d | %d ", name, o.rows, o.right+len(o.wrong), len(o.wrong), o.named,
			o.right)
		if document, err := os.ReadFile("../../docs/identity.md"); err != nil || !strings.Contains(string(document), row) {
			t.Errorf("docs/identity.md has no such row: %s (%v)", strings.TrimSpace(row), err)
		}
	})
	for _, row := range o.missed {
		t.Logf("not found: %s", row)
	}
	for _, row := range o.wrong {
		t.Errorf("taken for another: %s", row)
	}
	for _, row := range o.otherBrand {
		t.Errorf("of another brand: %s", row)
	}
	if got := float64(o.right) / float64(o.named); got < recall {
		t.Errorf("recall %.3f, want at least %g", got, recall)
	}
}

// leadThere fails if fewer than 85 % of the rows that mean a listed module are found or asked about.
func (o outcome) leadThere(t *testing.T) {
	t.Helper()
	if got := float64(o.right+o.asked) / float64(o.named); got < 0.85 {
		t.Errorf("%.3f are found or asked about, want at least 0.85", got)
	}
}

// judge compares what Resolve returns for a text with its meaning.
func (o *outcome) judge(t *testing.T, c *catalogue.Catalogue, got catalogue.Module, expect, text, what string) {
	t.Helper()
	means := expect != "none" && expect != "ambiguous"
	if _, known := c.Module(expect); means && !known {
		t.Errorf("the catalogue has no module %q, which a row means", expect)
	}
	o.rows++
	if means {
		o.named++
	}
	what += " means " + expect + " and is resolved to " + got.Slug
	brands := brandsIn(c, text)
	if len(brands) == 1 && got.Vendor != brands[0] && !strings.Contains(text, unlistedBrand) {
		o.otherBrand = append(o.otherBrand, fmt.Sprintf("%s of %q, not %q", what, got.Vendor, brands[0]))
	}
	_, listed := c.Module(got.Slug)
	asks := len(got.Candidates) > 0 || got.Offered != ""
	if !asks {
		o.decided++
	}
	switch {
	case expect != "ambiguous":
		o.certain++
		if listed && got.Slug == expect || expect == "none" && !listed && !asks {
			o.settled++
		}
	default:
		o.several++
		if !listed && !asks {
			o.ownOf++
		}
	}
	switch {
	case listed && got.Slug == expect:
		o.right++
	case listed:
		o.wrong = append(o.wrong, what)
	case means:
		o.missed = append(o.missed, what)
		if slices.Contains(append(got.Candidates, got.Offered), expect) {
			o.asked++
		}
	}
}

// unlistedBrand is printed on two cards whose rows say in brackets that HP sold them.
const unlistedBrand = "SunDisk"

var reWord = regexp.MustCompile(`[\p{L}\p{N}]+`)

// brandsIn returns the vendors of listed modules whose name is in a text, word by word. It uses only the package's
// names, and none of its code.
func brandsIn(c *catalogue.Catalogue, text string) (brands []string) {
	wordwise := func(s string) string {
		return " " + strings.Join(reWord.FindAllString(strings.ToLower(s), -1), " ") + " "
	}
	for _, m := range c.Modules {
		if m.Vendor != "" && strings.Contains(wordwise(text), wordwise(m.Vendor)) && !slices.Contains(brands, m.Vendor) {
			brands = append(brands, m.Vendor)
		}
	}
	return brands
}

// resolveNames resolves rows of vendor, product, capacity in GB, form, source and the meant module.
func resolveNames(t *testing.T, rows [][]string, atLeast int) (o outcome) {
	t.Helper()
	c := load(t)
	for _, r := range rows {
		got := resolve(c, typed(r[0], r[1], gigabytes(t, r[2]), r[3]))
		text := r[0] + " " + r[1]
		o.judge(t, c, got, meant(t, c, r[5], text), text, fmt.Sprintf("%q %q, %s GB, form %q", r[0], r[1], r[2], r[3]))
	}
	if o.rows < atLeast {
		t.Errorf("%d rows, want at least %d", o.rows, atLeast)
	}
	return o
}

// resolveDumps resolves rows of label, manfid, oemid, name, hwrev, fwrev, date, cid, csd, capacity in GB, form, source
// and the meant module.
func resolveDumps(t *testing.T, rows [][]string, atLeast int) (o outcome) {
	t.Helper()
	c := load(t)
	for _, r := range rows {
		card := &result.Register{Manfid: r[1], OEMID: r[2], Name: r[3], HWRev: r[4], FWRev: r[5], Date: r[6], CID: r[7],
			CSD: r[8]}
		e := catalogue.Evidence{Module: result.Module{Product: r[0], Form: r[10], CapacityGB: gigabytes(t, r[9])},
			Identity: result.Identity{Bus: "sd"}}
		if r[10] == "mmc" || r[10] == "emmc" {
			e.Bus, e.Form, e.MMC = "mmc", "", card
		} else {
			e.SD = card
		}
		got, label := c.Resolve(e), r[0]
		otherMaker := func(s sign.Sign) bool { return s.Key == "other-maker" }
		if got.Vendor == "" && slices.ContainsFunc(c.SignsOf(e), otherMaker) {
			label = "" // a sign says that the registers contradict the brand, and no other brand is claimed
		}
		o.judge(t, c, got, r[12], label, fmt.Sprintf("%q on %s/%s %s", r[0], r[1], r[2], r[3]))
	}
	if o.rows < atLeast {
		t.Errorf("%d rows, want at least %d", o.rows, atLeast)
	}
	return o
}

func gigabytes(t *testing.T, text string) float64 {
	t.Helper()
	if text == "" {
		return 0
	}
	gb, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return gb
}

// half reads the rows of one half of a table, without the column that says which.
func half(t *testing.T, table, which string) (rows [][]string) {
	t.Helper()
	for _, r := range readTable(t, table) {
		if r[0] == which {
			rows = append(rows, r[1:])
		}
	}
	return rows
}

// readTable reads a table of testdata without its head.
func readTable(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}
