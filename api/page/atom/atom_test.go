package atom

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// Whatever a text contains, the feed is well-formed, and a reader gets the text without the characters that can't be
// shown.
func TestAnyTextIsText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Samsung EVO Plus 32 GB: 512 IOPS":           "Samsung EVO Plus 32 GB: 512 IOPS",
		"]]></title><script>alert(1)</script>&amp;":  "]]></title><script>alert(1)</script>&amp;",
		"nul \x00, bell \a, delete \x7f, \ufffe":     "nul \ufffd, bell \ufffd, delete \ufffd, \ufffd",
		"\xff\xfe no UTF-8":                          "\ufffd\ufffd no UTF-8",
		"turns \u202e round":                         "turns \ufffd round",
		"two\r\nlines":                               "two\ufffd\ufffdlines",
		"<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTI": "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTI",
		"99\u00a0% of Müller’s 東芝 cards 😀":           "99\u00a0% of Müller’s 東芝 cards 😀",
	} {
		f := Feed{Title: text, ID: "https://flashdex.example/?a=1&b='\"<", Entries: []Entry{{
			Title: text, Summary: text, ID: "urn:uuid:1", Page: "https://flashdex.example/r/1",
			Updated: time.Date(2026, 11, 25, 0, 0, 0, 0, time.FixedZone("", 3600)),
		}}}
		out := f.XML()
		if !utf8.Valid(out) || strings.Count(string(out), "<entry>") != 1 {
			t.Fatalf("%q: %s", text, out)
		}
		decoder := xml.NewDecoder(strings.NewReader(string(out)))
		for {
			if _, err := decoder.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%q: %v\n%s", text, err, out)
			}
		}
		var read feed
		if err := xml.Unmarshal(out, &read); err != nil {
			t.Fatal(err)
		}
		e := read.Entries[0]
		if read.Title != want || e.Title != want || e.Summary != want || read.ID != f.ID ||
			read.Updated != "2026-11-24T23:00:00Z" || e.Updated != read.Updated {
			t.Errorf("%q is read as %+v", text, read)
		}
	}
	if empty := new(Feed).XML(); !strings.Contains(string(empty), "<updated>1970-01-01T00:00:00Z</updated>") {
		t.Errorf("a feed of nothing: %s", empty)
	}
}
