package publish

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/model"
	"flashdex/api/figure/speedclass"
	"flashdex/api/page"
	"flashdex/api/ranking"
	"flashdex/api/submission"
	"flashdex/result"
	"flashdex/result/ageing"
	"flashdex/result/sign"
)

// maxVariants limits how many variants of a module its page shows. It shows the ones with the most units.
const maxVariants = 20

// measured is what the summaries of a module by one method say besides its figures.
type measured struct {
	Contributors  string
	HostClasses   []group
	Variants      []variant
	VariantsTotal string // number of variants; empty: the page shows all
	Verdicts      []page.Verdict
	Judged        bool // a figure was held against a printed class
	Signs         []page.Sign
	Identified    string // "3 of 5 units" said what they are; empty: none did
	Checked       string // "2 of 5 units" had their capacity checked; empty: none had
	Prices        []priceRow
	Months        []monthPrice // nil: there are fewer than two
	Divided       []string     // what falls into two groups, in sentences
	Unsteady      string       // that many results weren't steady and don't count; empty: few
	Ageing        string       // whether units get slower, see ageingWords; empty: not known
	AgeingPerTB   string       // the same per TB written
}

// group is what some units of a module show: the units in one class of hosts, or of one variant.
type group struct {
	Label, Path               string      // the path of the ranking of a class of hosts
	Cells                     []page.Cell // of figure.MainFigures
	Units, Contributors, Runs string      // that count
}

func groupOf(label string, sum *figure.Summary, figures figure.Set) group {
	of := group{
		Label: label, Cells: figureCells(figure.MainFigures, figures), Units: result.Count(sum.Units),
		Contributors: result.Count(sum.Contributors), Runs: result.Count(sum.Results),
	}
	if sum.HostClass != "" {
		of.Path = "/in/" + sum.HostClass + "/"
	}
	return of
}

// variant is a variant with what sources claim of its ids. If a module has one variant, its figures are the module's.
type variant struct {
	group
	AllUnits       string // "5 units" that showed it, even ones that don't count
	Text           string // the claims about makers in one sentence
	Makers, Others []catalogue.Claim
}

// unitVerdicts counts units, at most figure.MaxChartedUnits, by whether they reach a class.
type unitVerdicts struct{ Of, Reached, NotReached int }

func (u unitVerdicts) String() string {
	if u.Of < 2 {
		return ""
	}
	said := fmt.Sprintf("Each by itself, %s of %s units reach it", result.Count(u.Reached), result.Count(u.Of))
	if u.Reached == 1 {
		said = fmt.Sprintf("Each by itself, 1 of %s units reaches it", result.Count(u.Of))
	}
	if u.NotReached == 1 {
		said += ", 1 does not"
	} else if u.NotReached > 1 {
		said += fmt.Sprintf(", %s do not", result.Count(u.NotReached))
	}
	if n := u.Of - u.Reached - u.NotReached; n > 0 {
		said += fmt.Sprintf(", and of %s one can’t tell", result.Count(n))
	}
	return said + "."
}

// priceRow is the median price that contributors paid in one currency.
type priceRow struct {
	Currency, Amount string
	Of, On           string // "2 units"; the day of the newest
	PerGB, Month     string // empty: the capacity isn't known
}

func priceRows(m catalogue.Module, prices []figure.PriceMedian) (rows []priceRow) {
	for _, p := range prices {
		row := priceRow{
			Currency: p.Currency, Amount: money(p.Amount),
			Of: page.Counted(p.N, "unit"), On: p.On, Month: ranking.PriceMonth(p),
		}
		if perGB := ranking.PricePerGB(m, p); perGB != 0 {
			row.PerGB = result.Number(perGB)
		}
		rows = append(rows, row)
	}
	return rows
}

// monthPrice is the median price that contributors paid in one month in one currency.
type monthPrice struct{ Month, Currency, Amount, Of string }

// maxMonths limits how many monthly prices a page shows. It shows the newest.
const maxMonths = 24

// monthPrices are the prices of units, the newest month first.
func monthPrices(units []figure.Unit) (rows []monthPrice) {
	paid := map[monthPrice][]float64{}
	for _, u := range units {
		if month := u.Price.On[:min(len(u.Price.On), len("2006-01"))]; month != "" {
			of := monthPrice{Month: month, Currency: u.Price.Currency}
			paid[of] = append(paid[of], u.Price.Amount)
		}
	}
	for of, amounts := range paid {
		of.Amount, of.Of = money(result.Median(amounts)), page.Counted(len(amounts), "unit")
		rows = append(rows, of)
	}
	slices.SortFunc(rows, func(a, b monthPrice) int {
		return cmp.Or(strings.Compare(b.Month, a.Month), strings.Compare(a.Currency, b.Currency))
	})
	return rows[:min(len(rows), maxMonths)]
}

