package page

import (
	"strings"
	"testing"
)

func TestAFrameShowsATitleAndABodyAndAsksForNothingElse(t *testing.T) {
	t.Parallel()
	const good = `<!doctype html><title>{{ .title }} · Flashdex</title><meta content="{{ .title }}">` +
		`<main>{{ .body }}</main>`
	frame, err := ParseFrame(good)
	if err != nil {
		t.Fatal(err)
	}
	text, err := frame.Fill(Page{Title: `</title><script>"{{ .body }}`, Body: "<p>{{ .title }}</p>"})
	const want = `<!doctype html><title>&lt;/title&gt;&lt;script&gt;&#34;{{ .body }} · Flashdex</title>` +
		`<meta content="&lt;/title&gt;&lt;script&gt;&#34;{{ .body }}"><main><p>{{ .title }}</p></main>`
	if err != nil || string(text) != want {
		t.Errorf("%v\n%s", err, text)
	}
	pictured, err := ParseFrame(good + `<meta content="https://site{{ .picture }}">`)
	if err != nil {
		t.Fatal(err)
	}
	for asked, shown := range map[string]string{"": "/share.png", `/a.png?m=b&m="c`: "/a.png?m=b&amp;m=&#34;c"} {
		text, err := pictured.Fill(Page{Picture: asked})
		if err != nil || !strings.Contains(string(text), `"https://site`+shown+`"`) {
			t.Errorf("%q: %v\n%s", asked, err, text)
		}
	}
	described, err := ParseFrame(good + `<meta content="{{ with .description }}{{ . }}{{ else }}of the site{{ end }}">`)
	if err != nil {
		t.Fatal(err)
	}
	for said, shown := range map[string]string{
		"": "of the site", `a "b`: "a &#34;b", strings.Repeat("é", 161): strings.Repeat("é", 159) + "…",
	} {
		text, err := described.Fill(Page{Description: said})
		if err != nil || !strings.Contains(string(text), `"`+shown+`"`) {
			t.Errorf("%q: %v\n%s", said, err, text)
		}
	}
	text, _ = frame.Fill(Page{Title: strings.Repeat("é", 80)})
	if !strings.Contains(string(text), ">"+strings.Repeat("é", 58)+"… ·") {
		t.Errorf("a long title is not cut: %s", text)
	}
	for what, bad := range map[string]string{
		"without a title":    `<main>{{ .body }}</main>`,
		"without a body":     `<title>{{ .title }}</title>`,
		"with two bodies":    `<title>{{ .title }}</title>{{ .body }}{{ .body }}`,
		"with another field": good + `{{ .name }}`,
		"broken":             good + `{{ .title`,
		"with a call":        good + `{{ partial "x" . }}`,
		"empty":              ``,
	} {
		if _, err := ParseFrame(bad); err == nil {
			t.Errorf("a frame %s is taken", what)
		}
	}
}
