package page

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"flashdex/site"

	"github.com/google/go-cmp/cmp"
)

const hostile = `</td><script>alert("1")</script> =1+1 &amp; 'x' ünï`

// examples are contexts for each shared partial: a usual one, one with missing fields, one with hostile text.
var examples = map[string][]string{
	"cells": {
		`[{"value":"1,780","interval":"1,520–2,170","sure":"75 %","n":"4","sort":"1779.6","class":"number g-random heat-0"}]`,
		`[{"value":"90","interval":"80–100"},{"value":"","class":"number"}]`, `[]`,
		`[{"value":HOSTILE,"interval":HOSTILE,"sure":HOSTILE,"n":HOSTILE,"behind":HOSTILE,"sort":HOSTILE,"class":HOSTILE}]`,
	},
	"verdict": {
		`{"class":"A1","state":"reached","state_text":"reached","reason":"It is."}`,
		`{"class":HOSTILE,"state":HOSTILE,"state_text":HOSTILE,"reason":HOSTILE,"units":HOSTILE,
		  "margins":[{"measure":HOSTILE,"percent":"87 %","bar":"43.5%"}]}`,
	},
	"verdicts":      {`[{"class":"A1"},{"class":"A2"}]`, `[]`},
	"verdict-notes": {`"Beware."`, `HOSTILE`},
	"sign": {
		`{"name":"Far below","what":"What.","explanation":"Why.","caveat":"Or not."}`,
		`{"name":HOSTILE,"seen":HOSTILE,"variant":HOSTILE,"what":HOSTILE,"explanation":HOSTILE,"caveat":HOSTILE}`,
	},
	"signs": {`[{"name":"a"},{"name":"b"}]`},
	"numbers": {
		`{"title":"T","class":"numbers","caption":"T","note":"N","head":["A","B"],
		  "rows":[["a","1","2"],["b"]],"links":["/r/1",""]}`,
		`{"title":HOSTILE,"caption":HOSTILE,"note":HOSTILE,"head":[HOSTILE,HOSTILE],
		  "rows":[[HOSTILE,HOSTILE]],"links":["javascript:alert(1)"]}`,
	},
	"chart": {
		`{"title":"T","key":[{"class":"main","label":"this run"}],"chart_svg":"<svg><path d=\"M0 0\"/></svg>",
		  "numbers":{"title":"Numbers of T","head":["A"],"rows":[]}}`,
		`{"title":HOSTILE,"key":[{"class":HOSTILE,"label":HOSTILE}],"chart_svg":"<svg></svg>",
		  "numbers":{"title":HOSTILE,"head":[HOSTILE],"rows":[]}}`,
	},
	"charts": {`[{"title":"T","chart_svg":"<svg></svg>","numbers":{}}]`, `[]`, `null`},
	"profile": {
		`{"description":"D","runs":[
		  {"letter":"A","module":"M","path":"/r/1","received_on":"2026-01-01","host":"H"},
		  {"path":"/r/2","received_on":"2026-01-02","host":"H"}],
		 "charts":[{"title":"T","chart_svg":"<svg></svg>","numbers":{}}],"tables":[{"title":"T","head":["A"],"rows":[]}]}`,
		`{"description":HOSTILE,"runs":[
		  {"letter":HOSTILE,"module":HOSTILE,"path":HOSTILE,"received_on":HOSTILE,"host":HOSTILE}]}`, `{}`,
	},
	"crumbs": {`[{"name":"Modules","path":"/modules/"},{"name":HOSTILE,"path":"/vendors/x/"}]`, `[]`},
}

func exampleContexts(t *testing.T) map[string][]any {
	t.Helper()
	text, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	contexts := map[string][]any{}
	for name, all := range examples {
		for _, example := range all {
			var context any
			if err := json.Unmarshal([]byte(strings.ReplaceAll(example, "HOSTILE", string(text))), &context); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			contexts[name] = append(contexts[name], context)
		}
	}
	return contexts
}

func TestHugoAndTheServerWriteTheSameHTML(t *testing.T) {
	t.Parallel()
	contexts := exampleContexts(t)
	names, err := fs.Glob(site.Partials(), "shared/*.html")
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	var want strings.Builder
	var layout strings.Builder
	for _, name := range names {
		short := strings.TrimSuffix(path.Base(name), ".html")
		if len(contexts[short]) == 0 {
			t.Errorf("%s has no example here", name)
		}
		for _, context := range contexts[short] {
			want.WriteString("== " + short + "\n")
			if err := partials.ExecuteTemplate(&want, name, context); err != nil {
				t.Fatal(err)
			}
		}
		fmt.Fprintf(&layout, "{{ range index $all %q }}== %[1]s\n{{ partial %q . }}{{ end }}", short, name)
	}
	if html := want.String(); strings.Contains(html, "<script") || strings.Contains(html, "javascript:") {
		t.Errorf("text became markup:\n%s", html)
	}
	hugo, err := filepath.Abs("../../bin/hugo")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(hugo); err != nil {
		t.Skip("no bin/hugo: run make bin/hugo")
	}
	project := t.TempDir()
	write := func(name string, text []byte) {
		t.Helper()
		file := filepath.Join(project, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range names {
		text, err := fs.ReadFile(site.Partials(), name)
		if err != nil {
			t.Fatal(err)
		}
		write("layouts/_partials/"+name, text)
	}
	all, err := json.Marshal(contexts)
	if err != nil {
		t.Fatal(err)
	}
	write("hugo.toml", []byte("disableKinds = ['taxonomy', 'term', 'rss', 'sitemap', '404', 'section']\n"))
	write("assets/all.json", all)
	const read = `{{ $all := transform.Unmarshal (resources.Get "all.json") -}}` + "\n"
	write("layouts/home.html", []byte(read+layout.String()))
	cmd := exec.CommandContext(t.Context(), hugo, "--source", project, "--noBuildLock", "--panicOnWarning")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	got, err := os.ReadFile(filepath.Join(project, "public/index.html"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.String(), string(got)); diff != "" {
		t.Errorf("the server's own HTML and Hugo's differ (-server +Hugo):\n%s", diff)
	}
}
