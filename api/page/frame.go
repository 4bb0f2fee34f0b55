package page

import (
	"bytes"
	"cmp"
	"embed"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure/speedclass"
	"flashdex/api/page/chart"
	"flashdex/result"
	"flashdex/site"
)

// Names of the frames in the published site. Hugo renders them with layouts/answer.frame.html.
const (
	resultFrame  = "r/shell/frame.html"
	searchFrame  = "search/frame.html"
	compareFrame = "compare/frame.html"
)

// Frames lists the names of all frames.
var Frames = []string{resultFrame, searchFrame, compareFrame}

// Page is a page without the frame of the site around it.
type Page struct {
	Title string
	Frame string // the name of its frame
	Body  template.HTML

	// What other sites show beside a link: the address of a picture on this site, and a sentence. Empty: the frame's
	// own.
	Picture, Description string
}

// Frame is a page of the published site in which Hugo left places to fill: a Go template with the fields title, body,
// picture and description.
type Frame struct{ template *template.Template }

//go:embed plain.html
var plain string

// Plain stands in for the site's frames until a site is published.
var Plain = func() *Frame {
	f, err := ParseFrame(plain)
	if err != nil {
		panic(err) // part of the program
	}
	return f
}()

// ParseFrame reads a frame. It checks that the frame shows a title and a body, and uses no unknown fields.
func ParseFrame(text string) (*Frame, error) {
	parsed, err := template.New("frame").Option("missingkey=error").Parse(text)
	if err != nil {
		return nil, fmt.Errorf("page: the frame is no template: %w", err)
	}
	f := &Frame{parsed}
	const title, body = "title-of-a-page", "<b>body-of-a-page</b>"
	filled, err := f.Fill(Page{Title: title, Body: body})
	if err != nil {
		return nil, err
	}
	if !bytes.Contains(filled, []byte("<title>"+title)) || bytes.Count(filled, []byte(body)) != 1 {
		return nil, fmt.Errorf("page: the frame has no title, or not one body: %.200q", text)
	}
	return f, nil
}

// Fill returns a page in the frame.
func (f *Frame) Fill(p Page) ([]byte, error) {
	var html bytes.Buffer
	err := f.template.Execute(&html, map[string]any{
		"title": shorten(p.Title, LongestTitle), "body": p.Body, "picture": cmp.Or(p.Picture, "/share.png"),
		"description": shorten(p.Description, longestDescription),
	})
	if err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	return html.Bytes(), nil
}

// render makes a page with the template of this name.
func render(name, frame, title string, shown any) (Page, error) {
	body, err := execute(name, shown)
	if err != nil {
		return Page{}, fmt.Errorf("page: %w", err)
	}
	return Page{Title: title, Frame: frame, Body: body}, nil
}

// Message shows a sentence to somebody, mostly about an error, and the modules that they may look for.
func Message(title, detail string, near ...catalogue.Module) (Page, error) {
	p, err := render("message.html", resultFrame, title, struct {
		Title, Detail string
		Near          []catalogue.Module
	}{title, detail, near})
	p.Description = detail
	return p, err
}

// partials are the shared partials and the templates of the pages here. Shared partials take JSON objects and call each
// other by partial, as in Hugo. The template of a page takes the page's Go value.
var partials = template.New("")

//go:embed run.html compare.html search.html snapshot.html message.html object.html objected.html
//go:embed import.html imported.html
var pages embed.FS

func init() {
	partials.Funcs(template.FuncMap{
		// Shared partials may call these two, besides Go's own functions. Hugo has functions of the same names.
		"safeHTML": func(svg string) template.HTML { return template.HTML(svg) },
		"partial": func(name string, context any) (template.HTML, error) {
			context, err := contextOf(context)
			if err != nil {
				return "", err
			}
			return execute(name, context)
		},
		"caveat": func() string { return speedclass.Caveat }, "verdicts": VerdictsOf, "signs": signsOf,
		"form": catalogue.FormLabel, "letter": chart.Letter, "join": strings.Join,
		"count": result.Count, "counted": Counted, "exact": result.Exact, "number": result.Number,
		"int": func(n int64) int { return int(n) }, "cells": figureCells,
	})
	shared := site.Partials()
	names, _ := fs.Glob(shared, "shared/*.html") // never fails: the pattern is valid
	for _, name := range names {
		text, err := fs.ReadFile(shared, name)
		if err != nil {
			panic(err) // part of the program
		}
		template.Must(partials.New(name).Parse(string(text)))
	}
	template.Must(partials.ParseFS(pages, "*.html"))
	template.Must(partials.ParseFS(operatorPages, "operate/*.html"))
}

func execute(name string, context any) (template.HTML, error) {
	var html strings.Builder
	err := partials.ExecuteTemplate(&html, name, context)
	return template.HTML(html.String()), err
}

// contextOf encodes a value as JSON and decodes it again, so that partials get the same data as from Hugo.
func contextOf(value any) (context any, err error) {
	switch value.(type) {
	case nil, string, []any, map[string]any: // a partial that passes on a part of its context
		return value, nil
	}
	text, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(text, &context)
	}
	return context, err
}

// SnapshotPage lists the files of a snapshot of the data set, or says that it was withdrawn. folder is its name in
// addresses.
func SnapshotPage(s *dataset.Snapshot, folder string) (Page, error) {
	title := "Data set, snapshot of " + s.Date
	if folder != s.Date {
		title = "Data set, the latest files, of " + s.Date
	}
	p, err := render("snapshot.html", resultFrame, title, struct {
		*dataset.Snapshot
		Folder string
	}{s, folder})
	p.Description = Counted(int(s.Runs), "result") + " and what others published, as of " +
		s.AsOf.UTC().Format("2 Jan 2006, 15:04 UTC") + ", in CSV, Parquet and SQLite, with checksums and how to cite them."
	if s.Withdrawn != "" {
		p.Description = "Withdrawn on " + s.Withdrawn + ", because somebody took back a result in it. " +
			"Other snapshots replace it."
	}
	return p, err
}
