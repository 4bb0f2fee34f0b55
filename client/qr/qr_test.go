package qr

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Somebody else's decoder reads the texts, from the modules and from what the terminal shows.
func TestADecoderReadsIt(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("zbarimg"); err != nil {
		t.Skip("needs zbarimg of Debian's zbar-tools")
	}
	texts := []string{"https://flashdex.example/r/0198f2c4-7a3b-7c11-9d5e-3f2a1b0c9d8e",
		"http://localhost:8080/r/01a21a4d-4000-7683-bb7a-9c4da5f6daf8"}
	for n := 1; n <= 106; n += 3 { // including the limits of the versions: 17, 32, 53, 78, 106
		texts = append(texts, strings.Repeat("https://a.example/0123456789", 4)[:n])
	}
	for _, n := range []int{17, 18, 32, 33, 53, 54, 78, 79} {
		texts = append(texts, strings.Repeat("x", n))
	}
	for _, text := range texts {
		code, err := Encode(text)
		if err != nil {
			t.Fatal(err)
		}
		for name, dark := range map[string]func(row, column int) bool{"modules": code.Dark, "blocks": shown(t, code)} {
			if got := decoded(t, len(code), dark); got != text {
				t.Errorf("%s of %q were read as %q", name, text, got)
			}
		}
	}
}

// shown returns the modules that the blocks show.
func shown(t *testing.T, code Code) func(row, column int) bool {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(regexp.MustCompile("\x1b[^m]*m").ReplaceAllString(code.Blocks(), ""), "\n"),
		"\n")
	if 2*len(lines)-code.Width() > 1 {
		t.Errorf("%d lines for a width of %d", len(lines), code.Width())
	}
	return func(row, column int) bool {
		row, column = row+Quiet, column+Quiet
		if row < 0 || column < 0 || row/2 >= len(lines) || column >= code.Width() {
			return false
		}
		half := "▀█"
		if row%2 == 1 {
			half = "▄█"
		}
		return strings.ContainsRune(half, []rune(lines[row/2])[column])
	}
}

// decoded draws modules with their quiet zone and returns what zbarimg reads.
func decoded(t *testing.T, size int, dark func(row, column int) bool) string {
	t.Helper()
	const scale = 4
	width := (size + 2*Quiet) * scale
	drawn := image.NewGray(image.Rect(0, 0, width, width))
	for y := range width {
		for x := range width {
			shade := color.White
			if dark(y/scale-Quiet, x/scale-Quiet) {
				shade = color.Black
			}
			drawn.Set(x, y, shade)
		}
	}
	path := filepath.Join(t.TempDir(), "code.png")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := png.Encode(file, drawn); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", path).Output()
	if err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(string(out), "\n")
}

func TestLongerTextsAreRefused(t *testing.T) {
	t.Parallel()
	for n, fits := range map[int]bool{0: true, 106: true, 107: false, 5000: false} {
		if code, err := Encode(strings.Repeat("x", n)); (err == nil) != fits || (code != nil) != fits {
			t.Errorf("%d bytes: %d rows, %v", n, len(code), err)
		}
	}
}
