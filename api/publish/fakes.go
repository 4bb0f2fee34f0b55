package publish

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/result"
	"flashdex/result/sign"
)

// fakesPage is the data of site/layouts/fakes.html: how often each print is faked.
type fakesPage struct {
	Checked, Fake        string // units whose capacity was checked, and units that held less
	By, FakeBy, Interval string // contributors who checked, and whose unit held less, each once per print
	Tables               study
	Suspicious, Known    []registerPicture // of units that showed a sign, and of cards with a known label
}

// registerPicture is a card's identification register, to be drawn field by field.
type registerPicture struct {
	Label, Path string // of the units' module
	Text        string // the register as one line
	Evidence    string // what its signs say
	Fields      []registerField
}

type registerField struct {
	Name, Value string
	X, Width    int  // in the units of the drawing
	Odd         bool // it shows a sign
}

// tallied counts the units of one print, and who looked at them. A sender can make up any number of unit tags, so
// shares count contributors: each has one vote per print.
type tallied struct {
	name, path string
	units, odd int
	by, oddBy  int // contributors, and contributors with an odd unit
	printedGB  float64
}

func (t tallied) cells() []string {
	return []string{t.name, result.Count(t.units), result.Count(t.odd), result.Count(t.by), result.Count(t.oddBy),
		t.interval()}
}

// interval is the confidence interval of the share of contributors with an odd unit.
func (t tallied) interval() string {
	low, high := result.Proportion(t.oddBy, t.by)
	return fmt.Sprintf("%.0f to %.0f %%", 100*low, 100*high)
}

// add adds the units of another print or of another source.
func (t *tallied) add(of tallied) {
	t.units, t.odd, t.by, t.oddBy = t.units+of.units, t.odd+of.odd, t.by+of.by, t.oddBy+of.oddBy
}

// fakes sums up all checks of units' capacities, published by sources or uploaded by contributors.
func (s *site) fakes() fakesPage {
	prints := map[string]*tallied{} // by slug
	add := func(slug string, of tallied) {
		m, ok := s.catalogue.Module(slug)
		if listed, known := s.modules[slug]; known {
			m, ok = listed, true
		}
		if !ok || of.units == 0 {
			return
		}
		if prints[slug] == nil {
			prints[slug] = &tallied{name: m.Name(), path: s.pageOf(slug), printedGB: m.CapacityGB}
		}
		prints[slug].add(of)
	}
	type voice struct{ slug, source string }
	published := map[voice]tallied{}
	for _, check := range s.catalogue.CapacityChecks {
		of := published[voice{check.ModuleSlug, check.Source}]
		of.units, of.by = of.units+1, 1
		if check.Verdict == catalogue.CapacityFake {
			of.odd, of.oddBy = of.odd+1, 1
		}
		published[voice{check.ModuleSlug, check.Source}] = of
	}
	for of, checked := range published {
		add(of.slug, checked)
	}
	// The same unit may be in the summaries of several methods, and its contributor in each. So the highest count of
	// all summaries is taken.
	uploaded := map[string]tallied{}
	for of, summaries := range s.summaries {
		for _, sum := range summaries {
			if sum.Whole() {
				checked := looked(sum, figure.EvidenceCapacityChecked, figure.EvidenceCapacity)
				uploaded[of.slug] = uploaded[of.slug].orMore(checked)
			}
		}
	}
	for slug, checked := range uploaded {
		add(slug, checked)
	}
	shown := fakesPage{}
	whole, brands, sizes := tallied{}, map[string]*tallied{}, map[string]*tallied{}
	var faked []*tallied
	for slug, print := range prints {
		whole.add(*print)
		vendor := "Without a brand"
		if m, ok := s.catalogue.Module(slug); ok && m.Vendor != "" {
			vendor = m.Vendor
		}
		tally(brands, vendor, print)
		size := result.Number(print.printedGB) + "\u00a0GB"
		tally(sizes, size, print)
		if print.odd > 0 {
			faked = append(faked, print)
		}
	}
	shown.Checked, shown.Fake = result.Count(whole.units), result.Count(whole.odd)
	shown.By, shown.FakeBy, shown.Interval = result.Count(whole.by), result.Count(whole.oddBy), whole.interval()
	shown.add("prints", "Faked prints", "Each print of which a unit held less than is printed on it. A contributor "+
		"counts once for each print, and so does a source.", "Print", faked,
		byOdd)
	shown.add("brands", "By brand", "The brand that is printed on them. Who printed it is another question.",
		"Brand", listOf(brands), byOdd)
	shown.add("capacities", "By printed capacity", "", "Printed", listOf(sizes), func(a, b *tallied) int {
		return cmp.Compare(a.printedGB, b.printedGB)
	})
	registers := s.registerSigns()
	shown.add("registers", "Registers with a sign", "Of the units whose registers were read: how many have a wrong "+
		"checksum, an impossible date of manufacture or a serial number near zero. Genuine cards of small makers show "+
		"these signs, too.", "Print", registers, byOdd)
	shown.Suspicious, shown.Known = s.suspiciousRegisters(), s.knownRegisters()
	return shown
}

