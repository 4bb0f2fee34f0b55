package picture

import (
	"bytes"
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var (
	update = flag.Bool("update", false, "write the picture of all other pages")
	keep   = flag.String("pictures", "", "folder for the pictures, to look at them")
)

// Any text is drawn inside the margins. If it is too long, it ends with "…".
func TestTextStaysInside(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]Picture{
		"usual": {Title: "SanDisk Extreme A1 32 GB microSD", Figure: "512 IOPS",
			Notes: []string{"4K random writes, measured by 3 contributors",
				"461 to 586 with 95 % confidence, rank 3 to 5 of 40"}},
		"three lines": {Title: "SiliconGo SPeMMC 8 GB", Figure: "123,456 IOPS",
			Notes: []string{"4K random writes, expected from published figures",
				"41,680 to 365,900 with 95 % confidence, rank 1,015 to 1,124 of 1,191"}},
		"nothing": {},
		"long": {Title: strings.Repeat("Extraordinarily quick ", 40), Figure: strings.Repeat("1,234,567 to ", 9),
			Notes: []string{strings.Repeat("measured ", 200), "a", "b"}},
		"one word": {Title: strings.Repeat("W", 5000), Figure: strings.Repeat("9", 300),
			Notes: []string{"a", "b", "c", strings.Repeat("@", 400)}},
		"hostile": {Title: "<script>alert(1)</script> \u202egnol\u202c 64 GB USB", Figure: "<b>1</b> IOPS",
			Notes: []string{"a\x00b\nc\td \xff\xfe &amp; {{ .x }}", ""}},
		"other letters": {Title: "闪迪 至尊高速 💾💾 Кингстон 64 GB microSD ÄÖÜßé", Figure: "1 IOPS",
			Notes: []string{"測量"}},
		"list": {Title: "Which card for 💾 Steam Deck?",
			List:  []string{"1  " + strings.Repeat("W", 90), "2  Card", "", "3", "4", "5", "6", "7", "8", "9"},
			Notes: []string{strings.Repeat("The slot carries at most 90 MB/s. ", 9)}},
	} {
		text, err := p.PNG()
		if err != nil {
			t.Fatal(err)
		}
		if *keep != "" {
			if err := os.WriteFile(filepath.Join(*keep, name+".png"), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		drawn, err := png.Decode(bytes.NewReader(text))
		if err != nil || drawn.Bounds() != image.Rect(0, 0, Width, Height) {
			t.Fatal(name, err)
		}
		ink, outside, inside := 0, 0, image.Rect(margin-3, barHeight, Width-margin+3, Height-margin/3)
		for y := barHeight; y < Height; y++ {
			for x := range Width {
				if drawn.At(x, y) == palette[0] {
					continue
				}
				if ink++; !image.Pt(x, y).In(inside) {
					outside++
				}
			}
		}
		if outside > 0 || ink < 3000 {
			t.Errorf("%s: %d pixels of ink, of which %d are outside of the margins", name, ink, outside)
		}
		if len(text) > 40_000 {
			t.Errorf("%s: %d bytes", name, len(text))
		}
	}
}

func TestTextIsBrokenBetweenWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"SanDisk Extreme": "SanDisk Extreme", "": "", " \n ": "",
		"SanDisk Extreme A1 32 GB microSD card": "SanDisk Extreme A1 32 GB|microSD card",
		"闪迪 至尊高速 💾 64 GB":                       "… 64 GB",
		strings.Repeat("W", 30):                 strings.Repeat("W", 16) + "|" + strings.Repeat("W", 14),
		strings.Repeat("W", 90):                 strings.Repeat("W", 16) + "|" + strings.Repeat("W", 15) + "…",
	} {
		if got := strings.Join(faces().bold.wrap(text, inside, 2).text, "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// The picture for pages without their own is drawn in the same way.
func TestPictureOfTheSite(t *testing.T) {
	t.Parallel()
	const file = "../../../site/static/share.png"
	drawn, err := Picture{Title: "How fast is that card, really?",
		List:  []string{"4K random writes differ more than a hundredfold", "between cards that look alike."},
		Notes: []string{"SD, microSD, CF, USB and eMMC flash modules,", "measured by the people who own them"}}.PNG()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, drawn, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(file); err != nil || !bytes.Equal(kept, drawn) {
		t.Errorf("%s is another picture: run this test with -update (%v)", file, err)
	}
}

func BenchmarkPicture(b *testing.B) {
	p := Picture{Title: "SanDisk Extreme A1 32 GB microSD", Figure: "512 IOPS", Notes: []string{
		"4K random writes, measured by 3 contributors", "461 to 586 with 95 % confidence, rank 3 to 5 of 40"}}
	size := 0
	for b.Loop() {
		text, err := p.PNG()
		if err != nil {
			b.Fatal(err)
		}
		size = len(text)
	}
	b.ReportMetric(float64(size), "bytes")
}
