// Package picture draws the pictures that other sites show beside links to pages. It needs no package that draws
// letters: the letters are drawn beforehand. So a picture takes a few milliseconds, and the width of a text is known.
package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"sync"
)

// Width and Height of all pictures in pixels, as other sites require them (https://ogp.me and their own pages).
const Width, Height = 1200, 630

// Places in pixels. Only the bar at the top is outside the margins.
const (
	margin     = 72
	inside     = Width - 2*margin
	barHeight  = 12
	markTop    = 48
	markSide   = 52
	titleTop   = 132
	figureBase = 432
	foot       = 42 // below the notes
	listGap    = 10 // between the lines of a list
	maxNotes   = 3  // lines
)

// Picture holds the texts of a picture, from the top. Texts that are too long are cut, and letters that can't be drawn
// become one "…".
type Picture struct {
	Title  string
	Figure string   // with its unit, in large letters; empty: none
	List   []string // one line each, if there is no figure
	Notes  []string // at the bottom, each on a line of its own
}

// palette holds paper and then each ink from faint to full, in levels steps. The colours are from
// site/assets/css/tokens.css.
var palette = blend(color.RGBA{0xfc, 0xfc, 0xfa, 255}, color.RGBA{0x12, 0x18, 0x1b, 255},
	color.RGBA{0x0a, 0x64, 0x78, 255}, color.RGBA{0x56, 0x62, 0x6a, 255})

const levels = 5

// ink is an index into the palette. The ink's faintest level follows it.
type ink byte

const (
	dark   ink = 0
	accent ink = levels
	muted  ink = 2 * levels
)

func blend(paper color.RGBA, inks ...color.RGBA) color.Palette {
	all := color.Palette{paper}
	for _, to := range inks {
		for level := 1; level <= levels; level++ {
			mix := func(a, b uint8) uint8 { return uint8((int(a)*(levels-level) + int(b)*level) / levels) }
			all = append(all, color.RGBA{mix(paper.R, to.R), mix(paper.G, to.G), mix(paper.B, to.B), 255})
		}
	}
	return all
}

// PNG draws the picture.
func (p Picture) PNG() ([]byte, error) {
	sheet := canvas{image.NewPaletted(image.Rect(0, 0, Width, Height), palette)}
	copy(sheet.Pix, base().Pix)
	f := faces()
	title, lines := f.bold, f.bold.wrap(p.Title, inside, 2)
	if lines.cut {
		title, lines = f.smaller, f.smaller.wrap(p.Title, inside, 3)
	}
	bottom := sheet.write(title, dark, titleTop, lines.text)
	var notes []string
	for _, note := range p.Notes {
		notes = append(notes, f.regular.wrap(note, inside, maxNotes-len(notes)).text...)
	}
	top := Height - foot - len(notes)*f.regular.Height
	sheet.write(f.regular, muted, top, notes)
	if p.Figure != "" {
		of := f.large
		if !of.fits(p.Figure) {
			of = f.bold
		}
		sheet.write(of, accent, figureBase-of.Size, of.wrap(p.Figure, inside, 1).text)
	} else {
		bottom += 2 * listGap
		for _, text := range p.List {
			if bottom+f.regular.Height+listGap <= top {
				bottom = listGap + sheet.write(f.regular, dark, bottom, f.regular.wrap(text, inside, 1).text)
			}
		}
	}
	var to bytes.Buffer
	if err := encoder.Encode(&to, sheet.Paletted); err != nil {
		return nil, fmt.Errorf("picture: %w", err)
	}
	return to.Bytes(), nil
}

// canvas is a picture that is being drawn.
type canvas struct{ *image.Paletted }

// base is the part that all pictures share: the bar at the top, the mark and the name of the site.
var base = sync.OnceValue(func() canvas {
	c := canvas{image.NewPaletted(image.Rect(0, 0, Width, Height), palette)}
	full := func(of ink) uint8 { return uint8(of) + levels }
	c.fill(image.Rect(0, 0, Width, barHeight), full(accent))
	c.fill(image.Rect(margin, markTop, margin+markSide, markTop+markSide), full(accent))
	for i, height := range []int{30, 9, 20, 13} { // the bars of site/static/favicon.svg
		left, foot := margin+10+9*i, markTop+markSide-11
		c.fill(image.Rect(left, foot-height, left+5, foot), 0)
	}
	c.line(faces().smaller, dark, margin+markSide+15, markTop+46, "Flashdex")
	return c
})

func (c canvas) fill(r image.Rectangle, index uint8) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := c.Pix[c.PixOffset(r.Min.X, y):c.PixOffset(r.Max.X, y)]
		for x := range row {
			row[x] = index
		}
	}
}

// write writes lines one below the other, and returns where the next one would begin.
func (c canvas) write(f *face, of ink, top int, lines []string) int {
	for _, text := range lines {
		c.line(f, of, margin, top+f.Size, text)
		top += f.Height
	}
	return top
}

// line writes one line of letters that the font has, beginning at a point on the baseline.
func (c canvas) line(f *face, of ink, x, base int, text string) {
	for _, r := range text {
		g := f.glyphs[r]
		for i, level := range g.Levels {
			at := image.Pt(x+g.X+i%g.Width, base+g.Y+i/g.Width)
			if level > 0 && at.In(c.Rect) {
				c.Pix[c.PixOffset(at.X, at.Y)] = uint8(of) + level
			}
		}
		x += g.Advance
	}
}

// buffers reuses an encoder's memory.
type buffers struct{ sync.Pool }

func (b *buffers) Get() *png.EncoderBuffer {
	buffer, _ := b.Pool.Get().(*png.EncoderBuffer)
	return buffer
}

func (b *buffers) Put(buffer *png.EncoderBuffer) { b.Pool.Put(buffer) }

// Better compression saves a tenth of the bytes and takes twice as long.
var encoder = png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: &buffers{}}
