// Package atom writes Atom feeds (RFC 4287).
package atom

import (
	"encoding/xml"
	"strings"
	"time"
	"unicode"
)

// Author is the author of every entry.
const Author = "Contributors of Flashdex"

// Feed is a feed of entries, the newest first. Its bytes depend on nothing else.
type Feed struct {
	Title   string
	ID      string // an address that never changes
	Self    string // the feed's own address
	Page    string // the page whose feed it is
	Entries []Entry
}

// Entry is one entry of a feed.
type Entry struct {
	Title, Summary string // any text
	ID             string // unique among the entries of all feeds in all publications
	Page           string // address
	Updated        time.Time
}

// The elements of a feed.
type (
	feed struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		Title   string   `xml:"title"`
		ID      string   `xml:"id"`
		Updated string   `xml:"updated"`
		Author  string   `xml:"author>name"`
		Links   []link   `xml:"link"`
		Entries []entry  `xml:"entry"`
	}
	link struct {
		Rel  string `xml:"rel,attr"`
		Href string `xml:"href,attr"`
	}
	entry struct {
		Title   string `xml:"title"`
		ID      string `xml:"id"`
		Updated string `xml:"updated"`
		Link    link   `xml:"link"`
		Summary string `xml:"summary,omitempty"`
	}
)

// XML returns the feed as a file. A feed without entries is dated 1970, because the time of a build is no news.
func (f *Feed) XML() []byte {
	updated := time.Unix(0, 0)
	out := feed{
		Title: plain(f.Title), ID: f.ID, Author: Author, Links: []link{{"self", f.Self}, {"alternate", f.Page}},
	}
	for _, e := range f.Entries {
		out.Entries = append(out.Entries, entry{
			Title: plain(e.Title), ID: e.ID, Updated: stamp(e.Updated), Link: link{"alternate", e.Page},
			Summary: plain(e.Summary),
		})
		if e.Updated.After(updated) {
			updated = e.Updated
		}
	}
	out.Updated = stamp(updated)
	text, err := xml.MarshalIndent(out, "", " ")
	if err != nil {
		panic(err) // can't fail: all fields are strings
	}
	return append([]byte(xml.Header), append(text, '\n')...)
}

func stamp(at time.Time) string { return at.UTC().Format(time.RFC3339) }

// plain replaces characters that readers can't show: control characters, most of which XML forbids, and characters that
// change the direction of the following text.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) && r != '\u00a0' {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