func tally(of map[string]*tallied, name string, print *tallied) {
	if of[name] == nil {
		of[name] = &tallied{name: name, printedGB: print.printedGB}
	}
	of[name].add(*print)
}

// looked counts the units of a summary that somebody looked at, and how many of them showed one of these signs. A unit
// may show several signs, so it takes the count of the most frequent sign.
func looked(sum *figure.Summary, at string, signs ...string) (t tallied) {
	for _, key := range signs {
		t.odd, t.oddBy = max(t.odd, sum.Shown[key]), max(t.oddBy, sum.ShownBy[key])
	}
	t.units, t.by = max(sum.Shown[at], t.odd), max(sum.ShownBy[at], t.oddBy)
	return t
}

// orMore takes the greater of each count.
func (t tallied) orMore(of tallied) tallied {
	t.units, t.odd = max(t.units, of.units), max(t.odd, of.odd)
	t.by, t.oddBy = max(t.by, of.by), max(t.oddBy, of.oddBy)
	return t
}

func listOf(of map[string]*tallied) (all []*tallied) {
	for _, t := range of {
		all = append(all, t)
	}
	return all
}

// byOdd sorts what was odd most often first.
func byOdd(a, b *tallied) int {
	return cmp.Or(cmp.Compare(b.odd, a.odd), cmp.Compare(b.units, a.units))
}

func (p *fakesPage) add(id, title, note, head string, of []*tallied, order func(a, b *tallied) int) {
	if len(of) == 0 {
		return
	}
	slices.SortFunc(of, func(a, b *tallied) int { return cmp.Or(order(a, b), strings.Compare(a.name, b.name)) })
	var rows [][]string
	var links []string
	for _, t := range of {
		rows, links = append(rows, t.cells()), append(links, t.path)
	}
	p.Tables.add(id, title, note, []string{head, "Looked at", "With a sign", "By contributors",
		"Who found one", "Their share, interval of 95 %"}, rows, links)
}

// registerKeys are the signs that registers alone show.
var registerKeys = []string{sign.CRCWrong, sign.DateImpossible, sign.SerialNearZero}

// registerSigns counts the units of each module whose registers show a sign.
func (s *site) registerSigns() (all []*tallied) {
	for of, summaries := range s.summaries {
		for _, sum := range summaries {
			t := looked(sum, figure.EvidenceIdentified, registerKeys...)
			if sum.Whole() && t.odd > 0 && of.method == result.MethodFlashdex1 {
				t.name, t.path = s.moduleName(of.slug), s.pageOf(of.slug)
				all = append(all, &t)
			}
		}
	}
	return all
}

// maxPictures limits the pictures of registers with a sign, because somebody may upload very many.
const maxPictures = 24