func money(amount float64) string { return strings.TrimSuffix(fmt.Sprintf("%.2f", amount), ".00") }

// measured gathers what the summaries of a module by one method say, and what its results add.
func (s *site) measured(m catalogue.Module, sums []*figure.Summary, of *moduleResults) (shown measured) {
	var whole *figure.Summary
	var variants []*figure.Summary
	for _, sum := range sums {
		if sum.Whole() {
			whole = sum
		} else if sum.Variant != "" {
			variants = append(variants, sum)
		}
	}
	if whole == nil {
		return shown
	}
	for _, class := range figure.HostClasses {
		for _, sum := range sums {
			if sum.HostClass == class.Key && sum.Figures.Len() > 0 { // else there may be no ranking to link to
				shown.HostClasses = append(shown.HostClasses, groupOf(class.Label, sum, sum.Figures))
			}
		}
	}
	slices.SortStableFunc(variants, func(a, b *figure.Summary) int {
		return cmp.Or(cmp.Compare(b.AllUnits, a.AllUnits), cmp.Compare(a.Variant, b.Variant))
	})
	if len(variants) > maxVariants {
		shown.VariantsTotal, variants = result.Count(len(variants)), variants[:maxVariants]
	}
	for _, sum := range variants {
		figures := of.variants[methodVariant{sum.Method, sum.Variant}]
		shown.Variants = append(shown.Variants, s.variant(figure.VariantOf(sum.Variant), sum, figures, sum.AllUnits))
	}
	if only := whole.OnlyVariant; only != "" {
		shown.Variants = append(shown.Variants, s.variant(figure.VariantOf(only), whole, whole.Figures, whole.Identified))
	}
	verdicts := s.verdicts(m, whole, of.newest)
	// A run with a full queue is of one contributor. So it answers what the figures can't, but gives no sign.
	answered := slices.Clone(verdicts)
	for i, v := range answered {
		if told, known := of.queued[v.Class]; known && v.State == speedclass.CantTell {
			answered[i] = told
		}
	}
	shown.Verdicts = page.VerdictsOf(answered)
	for i := range shown.Verdicts {
		v := &shown.Verdicts[i]
		v.Units = of.charts.units[whole.Method][v.Class].String()
		if said := s.ofHundred(whole, verdicts[i]); said != "" {
			v.Units = strings.TrimSpace(v.Units + " " + said)
		}
		shown.Judged = shown.Judged || v.State != speedclass.CantTell
	}
	for _, groups := range whole.Groups {
		shown.Divided = append(shown.Divided, groups.String())
	}
	_, shown.Unsteady = steady(of.newest, whole.Method)
	shown.Ageing, shown.AgeingPerTB = ageingWords(whole, whole.AgeingPerYear, "year"),
		ageingWords(whole, whole.AgeingPerTB, "TB")
	shown.Contributors = page.Counted(whole.Contributors, "contributor")
	shown.Signs = s.signs(m.Vendor, whole, variants, verdicts)
	shown.Prices = priceRows(m, whole.Prices)
	if months := monthPrices(of.units[whole.Method]); len(months) > 1 {
		shown.Months = months
	}
	if whole.Identified > 0 {
		shown.Identified = result.Count(whole.Identified) + " of " + page.Counted(whole.AllUnits, "unit")
	}
	if n := whole.Shown[figure.EvidenceCapacityChecked]; n > 0 {
		shown.Checked = result.Count(n) + " of " + page.Counted(whole.AllUnits, "unit")
	}
	return shown
}

// ageingWords says how the random writes of a module change: "gets slower: 8 % per year (3 to 14), 3 units of 2
// contributors". Before there are two independent contributors, it says that of their units alone: "…, by one unit of
// one contributor".
func ageingWords(whole *figure.Summary, c *ageing.Change, per string) string {
	if c == nil {
		return ""
	}
	if c.Contributors >= 2 && whole.Independent >= 2 {
		return c.Words(per) + ", " + page.Counted(c.Units, "unit") + " of " + page.Counted(c.Contributors, "contributor")
	}
	units, whose := "one unit", "one contributor"
	if c.Units > 1 {
		units = page.Counted(c.Units, "unit")
	}
	if c.Contributors > 1 {
		whose = page.Counted(c.Contributors, "contributor") + " who may be one person"
	}
	return c.Words(per) + ", by " + units + " of " + whose
}

