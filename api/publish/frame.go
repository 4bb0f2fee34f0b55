package publish

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/page/frame"
)

// Hugo makes one frame for the pages of all modules, as the page of a module that there isn't, since they differ in title, address and what
// modulepage.html made; to make each took most of its time.
const (
	framePath = "/r/module/"
	frameBody = "<!--flashdex:module-->" // data/frame.html
)

var reFrameMark = regexp.MustCompile("flashdex:title|" + framePath + "|" + frameBody)

// moduleFrame is that page between its marks: the title twice, around the address, and what the page shows.
type moduleFrame [5]string

// readModuleFrame takes the frame out of a site that Hugo has made.
func readModuleFrame(destination string) (f moduleFrame, err error) {
	file := pageFile(destination, framePath)
	text, err := os.ReadFile(file)
	if err != nil {
		return f, fmt.Errorf("publish: %w", err)
	}
	if marks := reFrameMark.FindAllString(string(text), -1); !slices.Equal(marks, []string{"flashdex:title", framePath, "flashdex:title", frameBody}) {
		return f, fmt.Errorf("publish: the frame of modules' pages has other places to fill than title, address, title and body: %q", marks)
	}
	copy(f[:], reFrameMark.Split(string(text), -1))
	return f, os.RemoveAll(filepath.Dir(file))
}

// plainText escapes a text as Hugo's templates do.
var plainText = template.Must(template.New("text").Parse("{{ . }}"))

// fill writes the page of a module around its body.
func (f moduleFrame) fill(page *bytes.Buffer, slug, name string, body io.Reader) error {
	var title strings.Builder
	if err := plainText.Execute(&title, frame.Title(name)); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	for i, text := range [...]string{title.String(), modulePath(slug), title.String()} {
		page.WriteString(f[i])
		page.WriteString(text)
	}
	page.WriteString(f[3])
	if _, err := page.ReadFrom(body); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	page.WriteString(f[4])
	return nil
}

// placeModulePages writes the pages of the modules, but of those that are kept.
func (s *site) placeModulePages(destination string) error {
	f, err := readModuleFrame(destination)
	if err != nil {
		return err
	}
	var page bytes.Buffer // one for all: making room for each takes longer than filling it
	for _, m := range s.snapshot.Modules {
		if s.reuse.kept[modulePath(m.Slug)] {
			continue
		}
		page.Reset()
		if err := s.placeModulePage(destination, m, f, &page); err != nil {
			return err
		}
	}
	return nil
}

func (s *site) placeModulePage(destination string, m catalogue.Module, f moduleFrame, page *bytes.Buffer) error {
	body, err := os.Open(filepath.Join(s.input, "modules", m.Slug+".html"))
	if err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	defer body.Close()
	if err := f.fill(page, m.Slug, m.Name(), body); err != nil {
		return err
	}
	file := pageFile(destination, modulePath(m.Slug))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	if err := os.WriteFile(file, page.Bytes(), 0o644); err != nil {
		return fmt.Errorf("publish: %w", err)
	}
	return nil
}
