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

// fakesPage is the data of site/layouts/fakes.html: which prints are faked how often.
type fakesPage struct {
	Checked, Fake, Interval string // of all units whose capacity was checked
	Tables                  study
	Suspicious, Known       []registerPicture // of units that showed a sign, and of cards with a known label
}

// registerPicture is a card's identification register, to be drawn field by field.
type registerPicture struct {
	Label, Path string // of whose units
	Text        string // the register as one line
	Evidence    string // what its signs say
	Fields      []registerField
}

type registerField struct {
	Name, Value string
	X, Width    int  // in the units of the drawing
	Odd         bool // it shows a sign
}

// tallied counts units of one print.
type tallied struct {
	name, path string
	units, odd int
	printedGB  float64
}

// share shows how often: "14 %", and the interval.
func (t tallied) cells() []string {
	low, high := result.Proportion(t.odd, t.units)
	return []string{t.name, result.Count(t.units), result.Count(t.odd),
		fmt.Sprintf("%.0f to %.0f %%", 100*low, 100*high)}
}

// fakes sums up every check of a unit's capacity: those that sources published, and those that contributors uploaded.
func (s *site) fakes() fakesPage {
	prints := map[string]*tallied{} // by slug
	add := func(slug string, units, odd int) {
		m, ok := s.catalogue.Module(slug)
		if listed, known := s.modules[slug]; known {
			m, ok = listed, true
		}
		if !ok || units == 0 {
			return
		}
		if prints[slug] == nil {
			prints[slug] = &tallied{name: m.Name(), path: s.pageOf(slug), printedGB: m.CapacityGB}
		}
		prints[slug].units += units
		prints[slug].odd += odd
	}
	for _, check := range s.catalogue.CapacityChecks {
		odd := 0
		if check.Verdict == catalogue.CapacityFake {
			odd = 1
		}
		add(check.ModuleSlug, 1, odd)
	}
	for of, summaries := range s.summaries {
		for _, sum := range summaries {
			if sum.Whole() {
				less := sum.Shown[figure.EvidenceCapacity]
				add(of.slug, max(sum.Shown[figure.EvidenceCapacityChecked], less), less)
			}
		}
	}
	shown := fakesPage{}
	whole, brands, sizes := tallied{}, map[string]*tallied{}, map[string]*tallied{}
	var faked []*tallied
	for slug, print := range prints {
		whole.units, whole.odd = whole.units+print.units, whole.odd+print.odd
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
	low, high := result.Proportion(whole.odd, whole.units)
	shown.Checked, shown.Fake = result.Count(whole.units), result.Count(whole.odd)
	shown.Interval = fmt.Sprintf("%.0f to %.0f %%", 100*low, 100*high)
	shown.add("prints", "Faked prints", "Each print of which a unit held less than is printed on it.", "Print", faked,
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
	of[name].units += print.units
	of[name].odd += print.odd
}

func listOf(of map[string]*tallied) (all []*tallied) {
	for _, t := range of {
		all = append(all, t)
	}
	return all
}

// byOdd puts what was odd most often first.
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
	p.Tables.add(id, title, note, []string{head, "Looked at", "With a sign", "Share, interval of 95 %"}, rows, links)
}

// registerKeys are the signs that registers show by themselves.
var registerKeys = []string{sign.CRCWrong, sign.DateImpossible, sign.SerialNearZero}

// mostShown is how many units showed the sign that most of them showed. Units may show several.
func mostShown(sum *figure.Summary) (most int) {
	for _, key := range registerKeys {
		most = max(most, sum.Shown[key])
	}
	return most
}

// registerSigns counts the units of each module whose registers show a sign.
func (s *site) registerSigns() (all []*tallied) {
	for of, summaries := range s.summaries {
		for _, sum := range summaries {
			odd := mostShown(sum)
			if sum.Whole() && odd > 0 && of.method == result.MethodFlashdex1 {
				all = append(all, &tallied{name: s.moduleName(of.slug), path: s.pageOf(of.slug),
					units: max(sum.Identified, odd), odd: odd})
			}
		}
	}
	return all
}

// maxPictures limits the pictures of registers with a sign, because somebody may upload very many.
const maxPictures = 24

// suspiciousRegisters are the registers of variants of which a unit showed a sign.
func (s *site) suspiciousRegisters() (all []registerPicture) {
	for of, summaries := range s.summaries {
		for _, sum := range summaries {
			v := figure.VariantOf(sum.Variant)
			if sum.Variant == "" || sum.HostClass != "" || mostShown(sum) == 0 || of.method != result.MethodFlashdex1 ||
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

// impossibleDate returns the sign of a date that can't be if a unit showed it. Its date isn't known here.
func impossibleDate(sum *figure.Summary) []sign.Sign {
	if sum.Shown[sign.DateImpossible] <= 0 {
		return nil
	}
	date := sign.Of(sign.DateImpossible)
	date.What = "Its registers give a date of manufacture that can't be."
	return []sign.Sign{date}
}

// knownRegisters are those of cards whose label is known, and which are genuine as far as anybody knows.
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

// pictureOf lays out a register with its signs. Of the serial number it shows that there is one.
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
