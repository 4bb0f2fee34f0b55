package rest_test

import (
	"bytes"
	"image/png"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"flashdex/api/page/picture"
)

// frames writes frames like the published site's.
func (b *bench) frames() {
	b.t.Helper()
	for _, name := range []string{"search", "compare"} {
		b.write("site/"+name+"/index.html", "<p>static</p>")
		b.write("site/"+name+"/frame.html", "<!doctype html><html><head><title>{{ .title }} · Flashdex</title>"+
			`<meta content="{{ .description }}"><meta property="og:image" content="https://site{{ .picture }}"></head>`+
			"<body><main>{{ .body }}</main>"+
			"<footer>foot of "+name+"</footer></body></html>")
	}
}

func (b *bench) page(path string, shows ...string) string {
	b.t.Helper()
	a := b.get(path)
	text := string(a.body)
	if a.status != http.StatusOK || a.header.Get("Content-Type") != "text/html; charset=utf-8" ||
		strings.Contains(text, "<p>static</p>") || strings.Contains(text, "{{") {
		b.t.Errorf("%s: %d %v\n%s", path, a.status, a.header, text)
	}
	for _, part := range shows {
		if !strings.Contains(text, part) {
			b.t.Errorf("%s lacks %s:\n%s", path, part, text)
		}
	}
	return text
}

// Other sites show a picture beside a link to a comparison.
func TestAComparisonHasAPicture(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.frames()
	b.fold()
	const asked = "m=raspberry-pi-sd-card-a2-64gb-microsd&m=sandisk-extreme-64gb-microsd"
	b.page("/compare/?base=sandisk-extreme-64gb-microsd&"+asked,
		`content="https://site/compare/share.png?`+strings.ReplaceAll(asked, "&", "&amp;")+`"`)
	for _, path := range []string{"/compare/", "/compare/?m=sandisk-extreme-64gb-microsd"} {
		b.page(path, `content="https://site/share.png"`)
	}
	a := b.get("/compare/share.png?" + asked)
	drawn, err := png.DecodeConfig(bytes.NewReader(a.body))
	if err != nil || drawn.Width != picture.Width || drawn.Height != picture.Height ||
		a.header.Get("Content-Type") != "image/png" || a.header.Get("X-Robots-Tag") != "noindex" {
		t.Errorf("%v, %+v, %v", err, drawn, a.header)
	}
	if other := b.get("/compare/share.png?m=samsung-evo-plus-32gb-microsd&" + asked); bytes.Equal(other.body, a.body) {
		t.Error("another comparison has the same picture")
	}
	for _, alone := range []string{"", "?m=sandisk-extreme-64gb-microsd", "?m=nothing&m=sandisk-extreme-64gb-microsd"} {
		b.get("/compare/share.png"+alone).problem(t, http.StatusNotFound, "not-found")
	}
}

// What other sites show beside a link describes the page.
func TestPagesDescribeThemselves(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.frames()
	b.fold()
	const name = "SanDisk Extreme 64 GB microSD"
	for path, says := range map[string][2]string{
		"/import/": {"What is my card?", "Type a card’s name, or paste what CrystalDiskMark"},
		"/object/?module=sandisk-extreme-64gb-microsd": {"Object to the page of " + name,
			"Say what is wrong with the page of " + name + ". It takes no account"},
		"/search/?q=evo+plus": {"Search: evo plus", "What Flashdex knows by the words “evo plus”: "},
		"/compare/?m=raspberry-pi-sd-card-a2-64gb-microsd&m=sandisk-extreme-64gb-microsd": {
			"Compare Raspberry Pi SD card A2 64 GB microSD and 1 more", "Raspberry Pi SD card A2 64 GB microSD: "},
	} {
		b.page(path, "<title>"+says[0]+" ·", `<meta content="`+says[1])
	}
	const said = `<meta content="There is no result with this id here.`
	if text := string(b.get("/r/nonsense").body); strings.Count(text, said) != 1 {
		t.Errorf("a message is not described by itself:\n%s", text)
	}
}

