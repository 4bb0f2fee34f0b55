// Command glyphs writes the letters that api/page/picture draws, in sizes that it needs, from the fonts of Go
// (https://go.dev/blog/go-fonts, the licence of Go). It is here, because Hugo brings the package that reads fonts.
package main

import (
	"compress/gzip"
	"encoding/gob"
	"image/color"
	"log"
	"os"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// levels is how many steps there are from paper to ink: with three inks they fill a palette of 16 colours.
const levels = 5

// glyph and face are as in api/page/picture, which explains the fields.
type glyph struct {
	Rune        rune
	Advance     int
	X, Y, Width int
	Levels      []byte
}

type face struct {
	Size, Height int
	Glyphs       []glyph
}

func main() {
	letters := []rune("–—‘’“”…≤≥™")
	for r := ' '; r <= 0xff; r++ {
		if r < 0x7f || r > 0xa0 && r != 0xad {
			letters = append(letters, r)
		}
	}
	packed, err := gzip.NewWriterLevel(os.Stdout, gzip.BestCompression)
	if err != nil {
		log.Fatal(err)
	}
	err = gob.NewEncoder(packed).Encode([]face{
		drawn(gobold.TTF, 132, []rune(" ,.0123456789IOPSto")), drawn(gobold.TTF, 68, letters),
		drawn(gobold.TTF, 48, letters), drawn(goregular.TTF, 40, letters),
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := packed.Close(); err != nil {
		log.Fatal(err)
	}
}

// drawn draws letters in a size in pixels.
func drawn(ttf []byte, size int, letters []rune) face {
	parsed, err := opentype.Parse(ttf)
	if err != nil {
		log.Fatal(err)
	}
	from, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: float64(size), DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		log.Fatal(err)
	}
	to := face{Size: size, Height: from.Metrics().Height.Ceil()}
	for _, r := range letters {
		at, mask, corner, advance, ok := from.Glyph(fixed.Point26_6{}, r)
		if !ok {
			log.Fatalf("the font lacks %q", r)
		}
		g := glyph{Rune: r, Advance: advance.Round(), X: at.Min.X, Y: at.Min.Y, Width: at.Dx()}
		for y := range at.Dy() {
			for x := range at.Dx() {
				covered := color.AlphaModel.Convert(mask.At(corner.X+x, corner.Y+y)).(color.Alpha).A
				g.Levels = append(g.Levels, byte((int(covered)*levels+127)/255))
			}
		}
		to.Glyphs = append(to.Glyphs, g)
	}
	return to
}
