package publish

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page/chart"
	"flashdex/api/page/markup"
	"flashdex/api/ranking"
	"flashdex/result"
)

// study is a published one whose tables have a page, in their own layout.
type study struct {
	Tables []studyTable `json:"tables"`
}

// studyTable is one of them, ready to print, and the same as CSV.
type studyTable struct {
	ID    string      `json:"id"`
	Title string      `json:"title"`
	Note  string      `json:"note"`
	HTML  markup.HTML `json:"html"`
	CSV   string      `json:"csv"`
}

// studyPages are the paths of their pages, by the keys of their sources.
var studyPages = map[string]string{
	javaStartup: "/sources/sd-card-speed-and-java-start-up/", flashCollection: "/sources/flash-module-benchmark-collection/",
}

const (
	javaStartup     = "derekwhite_2014"
	flashCollection = "altechnative_2012"
)

func (s *site) studies() (map[string]study, error) {
	start, err := s.javaStartup()
	if err != nil {
		return nil, err
	}
	return map[string]study{javaStartup: start, flashCollection: s.flashCollection()}, nil
}

// add appends a table.
func (s *study) add(id, title, note string, head []string, rows [][]string, links []string) {
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	_ = w.WriteAll(inNumbers(head, rows)) // a buffer takes all
	table := chart.Numbers{Title: title, Links: links, Table: chart.Table{Head: head, Rows: rows}}
	s.Tables = append(s.Tables, studyTable{id, title, note, table.Bare(), text.String()})
}

// inNumbers is a table as a program reads it: "−7.7 %" is -7.7, below a head that names the unit.
func inNumbers(head []string, rows [][]string) [][]string {
	plain := strings.NewReplacer("−", "-", "+", "", " %", "")
	table := [][]string{slices.Clone(head)}
	for _, row := range rows {
		row = slices.Clone(row)
		for i, cell := range row {
			if strings.HasSuffix(cell, " %") {
				row[i], table[0][i] = plain.Replace(cell), head[i]+", %"
			}
		}
		table = append(table, row)
	}
	return table
}

// javaStart is the mean time that a Java program took to start.
type javaStart struct {
	module, configuration string
	runTimeMB, seconds    float64
}

// javaStartup is SD Card Speed vs. Java SE Embedded Startup Times on Raspberry Pi (White, 2014): three cards and four run times. The card that is the
// slowest in all tests is the baseline of the others, and the first run time that of the others.
func (s *site) javaStartup() (study, error) {
	var published []catalogue.Published
	var starts []javaStart
	for _, p := range s.catalogue.Published {
		if p.Source != javaStartup {
			continue
		}
		published = append(published, p)
		if p.Test == result.Startup {
			start := javaStart{module: p.ModuleSlug}
			if _, err := fmt.Sscanf(p.Note, "configuration %s with a run time of %g MB", &start.configuration, &start.runTimeMB); err != nil {
				return study{}, fmt.Errorf("publish: %s:%d: the note %q: %w", p.Source, p.Line, p.Note, err)
			}
			if _, err := fmt.Sscan(p.ValueText, &start.seconds); err != nil {
				return study{}, fmt.Errorf("publish: %s:%d: %w", p.Source, p.Line, err)
			}
			starts = append(starts, start)
		}
	}
	base := starts[0].module
	slices.SortStableFunc(published, func(a, b catalogue.Published) int { // the cards in the order of their starts
		at := func(slug string) int {
			return slices.IndexFunc(starts, func(start javaStart) bool { return start.module == slug })
		}
		return cmp.Compare(at(a.ModuleSlug), at(b.ModuleSlug))
	})
	name := func(slug string) string {
		m, _ := s.catalogue.Module(slug)
		return m.Name()
	}
	var of study
	s.javaIozone(&of, iozoneMeasurements(published), base, name)

	var cards, configurations []string
	seconds := map[[2]string]float64{}
	size := map[string]float64{}
	for _, start := range starts {
		if !slices.Contains(cards, start.module) {
			cards = append(cards, start.module)
		}
		if !slices.Contains(configurations, start.configuration) {
			configurations = append(configurations, start.configuration)
		}
		seconds[[2]string{start.module, start.configuration}], size[start.configuration] = start.seconds, start.runTimeMB
	}
	head := []string{"Run time", "MB"}
	for _, card := range cards {
		head = append(head, name(card))
	}
	table := func(cell func(card, configuration string) string) (rows [][]string) {
		for _, configuration := range configurations {
			row := []string{configuration, fmt.Sprint(size[configuration])}
			for _, card := range cards {
				row = append(row, cell(card, configuration))
			}
			rows = append(rows, row)
		}
		return rows
	}
	at := func(card, configuration string) float64 { return seconds[[2]string{card, configuration}] }
	of.add("seconds", "Start-up, seconds", "The mean time that a program took to start on each card, with four builds of the run time of Java SE Embedded 8, and how many MB the run time takes.", head,
		table(func(card, configuration string) string { return fmt.Sprintf("%.3f", at(card, configuration)) }), nil)
	of.add("cards", "Start-up by card", "Against the "+name(base)+", the slowest: so much more (+) or less (−) time with the same run time.", head,
		table(func(card, configuration string) string {
			return against(card == base, at(card, configuration), at(base, configuration))
		}), nil)
	of.add("configurations", "Start-up by run time", "Against "+configurations[0]+", the first and smallest: so much more (+) or less (−) time on the same card.", head,
		table(func(card, configuration string) string {
			return against(configuration == configurations[0], at(card, configuration), at(card, configurations[0]))
		}), nil)
	return of, nil
}

