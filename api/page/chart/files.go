package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"flashdex/result"
)

// fileRate is the rate at which one test moved whole files of one size with one record size.
type fileRate struct {
	test                   string
	recordBytes, fileBytes int64
	mbPerS                 float64
}

// fileTests are the tests of small files: the ones that write, and the ones that read.
var fileTests = []struct{ id, title, buffered, direct string }{
	{"files-write", "Writing a small file", result.BufferedWrite, result.SeqWrite},
	{"files-read", "Reading a small file", result.BufferedRead, result.SeqRead},
}

// ratesOfFiles collects the rates by two tests.
func ratesOfFiles(tests []result.Test, buffered, direct string) (all []fileRate) {
	for i := range tests {
		t := &tests[i]
		if t.Name != buffered && t.Name != direct {
			continue
		}
		for _, v := range t.Intervals {
			if v.FileBytes > 0 && v.NS > 0 && v.Bytes > 0 {
				all = append(all, fileRate{t.Name, t.BlockBytes, v.FileBytes, float64(v.Bytes) * 1e3 / float64(v.NS)})
			}
		}
	}
	return all
}

// The heat map has rows of this height, in pixels, and this many shades. Each shade spans the same factor, and all of
// them span heatTimes. Rates above that have the darkest shade, too.
const (
	heatRow    = 26
	heatShades = 6
	heatTimes  = 100
)

// shade returns the index of a rate's shade.
func shade(times float64) int {
	return min(int(math.Log(math.Max(times, 1))/math.Log(heatTimes)*heatShades), heatShades-1)
}

// files draws two heat maps for each run: of writing and of reading. They have a row for each record size, and a column
// for each file size, through the page cache and past it. Each cell shows how many times as fast it is as the slowest
// cell of the map.
func (p *Profile) files(prefix string, runs []Profiled) {
	for _, run := range runs {
		for _, of := range fileTests {
			title := of.title
			if run.Letter != "" {
				title += ", run " + run.Letter
			}
			rates := ratesOfFiles(run.Tests, of.buffered, of.direct)
			p.Charts.Add(heatMap(prefix+of.id+run.Letter, title, rates, of.buffered))
		}
	}
}

func heatMap(id, title string, rates []fileRate, buffered string) (c Chart, ok bool) {
	if len(rates) < 2 {
		return Chart{}, false
	}
	var records, sizes []int64
	least, most := rates[0], rates[0]
	for _, r := range rates {
		records, sizes = append(records, r.recordBytes), append(sizes, r.fileBytes)
		if r.mbPerS < least.mbPerS {
			least = r
		}
		if r.mbPerS > most.mbPerS {
			most = r
		}
	}
	slices.Sort(records)
	slices.Sort(sizes)
	records, sizes = slices.Compact(records), slices.Compact(sizes)
	d := drawing{
		Chart: Chart{Title: title, Numbers: Numbers{
			Head: []string{"Record"},
			Note: "In MB/s. ×: times the slowest, " + least.words(buffered) + ".",
		}},
		id: id, plot: plot{40, float64(heatRow * len(records)), 4},
	}
	const recordsWidth = 1.3                              // the width of the column with the records, in others
	width := 100 / (float64(2*len(sizes)) + recordsWidth) // in per cent
	d.text("foot", "start", 0, 32, "record")
	access := []string{"through the cache", "past it"}
	for k, name := range access {
		first := width * (recordsWidth + float64(k*len(sizes)))
		d.text("name", "start", hundredth(first), 14, name)
		for i, size := range sizes {
			d.Numbers.Head = append(d.Numbers.Head, name+", "+Size(float64(size)))
			number, unit, _ := strings.Cut(Size(float64(size)), " ")
			d.add(texts, `<text class="foot middle" x="%v%%" y="32">%s<tspan class="unit"> %s</tspan></text>`,
				hundredth(first+width*(float64(i)+0.5)), number, unit)
		}
	}
	for n, record := range records {
		top := d.plot.top + float64(heatRow*n)
		row := []string{Size(float64(record))}
		d.text("name", "start", 0, top+17, row[0])
		for k := range access {
			for i, size := range sizes {
				at := slices.IndexFunc(rates, func(r fileRate) bool {
					return r.recordBytes == record && r.fileBytes == size && (r.test == buffered) == (k == 0)
				})
				if at < 0 {
					row = append(row, "")
					continue
				}
				times := rates[at].mbPerS / least.mbPerS
				left := width * (recordsWidth + float64(k*len(sizes)+i))
				d.add(areas, `<rect class="heat-%d" x="%v%%" width="%v%%" y="%v" height="%v"/>`, shade(times), hundredth(left),
					hundredth(width-0.4), top, heatRow-2)
				d.text("name", "middle", hundredth(left+width/2), top+17, "×"+result.Number(times))
				row = append(row, fmt.Sprintf("%s (×%s)", result.Number(rates[at].mbPerS), result.Number(times)))
			}
		}
		d.row(row...)
	}
	return d.finish(fmt.Sprintf("The slowest is %s, with %s MB/s. The quickest is %s, with %s times that.",
		least.words(buffered), result.Number(least.mbPerS), most.words(buffered), result.Number(most.mbPerS/least.mbPerS)))
}

// words names a cell.
func (r fileRate) words(buffered string) string {
	way := "past the page cache"
	if r.test == buffered {
		way = "through the page cache"
	}
	return fmt.Sprintf("a file of %s with records of %s %s", Size(float64(r.fileBytes)), Size(float64(r.recordBytes)), way)
}