// suspiciousRegisters returns the registers of variants with a unit that showed a sign.
func (s *site) suspiciousRegisters() (all []registerPicture) {
	for of, summaries := range s.summaries {
		for _, sum := range summaries {
			v := figure.VariantOf(sum.Variant)
			if sum.Variant == "" || sum.HostClass != "" || of.method != result.MethodFlashdex1 ||
				looked(sum, figure.EvidenceIdentified, registerKeys...).odd == 0 ||
				v.Bus != "sd" && v.Bus != "mmc" {
				continue
			}
			card := result.Register{Manfid: v.Manfid, OEMID: v.OEMID, Name: v.Name, HWRev: v.Revision,
				CRCWrong: sum.Shown[sign.CRCWrong] > 0, SerialNearZero: sum.Shown[sign.SerialNearZero] > 0}
			unit := result.Identity{SD: &card}
			if v.Bus == "mmc" {
				unit = result.Identity{MMC: &card}
			}
			m, _ := s.catalogue.Module(of.slug)
			p := pictureOf(card, append(s.catalogue.Signs(m.Vendor, unit), impossibleDate(sum)...))
			p.Label, p.Path = s.moduleName(of.slug), s.pageOf(of.slug)
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b registerPicture) int {
		return cmp.Or(strings.Compare(a.Label, b.Label), strings.Compare(a.Text, b.Text))
	})
	return all[:min(len(all), maxPictures)]
}

// impossibleDate returns the sign for an impossible date if a unit showed it. The date itself isn't known here.
func impossibleDate(sum *figure.Summary) []sign.Sign {
	if sum.Shown[sign.DateImpossible] <= 0 {
		return nil
	}
	date := sign.Of(sign.DateImpossible)
	date.What = "Its registers give a date of manufacture that can't be."
	return []sign.Sign{date}
}

// knownRegisters returns the registers of cards whose label is known and that are genuine as far as anybody knows.
func (s *site) knownRegisters() (all []registerPicture) {
	for _, known := range s.catalogue.CardRegisters {
		m, _ := s.catalogue.Module(known.ModuleSlug)
		unit := result.Identity{SD: &known.Card, SizeBytes: known.CapacityBytes}
		p := pictureOf(known.Card, s.catalogue.Signs(m.Vendor, unit))
		p.Label, p.Path = known.Label, s.pageOf(known.ModuleSlug)
		all = append(all, p)
	}
	return all
}

// pictureOf lays out a register with its signs. It hides the serial number, showing only that there is one.
func pictureOf(card result.Register, signs []sign.Sign) (p registerPicture) {
	shows := func(keys ...string) bool {
		return slices.ContainsFunc(signs, func(s sign.Sign) bool { return slices.Contains(keys, s.Key) })
	}
	ids := shows(sign.OtherMaker, sign.SuspectedIDs)
	const gap = 4
	x := 0
	for _, f := range []registerField{
		{Name: "Manufacturer", Value: card.Manfid, Width: 104, Odd: ids},
		{Name: "OEM", Value: card.OEMID, Width: 80, Odd: ids},
		{Name: "Name", Value: card.Name, Width: 104},
		{Name: "Revision", Value: card.HWRev, Width: 184},
		{Name: "Serial number", Value: "not shown", Width: 112, Odd: shows(sign.SerialNearZero)},
		{Name: "Made", Value: card.Date, Width: 84, Odd: shows(sign.DateImpossible)},
		{Name: "Checksum", Value: map[bool]string{true: "wrong", false: ""}[card.CRCWrong], Width: 84,
			Odd: shows(sign.CRCWrong)},
	} {
		f.X = x
		x += f.Width + gap
		if f.Value == "" {
			f.Value = "–"
		}
		p.Fields = append(p.Fields, f)
		p.Text += f.Name + " " + f.Value + "; "
	}
	p.Text = strings.TrimSuffix(p.Text, "; ")
	p.Evidence = sign.Sentence(signs, true)
	return p
}
