package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"flashdex/api/store/cluster/clustertest"
)

// freeText lists the fields in which a document holds text that nobody has checked for its meaning.
var freeText = []string{
	"module/vendor", "module/product", "host/board", "host/cpu", "host/bus_mode", "identity/sd/name",
	"identity/mmc/name", "identity/usb/manufacturer", "identity/usb/product",
	"identity/scsi/vendor", "identity/scsi/model", "identity/scsi/rev", "identity/ata/model", "identity/ata/firmware",
}

// These texts are harmful if a page uses them as anything but text. The server accepts each of them, and every page
// shows it as text.
var harmful = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onfocus=alert(1) autofocus='`,
	`</title><svg/onload=alert(1)>`, `<!--flashdex:answer--> {{.}} {{<x>}}`,
	`javascript:alert(1)`, `&lt;b&gt; &#x3c;i&#x3e;`, `'; drop table submission; --`, `$(touch pwned) ; reboot`,
	"`reboot` | sh", `../../../etc/passwd`, `%00%0a%0d`,
	`=cmd|' /C calc'!A0`, `+1+cmd`, `-2+3+cmd`, `@SUM(1+1)`, `=HYPERLINK("http://x","y")`, `a,b;"c"`,
	`","state":"accepted`, `|{}[]\`, `[x](javascript:alert(1))`, `*a* _b_`,
	"Vie\u0323\u0302t", "\u0e01\u0e33\u0e31\u0e48", "東芝", "😀", "ﷺ", "אבג 123",
}

// Texts that change how the text around them looks. The schema refuses them.
var disguised = []string{
	"a\x00b", "a\x1b[2Jb", "a\rb", "a\nb", "a\tb", "a\x7fb", "a\u0085b", "\u202egpj.exe", "a\u2066b", "a\u200fb",
	"a\u200bb", "\ufeffa", "a\u2028b", "\U000e0041", "\ue000", "\u0301a",
	"e" + strings.Repeat("\u0301", 5), "e" + strings.Repeat("\u0301", 10_000), strings.Repeat("x", 81), "",
}

func TestHostileTextIsRefusedOrShownAsText(t *testing.T) {
	t.Parallel()
	s := start(t, "--write-rate", "0", "--contributor-rate", "0", "--daily-modules", "0")
	var ids []string
	for _, text := range harmful {
		id, document := example(t)
		for _, field := range freeText[:5] { // the registers would have to agree with each other
			set(document, field, text)
		}
		if a := s.upload(id, encode(t, document)); a.status != http.StatusCreated ||
			!strings.Contains(a.body, `"state":"accepted"`) {
			t.Errorf("%q: %d %s", text, a.status, a.body)
			continue
		}
		ids = append(ids, id)
		second, other := example(t) // so that the module is listed
		set(document, "id", second)
		set(document, "started_at", other["started_at"])
		if a := s.upload(second, encode(t, document), "Authorization", "Bearer "+strings.Repeat("ab", 32)); a.status !=
			http.StatusCreated {
			t.Errorf("%q once more: %d %s", text, a.status, a.body)
		}
		s.showsAsText(t, "/r/"+id, s.request(http.MethodGet, "/r/"+id, nil).body)
		if a := s.request(http.MethodGet, "/v1/results/"+id, nil); !json.Valid([]byte(a.body)) ||
			strings.Contains(a.body[:strings.Index(a.body, `,"document":`)], "<script") {
			t.Errorf("%q as JSON: %s", text, a.body)
		}
	}
	// A stick, whose texts come from the kernel. What the catalogue makes of them is a module of its own.
	for _, text := range harmful {
		id, document := example(t)
		set(document, "identity", map[string]any{"bus": "usb", "size_bytes": 31914983424, "removable": true})
		set(document, "identity/usb", map[string]any{"vendor_id": "0781", "product_id": "5583"})
		delete(document, "module")
		set(document, "module", map[string]any{})
		delete(document["host"].(map[string]any), "bus_mode")
		for _, field := range freeText[7:] {
			set(document, field, text)
		}
		if a := s.upload(id, encode(t, document)); a.status != http.StatusCreated {
			t.Errorf("%q: %d %s", text, a.status, a.body)
		}
		for _, page := range []string{"/r/" + id, "/search/?q=" + url.QueryEscape(text),
			"/compare/?m=" + url.QueryEscape(text) + "&q=" + url.QueryEscape(text)} {
			s.showsAsText(t, page, s.request(http.MethodGet, page, nil).body)
		}
	}
	for _, text := range disguised {
		for _, field := range freeText {
			id, document := example(t)
			set(document, field, text)
			if a := s.upload(id, encode(t, document)); a.status != http.StatusUnprocessableEntity ||
				!strings.Contains(a.body, "/"+field) {
				t.Errorf("%.40q in %s: %d %s", text, field, a.status, a.body)
			}
		}
	}
	clustertest.Spread(t, s.database)
	files := s.published(ids...)
	for name, text := range files {
		switch {
		case strings.HasSuffix(name, ".html"):
			s.showsAsText(t, name, text)
		case strings.HasSuffix(name, ".csv"):
			showsNoFormula(t, name, text)
		}
	}
	if dump := s.dump(); len(dump["submission"]) == 0 {
		t.Error("the table is gone")
	}
}

var (
	// The site's own pages contain no element or attribute like the ones in these texts.
	reActive = regexp.MustCompile(`(?i)<(script>|img src=x|svg/|i>|b>\s*&|x>)|<[^>"']*\son(error|load|focus)=|` +
		`href="?javascript:|<!--flashdex:answer-->`)
	reTag    = regexp.MustCompile(`(?s)<[a-z][^<>"']*(?:"[^"]*"|'[^']*'|[^<>"'])*>`)
	reQuoted = regexp.MustCompile(`"[^"]*"`)
)

// showsAsText fails if a text became an element or an attribute. Within the quotes of an attribute, anything is text.
func (s *running) showsAsText(t *testing.T, page, html string) {
	t.Helper()
	if found := reActive.FindString(html); found != "" {
		t.Errorf("%s holds %s as markup", page, found)
	}
	for _, tag := range reTag.FindAllString(html, -1) {
		if bare := reQuoted.ReplaceAllString(tag, `""`); strings.Contains(bare, "alert(") ||
			strings.Contains(bare, "autofocus") {
			t.Errorf("%s: an attribute of %s", page, tag)
		}
	}
	if !strings.Contains(html, "</html>") && !strings.HasPrefix(page, "r/") {
		t.Errorf("%s breaks off", page)
	}
}

// showsNoFormula requires that every cell is a number, or text that a spreadsheet doesn't take for a formula.
func showsNoFormula(t *testing.T, name, text string) {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	for i, record := range records {
		for j, cell := range record {
			if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				continue
			}
			var number float64
			if n, err := fmt.Sscanf(cell, "%g", &number); n != 1 || err != nil ||
				strings.TrimLeft(cell, "+-.0123456789eE") != "" {
				t.Errorf("%s, line %d, column %d: %q", name, i+1, j+1, cell)
			}
		}
	}
}
