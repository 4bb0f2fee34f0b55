package publish

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/page/chart"
	"flashdex/api/ranking"
	"flashdex/result"
)

// study holds the tables of a page, such as a published study's tables in their own layout.
type study []studyTable

// studyTable is one table of a study, also as CSV and JSON for programs. It stands below the charts of its figures.
type studyTable struct {
	ID, Note, CSV string
	JSON          string // a list with an object for each row, whose keys are the heads; null: an empty cell
	Numbers       chart.Numbers
	Charts        chart.Charts
}

// Keys of the sources that are studies, and the paths of their pages.
const (
	javaStartup     = "derekwhite_2014"
	flashCollection = "altechnative_2012"
	cardSurvey      = "bahjeez_survey_2025"
	cheapCards      = "joyousjohn_sdbench"
	sdExpress       = "m1cha_sdexpress"
	healthOfCards   = "sdmon_health"
)

var studyPages = map[string]string{
	javaStartup:     "/sources/sd-card-speed-and-java-start-up/",
	flashCollection: "/sources/flash-module-benchmark-collection/",
	cardSurvey:      "/sources/what-died-when/",
	cheapCards:      "/sources/what-was-fake/",
	sdExpress:       "/sources/sd-express-runs-in-a-row/",
	healthOfCards:   "/health/",
}

func (s *site) studies() (map[string]study, error) {
	start, err := s.javaStartup()
	return map[string]study{
		javaStartup: start, flashCollection: s.flashCollection(), cardSurvey: s.whatDied(), cheapCards: s.whatWasFake(),
		sdExpress: s.runsInARow(), enduranceStudy: s.endurance(), healthOfCards: s.whoTellsHealth(),
	}, err
}

// add appends a table. links are the addresses that the names of its rows link to.
func (s *study) add(id, title, note string, head []string, rows [][]string, links []string) {
	var text bytes.Buffer
	plain := inNumbers(head, rows)
	_ = csv.NewWriter(&text).WriteAll(guarded(plain)) // a buffer never fails
	table := chart.Numbers{Title: title, Class: "numbers", Links: links, Head: head, Rows: rows}
	*s = append(*s, studyTable{ID: id, Note: note, CSV: text.String(), JSON: asObjects(plain), Numbers: table})
}

// isNumber reports whether a cell of inNumbers consists only of characters that numbers have.
func isNumber(cell string) bool { return strings.Trim(cell, "-0123456789.") == "" }

// guarded returns a table whose texts no spreadsheet takes for formulas, as in the data set, because names come from
// uploads.
func guarded(table [][]string) (safe [][]string) {
	for _, row := range table {
		row = slices.Clone(row)
		for i, cell := range row {
			if dataset.LooksLikeFormula(cell) && !isNumber(cell) {
				row[i] = "'" + cell
			}
		}
		safe = append(safe, row)
	}
	return safe
}

// asObjects returns a table, whose first row are the heads, as a JSON list of objects.
func asObjects(table [][]string) string {
	all := []map[string]any{}
	for _, row := range table[1:] {
		one := map[string]any{}
		for i, cell := range row {
			number, err := strconv.ParseFloat(cell, 64)
			switch {
			case cell == "":
				one[table[0][i]] = nil
			case err == nil && isNumber(cell):
				one[table[0][i]] = number
			default:
				one[table[0][i]] = cell
			}
		}
		all = append(all, one)
	}
	text, _ := json.Marshal(all) // never fails for texts and finite numbers
	return string(text)
}

// inNumbers returns a table for programs: "−7.7 %" becomes -7.7, under a head that names the unit, and "1,780" becomes
// 1780.
func inNumbers(head []string, rows [][]string) [][]string {
	plain := strings.NewReplacer("−", "-", "+", "", " %", "", ",", "")
	table := [][]string{slices.Clone(head)}
	for _, row := range rows {
		row = slices.Clone(row)
		for i, cell := range row {
			switch {
			case strings.HasSuffix(cell, " %"):
				row[i], table[0][i] = plain.Replace(cell), head[i]+", %"
			case strings.Trim(cell, "0123456789.,") == "":
				row[i] = strings.ReplaceAll(cell, ",", "")
			}
		}
		table = append(table, row)
	}
	return table
}

