package transcript

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// iozoneFor numbers the columns of iozone's table, from 0 on.
type iozoneFor int

const iozoneFileKiB, iozoneRecordKiB iozoneFor = 0, 1

type iozoneName struct{ above, word, number, test string }

// iozoneNames describes the columns of iozone's table: the word above, the word in the head, iozone's number of the
// test (-i), and Flashdex's test. Flashdex doesn't have all of these tests.
var iozoneNames = func() (names []iozoneName) {
	for column := range strings.SplitSeq("/kb//,/reclen//,/write/0/seq-write,/rewrite/0/seq-rewrite,/read/1/seq-read,"+
		"/reread/1/seq-reread,random/read/2/rand-read,random/write/2/rand-write,bkwd/read/3/,record/rewrite/4/,"+
		"stride/read/5/,/fwrite/6/,/frewrite/6/,/fread/7/,/freread/7/", ",") {
		parts := strings.Split(column, "/")
		names = append(names, iozoneName{parts[0], parts[1], parts[2], parts[3]})
	}
	return names
}()

// columnsOf returns the columns that iozone fills for these tests (-i). Without tests it returns all columns.
func columnsOf(tests []string) []iozoneFor {
	var columns []iozoneFor
	for i, name := range iozoneNames {
		if name.number == "" || len(tests) == 0 || slices.Contains(tests, name.number) {
			columns = append(columns, iozoneFor(i))
		}
	}
	return columns
}

// iozoneHead is the head of a table.
type iozoneHead struct {
	columns []iozoneFor
	ends    []int // where each column's word ends, in bytes
	cells   []int // which cell each column is in, where tabs or bars part them
}

// iozoneRow holds the numbers of a row by their columns.
type iozoneRow map[iozoneFor]int64

// cells replaces the bars of a Markdown table with blanks.
func cells(line string) string { return strings.ReplaceAll(line, "|", " ") }

// isTableHead finds the second line of the head of iozone's table. Older versions print KB.
func isTableHead(line string) bool {
	fields := strings.Fields(cells(strings.ToLower(line)))
	return len(fields) > 2 && (fields[0] == "kb" && fields[1] == "reclen" || fields[0] == "reclen" && fields[1] == "write")
}

// word is a word of a line, its place, and its cell. Tabs or the bars of Markdown separate cells.
type word struct {
	text             string
	start, end, cell int
}

func wordsOf(line string) []word {
	var all []word
	start, cell := 0, 0
	for at := 0; at <= len(line); at++ {
		if at < len(line) && line[at] != ' ' && line[at] != '\t' && line[at] != '|' {
			continue
		}
		if start < at {
			all = append(all, word{line[start:at], start, at, cell})
		}
		if at < len(line) && line[at] != ' ' {
			cell++
		}
		start = at + 1
	}
	return all
}

// joinRandom joins the two words that people write in one line instead of in two lines.
var joinRandom = strings.NewReplacer("random read", "random_read", "random write", "random_write")

