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
)

// whoTellsHealth tabulates which cards told their wear when somebody asked, which told nothing, and which vanished.
func (s *site) whoTellsHealth() (of study) {
	const told, silent, harmful = catalogue.HealthTold, catalogue.HealthSilent, catalogue.HealthHarmful
	rows, links := map[string][][]string{}, map[string][]string{}
	for _, a := range s.catalogue.HealthAnswers {
		row := []string{a.Module, "", formLabel(a.Form), registersOf(a)}
		if a.CapacityGB > 0 {
			row[1] = result.Number(a.CapacityGB)
		}
		if a.Answers == told {
			row = append(row, a.Dialect)
		}
		rows[a.Answers] = append(rows[a.Answers], append(row, a.Date, a.Note))
		links[a.Answers] = append(links[a.Answers], a.Address)
	}
	for _, table := range []struct{ answers, id, title, note string }{
		{told, "answers", "%d cards that tell it", "A card that was asked twice has two rows. The dialect is the layout of " +
			"the answer."},
		{silent, "silent", "%d cards that tell nothing", "What came instead is in the last column. A row without a form is " +
			"of a kind of cards, and isn't counted."},
		{harmful, "harmful", "%d that vanished", "Flashdex asks no card that may be of this kind."},
	} {
		head := []string{"Card", "GB", "Form", "Registers"}
		if table.answers == told {
			head = append(head, "Dialect")
		}
		of.add(table.id, fmt.Sprintf(table.title, cardsOf(rows[table.answers])), table.note,
			append(head, "Asked on", "Note"), rows[table.answers], links[table.answers])
		of[len(of)-1].Numbers.Words = true
	}
	if rows := s.wearByVariant(); len(rows) > 0 {
		of.add("uploads", "Asked by contributors", "Units whose results say so (--wear), by what the registers name. A unit "+
			"is the same under each name of its module. A contributor counts once for each module.", []string{"Registers",
			"Told it", "Contributors of these", "Told nothing", "Contributors of those"}, rows, nil)
	}
	return of
}

// cardsOf counts the cards of readings: one that was asked twice once, and a kind of cards, which has no form, never.
func cardsOf(rows [][]string) int {
	cards := map[string]bool{}
	for _, row := range rows {
		if name, form := row[0], row[2]; form != "" {
			cards[name] = true
		}
	}
	return len(cards)
}

// wearByVariant counts the units of each variant that told their wear, and that didn't, when their contributors asked,
// and these contributors.
// A unit measured by several methods counts once: what counts is the method by which most were asked.
func (s *site) wearByVariant() (rows [][]string) {
	type asked struct{ told, toldTo, not, notTo int }
	of := map[string]map[string]asked{} // by variant and module
	for i := range s.snapshot.Summaries {
		sum := &s.snapshot.Summaries[i]
		variant := cmp.Or(sum.Variant, sum.OnlyVariant) // a single variant has no summary of its own
		const told, not = figure.EvidenceWearTold, figure.EvidenceWearNotTold
		now := asked{sum.Shown[told], sum.ShownBy[told], sum.Shown[not], sum.ShownBy[not]}
		if variant == "" || sum.HostClass != "" || now == (asked{}) {
			continue
		}
		if of[variant] == nil {
			of[variant] = map[string]asked{}
		}
		most := of[variant][sum.ModuleSlug]
		of[variant][sum.ModuleSlug] = asked{max(most.told, now.told), max(most.toldTo, now.toldTo),
			max(most.not, now.not), max(most.notTo, now.notTo)}
	}
	for _, variant := range slices.Sorted(maps.Keys(of)) {
		var all asked
		for _, one := range of[variant] {
			all.told, all.toldTo = all.told+one.told, all.toldTo+one.toldTo
			all.not, all.notTo = all.not+one.not, all.notTo+one.notTo
		}
		rows = append(rows, []string{figure.VariantOf(variant).Label(), result.Count(all.told), result.Count(all.toldTo),
			result.Count(all.not), result.Count(all.notTo)})
	}
	return rows
}

// registersOf names a card as its registers do: "0x000003 0x5344 SD128", or as many of these as are told.
func registersOf(a catalogue.HealthAnswer) string {
	return strings.Join(strings.Fields(a.Manufacturer+" "+a.OEM+" "+a.Name), " ")
}
