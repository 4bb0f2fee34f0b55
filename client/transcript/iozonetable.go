package transcript

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// iozoneFor is the number of a column of iozone's table, from 0 on.
type iozoneFor int

const iozoneFileKiB, iozoneRecordKiB iozoneFor = 0, 1

type iozoneName struct{ above, word, number, test string }

// iozoneNames are the columns of iozone's table: the word above, the word in the head, iozone's number of the test
// (-i), and the test, which Flashdex doesn't have for all of them.
var iozoneNames = func() (names []iozoneName) {
	for column := range strings.SplitSeq("/kb//,/reclen//,/write/0/seq-write,/rewrite/0/seq-rewrite,/read/1/seq-read,"+
		"/reread/1/seq-reread,random/read/2/rand-read,random/write/2/rand-write,bkwd/read/3/,record/rewrite/4/,"+
		"stride/read/5/,/fwrite/6/,/frewrite/6/,/fread/7/,/freread/7/", ",") {
		parts := strings.Split(column, "/")
		names = append(names, iozoneName{parts[0], parts[1], parts[2], parts[3]})
	}
	return names
}()

// columnsOf returns the columns that iozone fills for these tests (-i); for none, all columns.
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
	tabs    []int // which cell each column is in, where tabs part them
}

// iozoneRow holds the numbers of a row by their columns.
type iozoneRow map[iozoneFor]int64

// cells makes blanks of the bars of a Markdown table.
func cells(line string) string { return strings.ReplaceAll(line, "|", " ") }

// isTableHead finds the second line of the head of iozone's table. Older versions print KB.
func isTableHead(line string) bool {
	fields := strings.Fields(cells(line))
	return len(fields) > 2 && strings.EqualFold(fields[0], "kb") && strings.EqualFold(fields[1], "reclen")
}

// word is a word of a line with the place of its end, and the tab-parted cell that it is in.
type word struct {
	text            string
	start, end, tab int
}

func wordsOf(line string) []word {
	var all []word
	for at := 0; at < len(line); {
		if line[at] == ' ' || line[at] == '\t' {
			at++
			continue
		}
		end := at + len(line[at:])
		if i := strings.IndexAny(line[at:], " \t"); i >= 0 {
			end = at + i
		}
		all = append(all, word{line[at:end], at, end, strings.Count(line[:at], "\t")})
		at = end
	}
	return all
}

// headOf reads the two lines of a head. Words above the columns tell random reads from others; where people cut that
// line off or shifted it, only the order of iozone's own columns does.
func headOf(above, line string) (*iozoneHead, error) {
	h := &iozoneHead{}
	words := wordsOf(strings.ToLower(cells(line)))
	for _, w := range words {
		h.ends, h.tabs = append(h.ends, w.end), append(h.tabs, w.tab)
	}
	isPrefix := len(words) <= len(iozoneNames)
	for i := 0; isPrefix && i < len(words); i++ {
		isPrefix = words[i].text == iozoneNames[i].word
		h.columns = append(h.columns, iozoneFor(i))
	}
	if isPrefix {
		return h, nil
	}
	h.columns = nil
	over := wordsOf(strings.ToLower(cells(above)))
	known := len(over) > 0
	for _, o := range over {
		known = known && slices.ContainsFunc(iozoneNames, func(n iozoneName) bool {
			return n.above == o.text
		})
	}
	if !known {
		return nil, errors.New("the head of the table doesn't say which columns are of random reads and writes; copy the " +
			"line above it, too")
	}
	for _, w := range words {
		name := ""
		for i, o := range over {
			if o.start < w.end && w.start < o.end {
				name, over = o.text, slices.Delete(over, i, i+1)
				break
			}
		}
		column := slices.IndexFunc(iozoneNames, func(n iozoneName) bool {
			return n.word == w.text && n.above == name
		})
		if column < 0 || slices.Contains(h.columns, iozoneFor(column)) {
			return nil, fmt.Errorf("the head of the table has a column %q that iozone doesn't have there", w.text)
		}
		h.columns = append(h.columns, iozoneFor(column))
	}
	if len(over) > 0 {
		return nil, fmt.Errorf("the word %q stands above no column of the table", over[0].text)
	}
	return h, nil
}

// row reads a row. Each number belongs to the column in whose cell it stands, or if there are as many numbers as
// columns, to the one of its place, or to the one that ends where it ends. A test that did not run leaves its column
// empty. expected are the columns of the tests that ran; nil: not known.
func (h *iozoneHead) row(line string, expected []iozoneFor) (iozoneRow, error) {
	words := wordsOf(cells(line))
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
	byCell := strings.Contains(line, "\t") && h.tabs[len(h.tabs)-1] > h.tabs[0]
	switch {
	case byCell && fits(func(column int, w *word) bool { return h.tabs[column]-h.tabs[0] == w.tab-words[0].tab }):
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
	switch {
	case len(ran) > 0 && len(r) != len(ran):
		return nil, errors.New("this row has not as many figures as the options ask for; the output is not whole")
	case len(r) < 3 || columns[1] != iozoneRecordKiB || r[iozoneRecordKiB] < 1 || r[iozoneRecordKiB] > r[iozoneFileKiB] ||
		r[iozoneRecordKiB] > maxBlock>>10:
		return nil, errors.New("this is no row of iozone's table")
	}
	return r, nil
}
