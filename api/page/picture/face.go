package picture

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/gob"
	"slices"
	"strings"
	"sync"
	"unicode"
)

//go:generate sh -c "cd ../../../site/hugo && go run ./glyphs >../../api/page/picture/glyphs.gob.gz"
//go:embed glyphs.gob.gz
var packed []byte

// glyph is a drawn letter: rows of Width pixels, each a level from 0 to levels, and their offset from the letter's
// place on the line.
type glyph struct {
	Rune        rune
	Advance     int // to the next letter
	X, Y, Width int
	Levels      []byte
}

// face is a font in one size, in pixels.
type face struct {
	Size, Height int // of letters, and of a line
	Glyphs       []glyph
	glyphs       map[rune]glyph
}

// faceSet holds the faces, from the largest to the smallest.
type faceSet struct{ large, bold, smaller, regular *face }

var faces = sync.OnceValue(func() faceSet {
	var all []*face
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err == nil {
		err = gob.NewDecoder(unpacked).Decode(&all)
	}
	if err != nil {
		panic(err) // part of the program
	}
	for _, f := range all {
		f.glyphs = map[rune]glyph{}
		for _, g := range f.Glyphs {
			f.glyphs[g.Rune] = g
		}
	}
	return faceSet{all[0], all[1], all[2], all[3]}
})

// drawable returns a text's letters, with one "…" for any number of letters that the font lacks.
func (f *face) drawable(text string) []rune {
	var to []rune
	missing := false
	for _, r := range text {
		_, ok := f.glyphs[r]
		switch {
		case unicode.IsSpace(r):
			to = append(to, ' ')
		case ok:
			to, missing = append(to, r), false
		case !missing:
			to, missing = append(to, '…'), true
		}
	}
	return []rune(strings.Join(strings.Fields(string(to)), " "))
}

// fits reports whether a text can be written in one line as it is.
func (f *face) fits(text string) bool {
	for _, r := range text {
		if _, ok := f.glyphs[r]; !ok {
			return false
		}
	}
	return !f.wrap(text, inside, 1).cut
}

// wrapped is a text in lines. cut means that not all of it fits.
type wrapped struct {
	text []string
	cut  bool
}

// wrap breaks a text into at most this many lines, between words if it can.
func (f *face) wrap(text string, width, most int) (to wrapped) {
	rest := f.drawable(text)
	for len(rest) > 0 && len(to.text) < most {
		n := f.fitting(rest, width)
		if n < len(rest) && len(to.text) == most-1 {
			n = f.fitting(rest, width-f.glyphs['…'].Advance)
			to.text, to.cut = append(to.text, strings.TrimRight(string(rest[:n]), " …")+"…"), true
			break
		}
		if n < len(rest) && rest[n] != ' ' {
			for i := n - 1; i > 0; i-- {
				if rest[i] == ' ' {
					n = i
					break
				}
			}
		}
		to.text = append(to.text, string(rest[:n]))
		rest = []rune(strings.TrimLeft(string(rest[n:]), " "))
	}
	return to
}

// fitting returns how many of the first letters fit into a width.
func (f *face) fitting(text []rune, width int) int {
	n := slices.IndexFunc(text, func(r rune) bool {
		width -= f.glyphs[r].Advance
		return width < 0
	})
	if n < 0 {
		return len(text)
	}
	return n
}