// javaStartup is SD Card Speed vs. Java SE Embedded Startup Times on Raspberry Pi (White, 2014): three cards and four
// runtimes. The slowest card in all tests is the baseline of the cards, and the first runtime the baseline of the
// runtimes.
func (s *site) javaStartup() (of study, err error) {
	published := slices.DeleteFunc(slices.Clone(s.catalogue.Published), func(p catalogue.Published) bool {
		return p.Source != javaStartup
	})
	seconds, megabytes := map[[2]string]float64{}, map[string]string{} // by card and run time; by run time
	var cards, runTimes []string
	head := []string{"Run time", "MB"}
	for _, p := range published {
		if p.Test != "startup_user_time" {
			continue
		}
		var runTime, mb string
		if _, err := fmt.Sscanf(p.Note, "configuration %s with a run time of %s MB", &runTime, &mb); err != nil {
			return study{}, fmt.Errorf("publish: %s:%d: the note %q: %w", p.Source, p.Line, p.Note, err)
		}
		took, err := strconv.ParseFloat(p.ValueText, 64)
		if err != nil {
			return study{}, fmt.Errorf("publish: %s:%d: %w", p.Source, p.Line, err)
		}
		if !slices.Contains(cards, p.ModuleSlug) {
			cards, head = append(cards, p.ModuleSlug), append(head, s.moduleName(p.ModuleSlug))
		}
		if megabytes[runTime] == "" {
			runTimes = append(runTimes, runTime)
		}
		seconds[[2]string{p.ModuleSlug, runTime}], megabytes[runTime] = took, mb
	}
	slices.SortStableFunc(published, func(a, b catalogue.Published) int {
		return cmp.Compare(slices.Index(cards, a.ModuleSlug), slices.Index(cards, b.ModuleSlug))
	})
	s.addIozone(&of, iozoneMeasurements(published), cards[0])

	// Each start is compared with the start on the card base or with the runtime base, if there is one.
	add := func(id, title, note, baseCard, baseRunTime string) {
		var rows [][]string
		for _, runTime := range runTimes {
			row := []string{runTime, megabytes[runTime]}
			for _, card := range cards {
				took := seconds[[2]string{card, runTime}]
				base := seconds[[2]string{cmp.Or(baseCard, card), cmp.Or(baseRunTime, runTime)}]
				switch {
				case card == baseCard, runTime == baseRunTime:
					row = append(row, "baseline")
				case baseCard+baseRunTime == "":
					row = append(row, fmt.Sprintf("%.3f", took))
				default:
					row = append(row, result.Change(took, base))
				}
			}
			rows = append(rows, row)
		}
		of.add(id, title, note, head, rows, nil)
	}
	add("seconds", "User time of a start, seconds", "The mean of ten starts on each card, with four builds of the run "+
		"time of Java SE Embedded 8, and how many MB the run time takes. User time is what a processor works in the "+
		"program’s own code; waiting for the card is not in it.", "", "")
	add("cards", "User time by card", "Against the "+head[2]+", the slowest: so much more (+) or less (−) user time with "+
		"the same run time.", cards[0], "")
	add("configurations", "User time by run time", "Against "+runTimes[0]+", the first and smallest: so much more (+) or "+
		"less (−) user time on the same card.", "", runTimes[0])
	return of, nil
}

// addIozone adds iozone's table, and the same table in per cent of the card base.
func (s *site) addIozone(of *study, measured []iozoneMeasurement, base string) {
	const areaBytes = 50 << 20
	baseline := map[int64]map[string]float64{}
	for _, m := range measured {
		if m.module == base {
			baseline[m.recordBytes] = m.kbPerS
		}
	}
	var rows, shares [][]string
	var links []string
	for _, m := range measured {
		name, share := s.moduleName(m.module), map[string]float64{}
		for test, v := range m.kbPerS {
			share[test] = 100 * v / baseline[m.recordBytes][test]
		}
		rows = append(rows, chart.IozoneRow(name, areaBytes, m.recordBytes, m.kbPerS))
		shares = append(shares, chart.IozoneRow(name, areaBytes, m.recordBytes, share))
		links = append(links, modulePath(m.module))
	}
	head := chart.IozoneHead("Card")
	of.add("iozone", "Iozone’s table, kB/s", "Records of 4 and 512 kB (1,024 bytes) in a file of 50 MiB, past the page "+
		"cache, as iozone prints it.", head, rows, links)
	of.add("iozone-relative", "Iozone’s table, per cent", "Each figure in per cent of that of the "+s.moduleName(base)+
		", the slowest in all twelve tests.", head, shares, links)
}

func (s *site) moduleName(slug string) string {
	m, _ := s.moduleOf(slug)
	return m.Name()
}

// moduleOf finds a module among those that are listed, which uploads name, too, and else in the catalogue.
func (s *site) moduleOf(slug string) (m catalogue.Module, ok bool) {
	if m, ok = s.modules[slug]; !ok {
		m, ok = s.catalogue.Module(slug)
	}
	return m, ok
}

// flashCollection is the table of the Flash Module Benchmark Collection (2012), of the modules measured here by its
// method. Modules that older clients measured, by a method of its own, have another.
func (s *site) flashCollection() (of study) {
	s.addCollection(&of, result.MethodAltechnative2012, "collection", "By the method of 2012", "")
	if slices.ContainsFunc(s.rows[result.MethodAltechnative2012First], measuredCollected) {
		s.addCollection(&of, result.MethodAltechnative2012First, "collection-older", "By older clients", "Older clients "+
			"wrote nothing in pieces of 4 KiB before the random tests, so a module may do its random writes at another rate "+
			"than above.")
	}
	return of
}

// measuredCollected reports whether a row is of a measured module, not of a reference device.
func measuredCollected(r *ranking.Row) bool { return r.Reference == "" && r.Figures.Len() > 0 }

// addCollection adds the modules measured by one method, and the collection's disk among them.
func (s *site) addCollection(of *study, method, id, title, note string) {
	all := slices.DeleteFunc(slices.Clone(s.rows[method]), func(r *ranking.Row) bool { return !measuredCollected(r) })
	for _, d := range s.catalogue.ReferenceDevices {
		if d.Source == flashCollection { // the collection's yardstick
			all = append(all, &ranking.Row{Reference: d.Name, Figures: figure.OfReference(d)})
		}
	}
	ranking.Sort(all, figure.RandWriteIOPS)
	var rows [][]string
	var links []string
	for _, r := range all {
		row, link := []string{r.Name()}, ""
		if r.Reference == "" {
			link = modulePath(r.Module.Slug)
		}
		for _, key := range []string{figure.SeqReadMBPerS, figure.SeqWriteMBPerS, figure.RandReadIOPS, figure.RandWriteIOPS} {
			cell := ""
			if f, measured := r.Figures.Find(key); measured {
				cell = result.Number(f.Value)
			}
			row = append(row, cell)
		}
		rows, links = append(rows, row), append(links, link)
	}
	of.add(id, title, note,
		[]string{"Module", "Linear read, MB/s", "Linear write, MB/s", "Random read, IOPS", "Random write, IOPS"}, rows, links)
}