// headOf reads the two lines of a head. Words above the columns tell random reads from others. If people cut that line
// off or shifted it, only iozone's own order of the columns tells them apart.
func headOf(above, line string) (*iozoneHead, error) {
	h := &iozoneHead{}
	line = joinRandom.Replace(strings.ToLower(line))
	words := wordsOf(line)
	isPrefix := len(words) <= len(iozoneNames)
	for i, w := range words {
		h.ends, h.cells = append(h.ends, w.end), append(h.cells, w.cell)
		h.columns = append(h.columns, iozoneFor(i))
		isPrefix = isPrefix && w.text == iozoneNames[i].word
	}
	if isPrefix {
		return h, nil
	}
	if words[0].text == iozoneNames[iozoneRecordKiB].word {
		return nil, errors.New("the table lacks the sizes of the files (kB); copy what iozone itself printed")
	}
	h.columns = nil
	over := wordsOf(strings.ToLower(above))
	known := len(over) > 0
	for _, o := range over {
		known = known && slices.ContainsFunc(iozoneNames, func(n iozoneName) bool {
			return n.above == o.text
		})
	}
	if strings.Contains(line, "random_") {
		known, over = true, nil
	}
	if !known {
		return nil, errors.New("the head of the table doesn't say which columns are of random reads and writes; copy the " +
			"line above it, too")
	}
	for _, w := range words {
		text, joined := strings.CutPrefix(w.text, "random_")
		name := map[bool]string{true: "random"}[joined]
		for i, o := range over {
			if o.start < w.end && w.start < o.end {
				name, over = o.text, slices.Delete(over, i, i+1)
				break
			}
		}
		column := slices.IndexFunc(iozoneNames, func(n iozoneName) bool {
			return n.word == text && n.above == name
		})
		if column < 0 || slices.Contains(h.columns, iozoneFor(column)) {
			return nil, fmt.Errorf("the head of the table has a column %q that iozone doesn't have there", shorten(w.text))
		}
		h.columns = append(h.columns, iozoneFor(column))
	}
	if len(over) > 0 {
		return nil, fmt.Errorf("the word %q stands above no column of the table", over[0].text)
	}
	return h, nil
}

// row reads a row. A number belongs to the column of its cell. Without cells, the numbers belong to the columns in
// order if there are as many of both; otherwise a number belongs to the column that ends where it ends. A test that did
// not run leaves its column empty. expected are the columns of the tests that ran; nil: not known. first is the table's
// first row; nil: none yet.
func (h *iozoneHead) row(line string, expected []iozoneFor, first iozoneRow) (iozoneRow, error) {
	words := wordsOf(line)
	var columns []iozoneFor
	fits := func(is func(column int, w *word) bool) bool {
		columns = columns[:0]
		next := 0
		for i := range words {
			for next < len(h.columns) && !is(next, &words[i]) {
				next++
			}
			if next == len(h.columns) {
				return false
			}
			columns = append(columns, h.columns[next])
			next++
		}
		return true
	}
	ran := slices.DeleteFunc(slices.Clone(expected), func(c iozoneFor) bool { return !slices.Contains(h.columns, c) })
	shift := h.ends[0] - words[0].end // a copied table loses the blanks before it
	byCell := strings.ContainsAny(line, "\t|") && h.cells[len(h.cells)-1] > h.cells[0] &&
		fits(func(column int, w *word) bool { return h.cells[column]-h.cells[0] == w.cell-words[0].cell })
	switch {
	case byCell:
	case len(words) == len(h.columns):
		columns = h.columns
	case len(ran) > 0 && len(words) == len(ran):
		columns = ran
	case fits(func(column int, w *word) bool {
		return max(h.ends[column]-w.end-shift, w.end+shift-h.ends[column]) <= 2
	}):
	default:
		return nil, errors.New("the numbers don't stand below each other as iozone prints them; keep the blanks between " +
			"them when you copy the table")
	}
	r := iozoneRow{}
	for i, w := range words {
		n, ok := count(w.text)
		if !ok {
			return nil, fmt.Errorf("%q is no figure of iozone's", w.text)
		}
		r[columns[i]] = n
	}
	hole := byCell && len(first) > 0 && columns[len(columns)-1] == slices.Max(slices.Collect(maps.Keys(first)))
	switch {
	case len(first) > 0 && len(first) != len(r) && !hole:
		return nil, errors.New("this row has not as many figures as the first; the output is not whole")
	case len(ran) > 0 && len(r) != len(ran):
		return nil, errors.New("this row has not as many figures as the options ask for; the output is not whole")
	case len(r) < 3 || columns[1] != iozoneRecordKiB || r[iozoneRecordKiB] < 1 || r[iozoneRecordKiB] > r[iozoneFileKiB] ||
		r[iozoneRecordKiB] > maxBlock>>10:
		return nil, errors.New("this is no row of iozone's table")
	}
	return r, nil
}