func against(isBase bool, of, base float64) string {
	if isBase {
		return "baseline"
	}
	return result.Change(of, base)
}

// javaIozone adds the tables of iozone.
func (s *site) javaIozone(of *study, measured []iozoneMeasurement, base string, name func(string) string) {
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
		rows = append(rows, chart.IozoneRow(name(m.module), areaBytes, m.recordBytes, m.kbPerS))
		share := map[string]float64{}
		for test, v := range m.kbPerS {
			share[test] = 100 * v / baseline[m.recordBytes][test]
		}
		shares = append(shares, chart.IozoneRow(name(m.module), areaBytes, m.recordBytes, share))
		links = append(links, modulePath(m.module))
	}
	of.add("iozone", "Iozone’s table, kB/s", "Records of 4 and 512 kB (1,024 bytes) in a file of 50 MiB, past the page cache, as iozone prints it.", chart.IozoneHead("Card"), rows, links)
	of.add("iozone-relative", "Iozone’s table, per cent", "Each figure in per cent of that of the "+name(base)+", the slowest in all twelve tests.", chart.IozoneHead("Card"), shares, links)
}

// flashCollection is the table of the Flash Module Benchmark Collection (2012), of the modules that were measured here by its method.
func (s *site) flashCollection() (of study) {
	keys := []string{figure.SeqReadMBPerS, figure.SeqWriteMBPerS, figure.RandReadIOPS, figure.RandWriteIOPS}
	var rows [][]string
	var links []string
	all := slices.Clone(s.rows[result.MethodAltechnative2012])
	ranking.Sort(all, figure.RandWriteIOPS)
	for _, r := range all {
		if r.Reference == "" && len(r.Figures) == 0 || r.Reference != "" && !slices.Contains(r.Sources, flashCollection) {
			continue
		}
		row := []string{r.Name()}
		for _, key := range keys {
			cell := ""
			if f, measured := r.Figures[key]; measured {
				cell = result.Number(f.Value)
			}
			row = append(row, cell)
		}
		link := ""
		if r.Reference == "" {
			link = modulePath(r.Module.Slug)
		}
		rows, links = append(rows, row), append(links, link)
	}
	of.add("collection", "By the method of 2012", "", []string{"Module", "Linear read, MB/s", "Linear write, MB/s", "Random read, IOPS", "Random write, IOPS"}, rows, links)
	return of
}
