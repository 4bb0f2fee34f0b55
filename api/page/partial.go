package page

import (
	"embed"
	"encoding/json"
	"html/template"
	"io/fs"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure/speedclass"
	"flashdex/api/page/chart"
	"flashdex/result"
	"flashdex/site"
)

// partials are the shared partials and the templates of the pages here. Shared partials take JSON objects and call
// each other by partial, as in Hugo. A page's template takes the page's Go value.
var partials = template.New("")

//go:embed run.html compare.html search.html snapshot.html message.html
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
		"int": func(n int64) int { return int(n) },
	})
	shared := site.Partials()
	names, _ := fs.Glob(shared, "shared/*.html") // the pattern is a good one
	for _, name := range names {
		text, err := fs.ReadFile(shared, name)
		if err != nil {
			panic(err) // part of the program
		}
		template.Must(partials.New(name).Parse(string(text)))
	}
	template.Must(partials.ParseFS(pages, "*.html"))
}

func execute(name string, context any) (template.HTML, error) {
	var html strings.Builder
	err := partials.ExecuteTemplate(&html, name, context)
	return template.HTML(html.String()), err
}

// contextOf encodes a value to JSON and decodes it again, which is what Hugo makes of a page's data.
func contextOf(value any) (context any, err error) {
	switch value.(type) {
	case nil, string, []any, map[string]any: // a partial passes on a part of its context
		return value, nil
	}
	text, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(text, &context)
	}
	return context, err
}
