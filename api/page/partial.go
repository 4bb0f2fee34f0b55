package page

import (
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"strings"

	"flashdex/site"
)

// partials are the shared partials and the templates of the pages here. They take JSON objects and call each other by
// partial, as in Hugo.
var partials = template.New("")

//go:embed run.html compare.html search.html snapshot.html message.html
var pages embed.FS

// functions are what shared partials may call besides Go's own functions. Hugo has functions of the same names.
var functions = template.FuncMap{
	"safeHTML": func(svg string) template.HTML { return template.HTML(svg) },
	"partial": func(name string, context any) (template.HTML, error) {
		var html strings.Builder
		err := partials.ExecuteTemplate(&html, name, context)
		return template.HTML(html.String()), err
	},
}

func init() {
	partials.Funcs(functions)
	parse(site.Partials(), "shared/*.html")
	parse(pages, "*.html")
}

func parse(files fs.FS, pattern string) {
	names, _ := fs.Glob(files, pattern) // the pattern is a good one
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err == nil {
			_, err = partials.New(name).Parse(string(text))
		}
		if err != nil {
			panic(err) // part of the program
		}
	}
}

// contextOf encodes a view model to JSON and decodes it again, which is what Hugo makes of a page's data.
func contextOf(model any) (context any, err error) {
	text, err := json.Marshal(model)
	if err == nil {
		err = json.Unmarshal(text, &context)
	}
	if err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	return context, nil
}