func TestSearchPageFindsModulesByTheirWords(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.frames()
	b.fold()
	b.page("/search/", "<title>Search · Flashdex</title>", `name="q" value=""`, "foot of search")
	b.page(
		"/search/?q=+EVO++plus+samsung+", "<title>Search: EVO plus samsung · Flashdex</title>", `value="EVO plus samsung"`,
		`<a href="/modules/samsung-evo-plus-`, `action="/compare/"`, "4K random write",
	)
	b.page("/search/?q=sandisk", "of which these are the 50")
	b.page(
		"/search/?q=nosuchword", "Nothing listed has all of these words in its name",
		"curl -fsSL "+b.URL+"/run.sh | sh -s -- /mnt/card",
	)
	if text := b.page("/search/?q=sandisk"); strings.Contains(text, "/vendors/") {
		t.Errorf("a link to a page that is not published:\n%s", text)
	}
	b.write(
		"site/search/index.json",
		`[{"kind":"maker","name":"SanDisk","path":"/vendors/sandisk/","modules":1},
		{"kind":"host","name":"Odd <b>board","path":"/hosts/odd-b-board/","modules":2}]`,
	)
	b.page(
		"/search/?q=SANDISK", `<a href="/vendors/sandisk/"><bdi>SanDisk</bdi></a> <span>maker, 1 module</span>`,
		"of which these are the 50",
	)
	if text := b.page(
		"/search/?q=odd+board", "<bdi>Odd &lt;b&gt;board</bdi></a> <span>host, 2 modules", "No module has all of these words",
	); strings.Contains(text, "/vendors/") {
		t.Errorf("another is found as well:\n%s", text)
	}
	b.write("site/search/index.json", `[
		{"kind":"hand-held","name":"Steam Deck (LCD)","path":"/device/steam-deck/","aliases":["deck"]},
		{"kind":"board","name":"Raspberry Pi Zero 2 W","path":"/device/zero-2/","aliases":["zero 2","pi4"]},
		{"kind":"dash cam","name":"70mai","path":"/device/70mai/"},
		{"kind":"board","name":"LEGO <b>EV3","path":"/for/retro/","question":"Which card runs it?"},
		{"kind":"word","name":"fsync","path":"/glossary/#fsync"},
		{"kind":"question","name":"Which card keeps up with Home Assistant?","path":"/for/home-assistant/"}]`)
	for asked, path := range map[string]string{
		"steam+deck": "/device/steam-deck/", "SteamDeck": "/device/steam-deck/", "zero+2": "/device/zero-2/",
		"zero2": "/device/zero-2/", "pi4": "/device/zero-2/", "Pi+4": "/device/zero-2/", "dash+cam": "/device/70mai/",
		"home+assistant": "/for/home-assistant/", "lego+ev3": "/for/retro/", "fsync": "/glossary/#fsync",
	} {
		if text := b.page("/search/?q="+asked, `href="`+path+`"`); strings.Count(text, `<ul class="found">`) != 1 ||
			strings.Count(text, "<li>") != 1 {
			t.Errorf("%s finds others, too:\n%s", asked, text)
		}
		pages := b.get("/v1/search?q="+asked).json(t, http.StatusOK)["pages"].([]any)
		if len(pages) != 1 || pages[0].(map[string]any)["url"] != b.URL+path {
			t.Errorf("%s: the API finds %v, want %s", asked, pages, path)
		}
	}
	b.page("/search/?q=ev3", `LEGO &lt;b&gt;EV3</bdi></a> <span>board: Which card runs it?</span>`)
	if pages := b.get("/v1/search?q=a&limit=1").json(t, http.StatusOK)["pages"].([]any); len(pages) != 1 {
		t.Errorf("of many pages %d are listed, want the limit of 1", len(pages))
	}
	b.write("site/search/index.json", `[{`)
	b.page("/search/?q=sandisk", "of which these are the 50")
	for _, hostile := range []string{`"><script>alert(1)</script>`, strings.Repeat("é", 1000),
		"\xff\xfe", "{ {.title}}"} {
		text := b.page("/search/?q=" + url.QueryEscape(hostile))
		if strings.Contains(text, "<script") || len(text) > 5000 {
			t.Errorf("%q:\n%s", hostile, text)
		}
	}
	first := b.get("/search/?q=samsung")
	if first.header.Get("X-Robots-Tag") != "noindex" || first.header.Get("Cache-Control") != "public, max-age=10" {
		t.Errorf("%v", first.header)
	}
	r := b.request(http.MethodGet, "/search/?q=samsung", nil)
	r.Header.Set("If-None-Match", first.header.Get("ETag"))
	if again := b.do(r); again.status != http.StatusNotModified {
		t.Errorf("a reader who has the page is answered %d", again.status)
	}
}

