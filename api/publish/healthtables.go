package publish

import (
	"fmt"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/result"
)

// whoTellsHealth is which cards told their wear when somebody asked, which told nothing, and which vanished.
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
		{told, "answers", "%d readings of cards that tell it", "The dialect is the layout of the answer."},
		{silent, "silent", "%d cards and kinds that tell nothing", "What came instead is in the last column."},
		{harmful, "harmful", "%d that vanished", "Flashdex asks no card that may be of this kind."},
	} {
		head := []string{"Card", "GB", "Form", "Registers"}
		if table.answers == told {
			head = append(head, "Dialect")
		}
		of.add(table.id, fmt.Sprintf(table.title, len(rows[table.answers])), table.note, append(head, "Asked on", "Note"),
			rows[table.answers], links[table.answers])
		of[len(of)-1].Numbers.Words = true
	}
	return of
}

// registersOf names a card as its registers do: "0x000003 0x5344 SD128", or as many of these as are told.
func registersOf(a catalogue.HealthAnswer) string {
	return strings.Join(strings.Fields(a.Manufacturer+" "+a.OEM+" "+a.Name), " ")
}
