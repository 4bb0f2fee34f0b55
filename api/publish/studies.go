package publish

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page/chart"
	"flashdex/api/ranking"
	"flashdex/result"
)

// study is a published study whose tables have a page, in their own layout.
type study struct {
	Tables []studyTable `json:"tables"`
}

// studyTable is one table of a study, also as CSV.
type studyTable struct {
	ID      string        `json:"id"`
	Note    string        `json:"note"`
	Numbers chart.Numbers `json:"numbers"`
	CSV     string        `json:"csv"`
}

// Keys of the sources that are studies, and the paths of their pages.
const (
	javaStartup     = "derekwhite_2014"
	flashCollection = "altechnative_2012"
)

var studyPages = map[string]string{
	javaStartup:     "/sources/sd-card-speed-and-java-start-up/",
	flashCollection: "/sources/flash-module-benchmark-collection/",
}

func (s *site) studies() (map[string]study, error) {
	start, err := s.javaStartup()
	return map[string]study{javaStartup: start, flashCollection: s.flashCollection()}, err
}

// add appends a table. links are where the names of its rows lead.
func (s *study) add(id, title, note string, head []string, rows [][]string, links []string) {
	var text bytes.Buffer
	_ = csv.NewWriter(&text).WriteAll(inNumbers(head, rows)) // a buffer takes all
	table := chart.Numbers{Title: title, Class: "numbers", Links: links, Head: head, Rows: rows}
	s.Tables = append(s.Tables, studyTable{id, note, table, text.String()})
}

// inNumbers returns a table for programs: "−7.7 %" becomes -7.7, below a head that names the unit, and "1,780" becomes
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

// javaStart is the mean time that a Java program took to start from a card.
type javaStart struct {
	card, runTime, runTimeMB string
	seconds                  float64
}

// javaStartup is SD Card Speed vs. Java SE Embedded Startup Times on Raspberry Pi (White, 2014): three cards and four
// run times. The slowest card in all tests is the baseline of the cards, and the first run time the baseline of the
// run times.
func (s *site) javaStartup() (of study, err error) {
	published := slices.DeleteFunc(slices.Clone(s.catalogue.Published), func(p catalogue.Published) bool {
		return p.Source != javaStartup
	})
	var starts []javaStart
	var cards, runTimes []string
	head := []string{"Run time", "MB"}
	for _, p := range published {
		if p.Test != result.Startup {
			continue
		}
		start := javaStart{card: p.ModuleSlug}
		const note = "configuration %s with a run time of %s MB"
		if _, err := fmt.Sscanf(p.Note, note, &start.runTime, &start.runTimeMB); err != nil {
			return study{}, fmt.Errorf("publish: %s:%d: the note %q: %w", p.Source, p.Line, p.Note, err)
		}
		if start.seconds, err = strconv.ParseFloat(p.ValueText, 64); err != nil {
			return study{}, fmt.Errorf("publish: %s:%d: %w", p.Source, p.Line, err)
		}
		starts = append(starts, start)
		if !slices.Contains(cards, start.card) {
			cards, head = append(cards, start.card), append(head, s.moduleName(start.card))
		}
		if !slices.Contains(runTimes, start.runTime) {
			runTimes = append(runTimes, start.runTime)
		}
	}
	slices.SortStableFunc(published, func(a, b catalogue.Published) int {
		return cmp.Compare(slices.Index(cards, a.ModuleSlug), slices.Index(cards, b.ModuleSlug))
	})
	s.addIozone(&of, iozoneMeasurements(published), cards[0])

	find := func(card, runTime string) javaStart {
		return starts[slices.IndexFunc(starts, func(s javaStart) bool { return s.card == card && s.runTime == runTime })]
	}
	add := func(id, title, note string, cell func(start javaStart) string) {
		var rows [][]string
		for _, runTime := range runTimes {
			row := []string{runTime, find(cards[0], runTime).runTimeMB}
			for _, card := range cards {
				row = append(row, cell(find(card, runTime)))
			}
			rows = append(rows, row)
		}
		of.add(id, title, note, head, rows, nil)
	}
	add("seconds", "Start-up, seconds", "The mean time that a program took to start on each card, with four builds of "+
		"the run time of Java SE Embedded 8, and how many MB the run time takes.",
		func(start javaStart) string { return fmt.Sprintf("%.3f", start.seconds) })
	add("cards", "Start-up by card", "Against the "+head[2]+", the slowest: so much more (+) or less (−) time with the "+
		"same run time.", func(start javaStart) string { return start.against(find(cards[0], start.runTime)) })
	add("configurations", "Start-up by run time", "Against "+runTimes[0]+", the first and smallest: so much more (+) or "+
		"less (−) time on the same card.",
		func(start javaStart) string { return start.against(find(start.card, runTimes[0])) })
	return of, nil
}

func (start javaStart) against(base javaStart) string {
	if start == base {
		return "baseline"
	}
	return result.Change(start.seconds, base.seconds)
}

// addIozone adds iozone's table, and the same in per cent of the card base.
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
	m, _ := s.catalogue.Module(slug)
	return m.Name()
}

// flashCollection is the table of the Flash Module Benchmark Collection (2012), of the modules measured here by its
// method.
func (s *site) flashCollection() (of study) {
	var rows [][]string
	var links []string
	all := slices.Clone(s.rows[result.MethodAltechnative2012])
	ranking.Sort(all, figure.RandWriteIOPS)
	for _, r := range all {
		link := modulePath(r.Module.Slug)
		switch {
		case r.Reference != "" && !slices.Contains(r.Sources, flashCollection), r.Reference == "" && len(r.Figures) == 0:
			continue
		case r.Reference != "":
			link = ""
		}
		row := []string{r.Name()}
		for _, key := range []string{figure.SeqReadMBPerS, figure.SeqWriteMBPerS, figure.RandReadIOPS, figure.RandWriteIOPS} {
			cell := ""
			if f, measured := r.Figures[key]; measured {
				cell = result.Number(f.Value)
			}
			row = append(row, cell)
		}
		rows, links = append(rows, row), append(links, link)
	}
	of.add("collection", "By the method of 2012", "",
		[]string{"Module", "Linear read, MB/s", "Linear write, MB/s", "Random read, IOPS", "Random write, IOPS"}, rows, links)
	return of
}
