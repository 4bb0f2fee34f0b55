package transcript

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"flashdex/result"
)

// jsonKinds are the JSON documents that can be read. A key at the top identifies each.
var jsonKinds = []struct {
	tool, key string
	read      func(s *section, data []byte) error
}{
	{result.ToolFio, "fio version", fioJSON},
	{result.ToolImager, "histograms", imager},
}

// holdsKnownJSON reports whether a text holds the key of a JSON document that can be read.
func holdsKnownJSON(content string) bool {
	for _, kind := range jsonKinds {
		if strings.Contains(content, `"`+kind.key+`"`) {
			return true
		}
	}
	return false
}

// maxStrange limits the unknown JSON documents in a text. After that many, no more are looked at.
const maxStrange = 100

func jsonBegins(t *text) bool {
	return t.json && t.strange < maxStrange && strings.HasPrefix(strings.TrimSpace(t.line()), "{")
}

// lineReader reads lines one by one. A document of a few lines needs no copy of the whole text.
type lineReader struct {
	lines []string
	part  string
}

func (r *lineReader) Read(p []byte) (int, error) {
	for r.part == "" {
		if len(r.lines) == 0 {
			return 0, io.EOF
		}
		r.part, r.lines = r.lines[0]+"\n", r.lines[1:]
	}
	n := copy(p, r.part)
	r.part = r.part[n:]
	return n, nil
}

// readJSON reads a JSON document and goes on after it.
func readJSON(s *section) error {
	s.tool = "JSON"
	s.strange++
	decoder := json.NewDecoder(&lineReader{lines: s.lines[s.at:]})
	var raw json.RawMessage
	if err := decoder.Decode(&raw); err != nil {
		for s.at++; s.at < len(s.lines) && s.lines[s.at-1] != "}"; {
			s.at++
		}
		return fmt.Errorf("it is damaged or not whole: %w", err)
	}
	for end := decoder.InputOffset(); end > 0; s.at++ {
		end -= int64(len(s.line())) + 1
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(raw, &keys); err != nil {
		return err
	}
	for _, kind := range jsonKinds {
		if _, ok := keys[kind.key]; ok {
			s.tool = kind.tool
			s.strange--
			return kind.read(s, raw)
		}
	}
	return errors.New("of no tool that can be read")
}