func TestComparePageSetsModulesSideBySide(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.frames()
	id, body := example(t)
	body = bytes.Replace(body, []byte(`"product": "Extreme"`), []byte(`"product": "\"><script>alert(1)</script>"`), 1)
	b.do(b.upload(id, body))
	b.fold()
	const a, c = "samsung-evo-plus-64gb-microsd", "samsung-evo-plus-128gb-sd"
	text := b.page("/compare/?m="+a+"&m="+c+"&base="+c,
		"<title>Compare Samsung EVO Plus 64 GB microSD and 1 more · Flashdex</title>", "foot of compare",
		"iozone, direct I/O", "%, better", "<circle", `value="`+c+`" checked aria-label="Baseline: `)
	if other := b.page("/compare/?m="+a+"&m="+c, "%, worse"); other == text {
		t.Error("another baseline changes nothing")
	}
	b.page("/compare/", `name="q"`, "Two to six modules")
	b.page("/compare/?q=samsung+evo+plus", "Found: choose which to add", `value="`+a+`"`)
	b.page("/compare/?m=samsung+evo+plus+64&m="+c, `href="/modules/`+a+`/"`) // words of only one module
	b.page("/compare/?m=nothing+like+it&m="+c, "No module, or more than one, goes by <strong><bdi>nothing like it</bdi>")
	b.page("/compare/?m="+a+"&m="+a, "Add another module to compare with")
	many := "/compare/?m=" + a
	for _, slug := range []string{
		c, "samsung-evo-16gb-microsd", "samsung-evo-32gb-microsd", "samsung-evo-plus-32gb-microsd",
		"samsung-evo-select-64gb-sd", "samsung-evo-select-128gb-microsd", "sandisk-ultra-32gb-microsd",
	} {
		many += "&m=" + slug
	}
	b.page(many, "Six modules fit side by side. 2 more were left out.")
	hostile := names(t, b.get("/v1/search?q=alert").json(t, http.StatusOK))[0]
	for _, path := range []string{
		"/compare/?m=" + hostile + "&m=" + a + "&q=alert", "/compare/?q=alert",
		"/compare/?m=%3Cscript%3E&base=%22%3E%3Cscript%3E",
	} {
		if text := b.page(path); strings.Contains(text, "<script") {
			t.Errorf("%s:\n%s", path, text)
		}
	}
}

func TestComparePageDrawsUnitsAndRunsOnCommonAxes(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.frames()
	id, body := example(t)
	body = regexp.MustCompile(`"spoilers": \[[^]]*\]`).ReplaceAll(body, []byte(`"spoilers": []`)) // so that it counts
	b.do(b.upload(id, body))
	other := "0198f2c4-7a3b-7c11-9d5e-3f2a1b0c9d8f"
	body = bytes.ReplaceAll(
		bytes.Replace(body, []byte(`"product": "Extreme"`), []byte(`"product": "Ultra"`), 1), []byte(id), []byte(other),
	)
	if a := b.do(b.upload(other, body)); a.status != http.StatusCreated {
		t.Fatalf("%d %s", a.status, a.body)
	}
	b.fold()
	const ours, theirs = "sandisk-extreme-32gb-microsd", "sandisk-ultra-32gb-microsd"
	b.page("/compare/?m="+ours+"&m="+theirs, "One run of each, second by second",
		`id="flashdex-1-rand-write-rate-title"`, `id="flashdex-1-rand-read-latency-desc"`, `class="several-2"`,
		"A SanDisk Extreme 32 GB microSD", "B SanDisk Ultra 32 GB microSD", `class="unit"`, "<summary>Numbers")
	alone := b.page("/compare/?m=" + ours)
	if strings.Contains(alone, "<figure") {
		t.Errorf("a module alone is drawn:\n%s", alone)
	}
	// While the database is away, the page shows the figures that were read before, without the runs.
	b.page("/compare/?m=" + ours + "&m=" + theirs)
	b.away()
	b.page("/compare/?m="+ours+"&m="+theirs, "The figures above are complete", "On common axes", "<figure")
}
