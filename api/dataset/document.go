package dataset

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"flashdex/result"
)

// MonthsForm numbers what the files of a month hold of the same documents. A snapshot takes over those of the snapshot before only if they are of this form.
const MonthsForm = 1

// Document is an uploaded document as it is published.
type Document struct {
	// Parts make one line: all but when it was started, since the day of receipt is published, not the time.
	Parts [2]string
	// Samples are what it holds of each test, in the order of the table's key.
	Samples []Sample
}

// Read reads a document, which was checked when it was uploaded. It overwrites the one that was read before.
//
// Documents are nearly all bytes of a data set, so this goes through each once and decodes nothing but a few numbers.
func (d *Document) Read(id string, text []byte) error {
	if d.read(id, string(text)) {
		return nil
	}
	// It is not as our clients write it.
	var small bytes.Buffer
	if json.Compact(&small, text) == nil && d.read(id, small.String()) {
		return nil
	}
	plain, err := anew(text)
	if err == nil && !d.read(id, string(plain)) {
		err = errors.New("it is not as it was when it was checked")
	}
	if err != nil {
		return fmt.Errorf("dataset: the document of %s: %w", id, err)
	}
	return nil
}

// anew writes a document in the form that read reads.
func anew(text []byte) ([]byte, error) {
	var d struct {
		result.Document
		Tests []any `json:"tests"`
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&d); err != nil {
		return nil, err
	}
	return json.Marshal(&d)
}

// read reports whether the document is as our clients write it: no space but in strings, no escapes in names.
func (d *Document) read(id, text string) bool {
	s := scanner{text: text}
	from, to, tests := 0, 0, 0
	d.Samples = d.Samples[:0]
	s.members(func(name string, at int) {
		switch name {
		case "started_at":
			s.skip()
			s.must(to == 0 && s.take(','))
			from, to = at, s.at
			s.at-- // the comma is what members looks for
		case "tests":
			tests++
			s.elements(func() {
				d.Samples = append(d.Samples, Sample{Result: id})
				s.sample(&d.Samples[len(d.Samples)-1])
			})
		default:
			s.skip()
		}
	})
	d.Parts = [2]string{text[:from], text[to:]}
	slices.SortFunc(d.Samples, func(a, b Sample) int {
		return cmp.Or(cmp.Compare(a.Test, b.Test), cmp.Compare(a.BlockBytes, b.BlockBytes))
	})
	return !s.failed && s.at == len(text) && to > 0 && tests == 1
}

func (s *scanner) sample(to *Sample) {
	s.members(func(name string, _ int) {
		switch name {
		case "name":
			to.Test = s.plain()
		case "engine":
			to.Engine = s.plain()
		case "direct":
			to.Direct = s.skip() == "true"
		case "block_bytes":
			to.BlockBytes = s.whole()
		case "area_bytes":
			to.AreaBytes = s.whole()
		case "ops":
			to.Ops = s.whole()
		case "bytes":
			to.Bytes = s.whole()
		case "duration_ns":
			to.DurationNS = s.whole()
		case "warmup_ops":
			to.WarmupOps = s.whole()
		case "warmup_ns":
			to.WarmupNS = s.whole()
		case "overhead_ns":
			to.OverheadNS = s.whole()
		case "device_bytes":
			to.DeviceBytes = s.whole()
		case "intervals":
			to.Intervals = s.skip()
		case "batches":
			to.Batches = s.skip()
		case "latency":
			to.LatencyCounts = s.skip()
		default:
			s.skip()
		}
	})
}