func (s *site) variant(v figure.Variant, sum *figure.Summary, figures figure.Set, units int) variant {
	shown := variant{group: groupOf(v.Label(), sum, figures), AllUnits: page.Counted(units, "unit")}
	if v.Bus != "sd" && v.Bus != "mmc" {
		return shown
	}
	claims := s.catalogue.Claims(v.Bus, v.Manfid, v.OEMID)
	shown.Text = catalogue.ClaimsText(v.Manfid, claims)
	for _, c := range claims {
		if c.Kind == catalogue.ClaimMaker {
			shown.Makers = append(shown.Makers, c)
		} else {
			shown.Others = append(shown.Others, c)
		}
	}
	return shown
}

// verdicts judges the classes printed on a module. From two independent contributors on, it judges by the module's
// figures in the fastest hosts that many people have. Before that, it judges by the newest run that counts.
func (s *site) verdicts(
	m catalogue.Module, whole *figure.Summary, newest []submission.Submission,
) []speedclass.Verdict {
	if whole.Contributors > 0 && whole.Independent < 2 {
		for _, sub := range newest {
			if sub.Method == whole.Method && len(sub.NotRanked) == 0 {
				return ofOneCard(s.verdictsOfRun(sub, m))
			}
		}
	}
	conditions := speedclass.Conditions{
		Method: whole.Method, BusMBPerS: whole.BusMBPerS, Reader: whole.USB && m.Form != "usb",
	}
	if whole.Figures.Len() == 0 {
		conditions.NotRanked = whole.NotRanked
		if len(conditions.NotRanked) == 0 {
			conditions.NotRanked = []string{"no result counts yet"}
		}
	}
	figures := figure.Set{PerMetric: whole.Figures.Clone()}
	for key, of := range whole.Model.All() {
		figures.Put(key, figure.ForVerdict(key, promised(s.snapshot.Calibrations.Of(whole.Method, key), &of)))
	}
	return speedclass.Of(s.catalogue.SpeedClasses, m.Classes, figures, conditions)
}

// promised returns the module's estimate to compare promises with: in the fastest hosts that many people have.
func promised(c *model.Calibration, m *model.Module) model.Estimate {
	e := c.Standard(m)
	if class, ok := c.Fastest(); ok {
		e, _ = c.In(m, class)
	}
	return e
}

// ofHundred says in a sentence how many of a hundred cards of a module reach what a class promises. It takes the
// promise that the fewest cards reach. It returns "" for a single contributor's card, and for a promise that cards may
// miss because of hosts or the test.
func (s *site) ofHundred(whole *figure.Summary, v speedclass.Verdict) string {
	fewest, measure := math.Inf(1), ""
	for _, promise := range v.Margins {
		of, modelled := whole.Model.Find(promise.Key)
		if !modelled || whole.Independent < 2 {
			return ""
		}
		c := s.snapshot.Calibrations.Of(whole.Method, promise.Key)
		e := promised(c, &of)
		if _, high := promise.Measured.Ends(); e.AtLeast || high < promise.Promised && !promise.Missed {
			return ""
		}
		if reaching := 100 * c.Reaching(e, math.Log(promise.Promised)); reaching < fewest {
			fewest, measure = reaching, promise.Measure
		}
	}
	if measure == "" {
		return ""
	}
	reach := fmt.Sprintf("about %.0f reach", fewest)
	switch math.Round(fewest) {
	case 0:
		reach = "hardly one reaches"
	case 1:
		reach = "about one reaches"
	case 100:
		reach = "nearly all reach"
	}
	return fmt.Sprintf("Of 100 cards, %s the promised %s.", reach, measure)
}

// ofOneCard adds to verdicts that they are about a single card.
func ofOneCard(verdicts []speedclass.Verdict) []speedclass.Verdict {
	for i := range verdicts {
		verdicts[i].Reason += " That is one contributor’s card: others of this name may differ."
	}
	return verdicts
}

