package publish

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/result"
	"flashdex/result/sign"
)

// fakesPage is the data of site/layouts/fakes.html: how often each print is faked.
type fakesPage struct {
	Checked, Fake     string // units whose capacity was checked, and those that surely hold less
	Tables            study
	Suspicious, Known []registerPicture // of variants of which a unit showed a sign, and of cards with a known label
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
	vendor     string
	units, odd int
	by, oddBy  int // contributors and sources, and those of whom a unit is odd
	printedGB  float64
}

// interval is that of the share of contributors.
func (t *tallied) interval() string {
	low, high := result.Proportion(t.oddBy, t.by)
	return fmt.Sprintf("%.0f to %.0f %%", 100*low, 100*high)
}

// add adds the units and voices of others who looked at the same print.
func (t *tallied) add(of tallied) {
	t.units, t.odd, t.by, t.oddBy = t.units+of.units, t.odd+of.odd, t.by+of.by, t.oddBy+of.oddBy
}

// fakes sums up all checks of units' capacities, published by sources or uploaded by contributors.
func (s *site) fakes() fakesPage {
	var faked []*tallied
	whole, brands, sizes := tallied{}, map[string]*tallied{}, map[string]*tallied{}
	for _, print := range s.checkedPrints() {
		whole.units, whole.odd = whole.units+print.units, whole.odd+print.odd
		tally(brands, cmp.Or(print.vendor, "Without a brand"), print)
		tally(sizes, result.Number(print.printedGB)+"\u00a0GB", print)
		if print.odd > 0 {
			faked = append(faked, print)
		}
	}
	shown := fakesPage{Checked: result.Count(whole.units), Fake: result.Count(whole.odd)}
	shown.addVoices("prints", "Faked prints", "Each print of which a unit held at least a twentieth less than it claims. "+
		"A contributor counts once for each print, and so does a source.", faked)
	shown.addUnits("brands", "By brand", "The brand that is printed on them. Who printed it is another question.",
		"Brand", brands, byOdd)
	shown.addUnits("capacities", "By printed capacity", "", "Printed", sizes, func(a, b *tallied) int {
		return cmp.Compare(a.printedGB, b.printedGB)
	})
	shown.addVoices("registers", "Registers with a sign", "Of the units whose registers were read: how many have a wrong "+
		"checksum, an impossible date of manufacture or a serial number near zero. Genuine cards of small makers show "+
		"these signs, too.", s.registerSigns())
	shown.Suspicious, shown.Known = s.suspiciousRegisters(), s.knownRegisters()
	return shown
}

// checkedPrints counts the units of each print whose capacity was checked, by slug. Odd is what surely holds less.
func (s *site) checkedPrints() map[string]*tallied {
	prints := map[string]*tallied{}
	add := func(slug string, of tallied) {
		m, ok := s.moduleOf(slug)
		if !ok || of.units == 0 {
			return
		}
		if prints[slug] == nil {
			prints[slug] = &tallied{name: m.Name(), path: s.pageOf(slug), vendor: m.Vendor, printedGB: m.CapacityGB}
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
	for slug, c := range s.snapshot.Checks {
		add(slug, tallied{units: c.Units, odd: c.Lacking, by: c.Contributors, oddBy: c.FoundBy})
	}
	return prints
}

// tally adds the units of a print, and not its voices: nobody can tell whether who looked at one print looked at another
// one, too.
func tally(of map[string]*tallied, name string, print *tallied) {
	if of[name] == nil {
		of[name] = &tallied{name: name, printedGB: print.printedGB}
	}
	of[name].units, of[name].odd = of[name].units+print.units, of[name].odd+print.odd
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

// byOdd puts what was odd most often first.
func byOdd(a, b *tallied) int {
	return cmp.Or(cmp.Compare(b.odd, a.odd), cmp.Compare(b.units, a.units))
}

// addVoices adds a table of single prints, each with the share of who looked at it.
func (p *fakesPage) addVoices(id, title, note string, of []*tallied) {
	head := []string{"Print", "Looked at", "With a sign", "Contributors and sources", "Who found one",
		"Their share, interval of 95 %"}
	p.add(id, title, note, head, of, byOdd, func(t *tallied) []string {
		return []string{result.Count(t.by), result.Count(t.oddBy), t.interval()}
	})
}

// addUnits adds a table of sums of prints.
func (p *fakesPage) addUnits(id, title, note, head string, of map[string]*tallied, order func(a, b *tallied) int) {
	p.add(id, title, note, []string{head, "Looked at", "With a sign"}, slices.Collect(maps.Values(of)), order,
		func(*tallied) []string { return nil })
}

func (p *fakesPage) add(
	id, title, note string, head []string, of []*tallied, order func(a, b *tallied) int, more func(*tallied) []string,
) {
	if len(of) == 0 {
		return
	}
	slices.SortFunc(of, func(a, b *tallied) int { return cmp.Or(order(a, b), strings.Compare(a.name, b.name)) })
	var rows [][]string
	var links []string
	for _, t := range of {
		rows = append(rows, append([]string{t.name, result.Count(t.units), result.Count(t.odd)}, more(t)...))
		links = append(links, t.path)
	}
	p.Tables.add(id, title, note, head, rows, links)
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
			key := cmp.Or(sum.Variant, sum.OnlyVariant) // of a single variant there is no summary of its own
			v := figure.VariantOf(key)
			if key == "" || sum.HostClass != "" || of.method != result.MethodFlashdex1 ||
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
			m, _ := s.moduleOf(of.slug)
			signs := append(s.catalogue.Signs(m.Vendor, unit), impossibleDate(sum)...)
			p := pictureOf(card, signs)
			p.Label, p.Path, p.Evidence = m.Name(), s.pageOf(of.slug), shownByUnits(sum, signs)
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b registerPicture) int {
		return cmp.Or(strings.Compare(a.Label, b.Label), strings.Compare(a.Text, b.Text))
	})
	return all[:min(len(all), maxPictures)]
}

// shownByUnits says how many units of a variant showed each of the signs. No unit needs to have shown two of them.
func shownByUnits(sum *figure.Summary, signs []sign.Sign) string {
	read := looked(sum, figure.EvidenceIdentified, registerKeys...).units
	var what []string
	for _, s := range signs {
		seen := read // what the ids say is true of every unit that carries them
		if slices.Contains(registerKeys, s.Key) {
			seen = sum.Shown[s.Key]
		}
		what = append(what, fmt.Sprintf("%s (%s of %s)", strings.ToLower(s.Name[:1])+s.Name[1:], result.Count(seen),
			result.Count(read)))
	}
	return "Units of this variant showed: " + strings.Join(what, ", ") + ". Genuine modules may show this, too."
}

// impossibleDate returns the sign of a date that can't be if a unit showed it. Its date isn't known here.
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
