package dataset

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// MonthsForm is the version of the rules by which a month's files are made from documents. A snapshot takes over
// files of the snapshot before only if they have this version.
const MonthsForm = 1

// Document is an uploaded document as the data set publishes it.
type Document struct {
	// Line is the document on one line, without the time at which it was started: only the day of receipt is published.
	Line string
	// Samples has a row for each test, in the order of the table's key.
	Samples []Sample
}

// ReadDocument reads a document that was checked when it was uploaded.
func ReadDocument(id string, text []byte) (d Document, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("dataset: the document of %s: %w", id, err)
		}
	}()
	if bytes.ContainsAny(text, "\n\r\t") || bytes.Contains(text, []byte(`": `)) { // our clients write no spaces
		var compact bytes.Buffer
		if err := json.Compact(&compact, text); err != nil {
			return d, err
		}
		text = compact.Bytes()
	}
	d.Line = withoutStart(string(text))
	var arrays arrays
	var read struct {
		Start json.RawMessage `json:"started_at"`
		Tests []Sample        `json:"tests"`
	}
	if err := json.Unmarshal([]byte(arrays.cutFrom(d.Line)), &read); err != nil {
		return d, err
	}
	d.Samples = read.Tests
	for i := range d.Samples {
		d.Samples[i].Result = id
		arrays.putInto(&d.Samples[i])
	}
	slices.SortFunc(d.Samples, func(a, b Sample) int {
		return cmp.Or(cmp.Compare(a.Test, b.Test), cmp.Compare(a.BlockBytes, b.BlockBytes))
	})
	if read.Start == nil {
		return d, nil
	}
	// withoutStart didn't find it: there are spaces around its name, or escapes in it.
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return d, err
	}
	delete(members, "started_at")
	rest, err := json.Marshal(members)
	d.Line = string(rest)
	return d, err
}

// withoutStart cuts the member started_at out of a document. A string can't hold what it looks for, since the quotes
// would be escaped.
func withoutStart(line string) string {
	before, rest, found := strings.Cut(line, `"started_at":"`)
	_, after, closed := strings.Cut(rest, `"`)
	switch {
	case !found || !closed:
		return line
	case strings.HasPrefix(after, ","):
		return before + after[1:]
	}
	return strings.TrimSuffix(before, ",") + after
}

// arrays holds the long arrays of a document: histograms, batches and intervals. They are nearly all of its bytes and
// are published as they are. Decoding them would take most of the time of an export.
type arrays []string

// cutFrom cuts the long arrays out of a document and puts their numbers in their places. It leaves an array that our
// clients would not write in this form. The arrays hold no strings and no other arrays.
func (a *arrays) cutFrom(line string) string {
	for _, of := range []struct{ name, first, last string }{
		{`"latency":`, "[[", "]]"}, {`"batches":`, "[{", "}]"}, {`"intervals":`, "[{", "}]"},
	} {
		var short strings.Builder
		for {
			before, rest, found := strings.Cut(line, of.name)
			short.WriteString(before)
			if !found {
				break
			}
			short.WriteString(of.name)
			end := strings.Index(rest, of.last) + len(of.last)
			if strings.HasPrefix(rest, of.first) && end >= len(of.last) && !strings.ContainsAny(rest[:end], " \t\r\n") {
				short.WriteString(strconv.Itoa(len(*a)))
				*a, rest = append(*a, rest[:end]), rest[end:]
			}
			line = rest
		}
		line = short.String()
	}
	return line
}

// putInto puts the arrays of a test back into their places.
func (a arrays) putInto(s *Sample) {
	for _, field := range []*RawJSON{&s.Intervals, &s.Batches, &s.LatencyCounts} {
		if n, err := strconv.Atoi(string(*field)); err == nil {
			*field = RawJSON(a[n])
		}
	}
}