// verdictsOfRun judges the classes printed on a module by one result, under the conditions of its run.
func (s *site) verdictsOfRun(sub submission.Submission, m catalogue.Module) []speedclass.Verdict {
	return speedclass.Of(s.catalogue.SpeedClasses, m.Classes, figure.OfRun(sub.Tests), speedclass.Conditions{
		Method: sub.Method, NotRanked: sub.NotRanked, BusMBPerS: sub.BusMBPerS,
		Reader: strings.HasPrefix(sub.HostClass, "usb") && m.Form != "usb",
	})
}

// unitVerdicts counts, for each printed class, the units that reach it and the units that don't, each judged under the
// conditions of its runs.
func (s *site) unitVerdicts(m catalogue.Module, d figure.ChartData) map[string]unitVerdicts {
	counts := map[string]unitVerdicts{}
	for _, u := range d.Units {
		for _, v := range speedclass.Of(s.catalogue.SpeedClasses, m.Classes, figure.OfValues(u.Values), speedclass.Conditions{
			// A unit without a class of hosts has runs in several classes.
			Method: d.Method, BusMBPerS: u.BusMBPerS,
			Reader: (u.HostClass == "" || strings.HasPrefix(u.HostClass, "usb")) && m.Form != "usb",
		}) {
			of := counts[v.Class]
			switch of.Of++; v.State {
			case speedclass.Reached:
				of.Reached++
			case speedclass.NotReached:
				of.NotReached++
			}
			counts[v.Class] = of
		}
	}
	return counts
}

// signs returns the signs of each variant, then of units whose variant isn't known, then of the module's figures.
func (s *site) signs(
	vendor string, whole *figure.Summary, variants []*figure.Summary, verdicts []speedclass.Verdict,
) []page.Sign {
	signs := []page.Sign{}
	rest := *whole
	rest.Shown = map[string]int{}
	maps.Copy(rest.Shown, whole.Shown)
	if len(variants) > 0 {
		rest.ShownBy = nil // contributors who have units of a variant may have other units, too
	}
	for _, sum := range variants {
		v := figure.VariantOf(sum.Variant)
		signs = append(signs, s.signsOf(vendor, v, sum, v.Label())...)
		for key, n := range sum.Shown {
			rest.Shown[key] -= n
		}
	}
	signs = append(signs, s.signsOf(vendor, figure.VariantOf(whole.OnlyVariant), &rest, "")...)
	for _, of := range speedclass.Signs(verdicts) {
		signs = append(signs, page.Sign{Sign: of})
	}
	return signs
}

// signsOf returns the signs that units of one variant showed.
func (s *site) signsOf(vendor string, v figure.Variant, sum *figure.Summary, label string) []page.Sign {
	card := &result.Register{
		CRCWrong: sum.Shown[figure.EvidenceCRCWrong] > 0, SerialNearZero: sum.Shown[figure.EvidenceSerialNearZero] > 0,
		Manfid: v.Manfid, OEMID: v.OEMID,
	}
	device := result.Identity{SD: card}
	if v.Bus == "mmc" {
		device = result.Identity{MMC: card}
	}
	if sum.Shown[figure.EvidenceCapacity] > 0 {
		device.Verified = &result.Verified{ClaimedBytes: 2, FoundBytes: 1} // by how much differs from unit to unit
	}
	var signs []page.Sign
	for _, of := range append(s.catalogue.Signs(vendor, device), impossibleDate(sum)...) {
		what, seen, at, whose := of.What, sum.Shown[of.Key], figure.EvidenceIdentified, ""
		switch of.Key {
		case figure.EvidenceCapacity:
			what = "Less could be written and read back than is claimed."
			at = of.Key // a loss in a small part is a sign, too, and of such parts nobody counts the sound ones
		case sign.CRCWrong, sign.DateImpossible, sign.SerialNearZero:
			whose = " whose registers were read"
		default: // what the ids say holds for every unit that carries them
			seen = sum.Shown[at]
		}
		if seen == 0 { // only contributors who aren't heard sent such units
			continue
		}
		shown := page.Sign{Sign: of, Variant: label}
		shown.What = what
		shown.Seen = page.Counted(seen, "unit")
		if at != of.Key {
			shown.Seen = result.Count(seen) + " of " + page.Counted(max(sum.Shown[at], seen), "unit") + whose
		}
		if by := sum.ShownBy[at]; by > 0 {
			shown.Seen += ", by " + page.Counted(by, "contributor")
		}
		signs = append(signs, shown)
	}
	return signs
}
