// Package site_test builds the site from its fixture with the real Hugo and checks the tree that comes out.
package site_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"html"
	"image/png"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"flashdex/api/page"
)

// program returns the path of Hugo: the one in HUGO, else bin/hugo of the repository, else the one in PATH.
func program(t *testing.T) string {
	t.Helper()
	hugo := os.Getenv("HUGO")
	if hugo == "" {
		hugo, _ = filepath.Abs("../bin/hugo")
		if _, err := os.Stat(hugo); err != nil {
			if hugo, err = exec.LookPath("hugo"); err != nil {
				t.Skip("no Hugo: set HUGO to the program's path")
			}
		}
	}
	return hugo
}

// build renders the fixture and returns the tree: contents by path, e.g. "modules/index.html".
func build(t *testing.T) map[string]string {
	t.Helper()
	built.Lock()
	defer built.Unlock()
	if built.tree != nil {
		return built.tree
	}
	hugo, out := program(t), t.TempDir()
	if log, err := exec.Command("make", "-C", "..", "fixture").CombinedOutput(); err != nil {
		t.Fatalf("make fixture: %v\n%s", err, log)
	}
	cmd := exec.Command(hugo, "--noBuildLock", "--panicOnWarning", "--printPathWarnings", "--destination", out)
	cmd.Env = []string{"PATH=", "HOME=" + t.TempDir()} // no node, nothing of this machine
	if log, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("hugo: %v\n%s", err, log)
	}
	tree := map[string]string{}
	err := fs.WalkDir(os.DirFS(out), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(out, path))
		tree[path] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	built.tree = tree
	return tree
}

// built is the tree that all tests read.
var built struct {
	sync.Mutex
	tree map[string]string
}

// writtenByPublisher matches the addresses that Hugo doesn't write.
var writtenByPublisher = regexp.MustCompile(`^/(data/latest|data/\d{4}-\d{2}-\d{2}|client|import|object|r|v1)/|` +
	`^/run\.sh$|^/data/(feed\.xml|croissant\.json)$|^/openapi\.json$|^/modules/[^/]+\.(csv|json)$|^/feeds/[a-z]+\.xml$`)

var (
	href   = regexp.MustCompile(` href="([^"]*)"`)
	script = regexp.MustCompile(`<script\b[^>]*>`)
	inline = regexp.MustCompile(`<[a-z](?:"[^"]*"|[^>"])*\s(style|on[a-z]+)=`)
)

func TestBuild(t *testing.T) {
	t.Parallel()
	tree := maps.Clone(build(t))

	var pages struct{ Render []struct{ Path string } }
	raw, err := os.ReadFile("fixture/pages.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &pages); err != nil {
		t.Fatal(err)
	}
	for _, page := range pages.Render {
		if tree[page.Path[1:]+"index.html"] == "" {
			t.Errorf("there is no page %s", page.Path)
		}
	}
	if len(pages.Render) < 100 {
		t.Errorf("the fixture has %d pages", len(pages.Render))
	}
	for _, name := range page.Frames {
		if _, err := page.ParseFrame(tree[name]); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		delete(tree, name)
	}

	for path, content := range tree {
		if !strings.HasSuffix(path, ".html") {
			continue
		}
		for _, tag := range script.FindAllString(content, -1) {
			if path == "data/index.html" && tag == `<script type="application/ld+json">` { // data, which no browser runs
				continue
			}
			if !strings.Contains(tag, ` src="/js/main.`) &&
				!(path == "explore/index.html" && strings.Contains(tag, ` src="/js/explore.`)) &&
				!(path == "index.html" && strings.Contains(tag, ` src="/js/strip.`)) {
				t.Errorf("%s: script that is not the site's own file: %s", path, tag)
			}
		}
		if tag := inline.FindString(content); tag != "" {
			t.Errorf("%s: inline style or handler: %s", path, tag)
		}
		for _, match := range href.FindAllStringSubmatch(content, -1) {
			checkLink(t, tree, path, html.UnescapeString(match[1]))
		}
	}
	for _, link := range regexp.MustCompile(`\]\(https?://[^/)]*([^)]*)\)`).FindAllStringSubmatch(tree["llms.txt"], -1) {
		checkLink(t, tree, "llms.txt", link[1])
	}
	for path, shown := range map[string][]string{
		"index.html": {`type="application/atom+xml" title="Flashdex: New results" href="`, "1–2</td>",
			`href="/in/pi-5/"`, `href="/for/boot/"`},
		"form/cf/index.html": {`aria-current="true">CF</a>`, "Transcend 133x",
			"<h1>CompactFlash cards by linear write</h1>",
			"Sorted by Linear write."},
		"vendors/samsung/index.html": {"Samsung PRO Endurance 128 GB microSD", "0x1b with OEM id 0x534d",
			`href="/sources/#`},
		"vendors/not-in-the-catalogue/index.html": {"SD card 0x03/SD SL16G", "&lt;img src=x"},
		"hosts/index.html":                        {`href="/hosts/raspberry-pi-4-model-b/"`},
		"hosts/raspberry-pi-4-model-b/index.html": {`href="/in/pi-4/"`, "at most 50 MB/s", "this host", "units of the class"},
		"glossary/index.html":                     {`id="column-rand_write_iops"`, `id="queue-depth"`},
		"wanted/index.html": {"To rank a module takes three contributors on two days",
			"<td class=\"medium\">one more contributor</td>",
			"can&#39;t be compared with others", `id="unmeasured"`, "/run.sh | sh -s -- /mnt/card"},
		"fakes/index.html": {"units whose capacity somebody checked, ", "ESTRELLA microSD 64 GB", `id="brands"`,
			`aria-label="Manufacturer 0x0000ad; OEM 0x4c53; Name USD00; Revision 2.0; Serial number not shown; Made 07/2025`,
			"Amazon Basics microSD XC I"},
		"test/index.html": {`href="/wanted/"`, `<details name="device" open><summary>Raspberry Pi`,
			"FLASHDEX_UNVERIFIED_TLS=yes sh -s -- /mnt/sda1"},
		"data/index.html": {`href="/feeds/results.xml"`,
			`title="Flashdex: Snapshots of the data set" href="/data/feed.xml">`},
		"llms.txt": {"](http", "/for/): questions", "figures that others published", "/device/)", "/wanted/)",
			"/feeds/ranked.xml)"},
		"404.html":           {`href="/glossary/"`, "/run.sh | sh -s -- list<", "/run.sh | sh -s -- delete ID<"},
		"in/pi-5/index.html": {"as they are in this class of hosts", "foretold from other hosts"},
		"modules/samsung-evo-plus-32gb-microsd/index.html": {`Samsung EVO Plus 32 GB microSD: `,
			` times as many as a laptop disk. Method: Flashdex.">`},
		"device/index.html":                   {`href="/device/steam-deck/"`, "<h2>Hand-held</h2>"},
		"device/nintendo-switch-2/index.html": {"at most <strong>985 to 3,940 MB/s</strong>, by its version"},
		"device/canon-eos-r/index.html":       {"gets at most 104 MB/s in it", "wrote in it is 183 MB/s"},
		"device/raspberry-pi-4/index.html": {"at most <strong>46.6 MB/s</strong>", `href="/for/boot/"`,
			`Also: <a href="/for/updates/">`,
			"seen 2026-", "Flashdex users"},
		"search/index.json":       {`"/device/steam-deck/"`, `"/for/boot/"`},
		"for/boot/index.html":     {"1–5</td>", "6,000 / 4K random read", "Published: "},
		"for/database/index.html": {"modules are left out", "more than 1,000"},
	} {
		for _, text := range shown {
			if !strings.Contains(tree[path], text) {
				t.Errorf("%s lacks %s", path, text)
			}
		}
	}
	for path, limit := range map[string]int{"by/rand-write-iops/index.html": 100_000, "index.html": 100_000,
		"js/main.": 4_000} {
		for name, content := range tree {
			if got := compressed(t, content); strings.HasPrefix(name, path) && got > limit {
				t.Errorf("%s: %d bytes compressed, want at most %d", name, got, limit)
			}
		}
	}
}

// All text in the data is untrusted, except drawings that Go has finished.
func TestTemplatesTrustOnlyDrawings(t *testing.T) {
	t.Parallel()
	finished := regexp.MustCompile(`_svg \| safeHTML|"<\?xml [^{}]* \| safeHTML`)
	err := fs.WalkDir(os.DirFS("layouts"), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join("layouts", path))
		if left := finished.ReplaceAll(content, nil); bytes.Contains(left, []byte("| safe")) {
			t.Errorf("%s marks as safe what isn't a drawing", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// checkLink fails the test if a link inside the site leads nowhere.
func checkLink(t *testing.T, tree map[string]string, from, link string) {
	t.Helper()
	if link == "" {
		t.Errorf("%s: empty link", from)
	}
	path, fragment, _ := strings.Cut(link, "#")
	path, _, _ = strings.Cut(path, "?")
	if writtenByPublisher.MatchString(path) || strings.Contains(path, "://") {
		return
	}
	target := from
	if path != "" {
		target = strings.TrimPrefix(path, "/")
		if target == "" || strings.HasSuffix(target, "/") {
			target += "index.html"
		}
	}
	content, ok := tree[target]
	if !ok {
		t.Errorf("%s: %s leads nowhere", from, link)
	} else if fragment != "" && !strings.Contains(content, `id="`+fragment+`"`) {
		t.Errorf("%s: %s: no such place on that page", from, link)
	}
}

// compressed is the size of a file in bytes as a server sends it with gzip.
func compressed(t *testing.T, content string) int {
	t.Helper()
	var buffer bytes.Buffer
	w := gzip.NewWriter(&buffer)
	if _, err := w.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buffer.Len()
}

// The data page describes the data set to programs, whatever its texts contain.
func TestDataSetIsDescribedForPrograms(t *testing.T) {
	t.Parallel()
	page := build(t)["data/index.html"]
	_, block, found := strings.Cut(page, `<script type="application/ld+json">`)
	text, _, ended := strings.Cut(block, "</script>")
	var described struct {
		Type         string `json:"@type"`
		URL, License string
		Distribution []struct{ Name, EncodingFormat, ContentURL, ContentSize, SHA256 string }
	}
	if err := json.Unmarshal([]byte(text), &described); err != nil || !found || !ended {
		t.Fatalf("%v: %s", err, text)
	}
	if described.Type != "Dataset" || !strings.HasSuffix(described.URL, "/data/") || len(described.Distribution) < 10 {
		t.Errorf("%+v", described)
	}
	for _, of := range described.Distribution {
		if !strings.HasPrefix(of.ContentURL, "http") || !strings.HasSuffix(of.ContentURL, "/data/latest/"+of.Name) ||
			len(of.SHA256) != 64 || of.EncodingFormat == "" || !strings.HasSuffix(of.ContentSize, " B") {
			t.Errorf("%+v", of)
		}
	}
	if strings.Contains(text, "<") || !strings.Contains(text, `\u003c/script`) {
		t.Error("a text could end the block, or none tries to")
	}
	// The snapshot of the day before is withdrawn in the fixture: nobody should cite it.
	for _, part := range []string{"snapshot of 2026-11-21, version 2026-11-21T", "@misc{flashdex-2026-11-21, author",
		"snapshot of 2026-11-21}, version = {2026-11-21T"} {
		if !strings.Contains(page, part) {
			t.Errorf("the page doesn't say how to cite: %s", part)
		}
	}
}

// A visitor who follows links reaches each module, even modules without a figure that a table compares.
func TestEachModuleIsLinkedFromAnotherPage(t *testing.T) {
	t.Parallel()
	tree := build(t)
	linked := map[string]bool{}
	for path, content := range tree {
		if !strings.HasSuffix(path, ".html") {
			continue
		}
		for _, match := range href.FindAllStringSubmatch(content, -1) {
			if to := strings.TrimPrefix(match[1], "/") + "index.html"; to != path {
				linked[to] = true
			}
		}
	}
	modules := 0
	for path := range tree {
		if strings.HasPrefix(path, "modules/") && strings.Count(path, "/") == 2 && strings.HasSuffix(path, "/index.html") {
			if modules++; !linked[path] {
				t.Errorf("no page leads to /%s", path)
			}
		}
	}
	if modules < 60 {
		t.Errorf("%d modules", modules)
	}
	if page := tree["vendors/innodisk/index.html"]; !strings.Contains(page, "rated 30 IOPS, 4K random write") {
		t.Error("the page of a maker doesn't say what is known of its module")
	}
}

// A promise has a row for each method that measured it, with its sources. Published prices and checked units stand
// apart from what contributors say.
func TestAModulesPageShowsWhatOthersSayOfIt(t *testing.T) {
	t.Parallel()
	tree := build(t)
	for slug, parts := range map[string][]string{
		"sandisk-extreme-a1-32gb-microsd": {
			`rowspan="2">Linear read`,
			"<td class=\"number\">≥\u00a039.6 %</td>" + `<td class="medium"><a href="/method/#flashdex-1">`,
			`<td class="number">26.3 to 43.3 %</td><td class="medium"><a href="/method/#dd">` +
				`dd, written out</a> <small><a href="/sources/#yacy_grid_sd">YaCy Grid authors 2020</a></small></td></tr>`,
		},
		"innodisk-minidom-u-usb": {
			`1,440</td><td class="number">not yet<`, `63.3 %</td><td class="medium">Best SD card, altechnative.net 2012`,
			`<dt>For each GB, beside SLC SD cards</dt><dd>about 4 times as much `,
		},
		"toshiba-class-10-uhs-i-8gb-microsd": {`>30</td><td class="number">not compared</td><td></td>`},
		"micro-center-class-4-4gb-sd": {
			`<dd>4 <small>at Micro Center, 2014-11-04, `, `<dt>USD for each GB</dt><dd>1</dd>`,
		},
		"estrella-64gb-microsd": {
			`<strong>1 had less flash than claimed</strong>: 1.3`, `href="/sources/what-was-fake/"`,
		},
		"samsung-evo-plus-64gb-microsd": {"<strong>Less capacity than claimed</strong> <span>1 unit, by 1 contributor</span>",
			"the capacity of 5 of 5 units was checked"},
		"microdrive-256gb-microsd": {`<strong>none had less flash than claimed</strong>. Other units`},
	} {
		page := tree["modules/"+slug+"/index.html"]
		for _, part := range parts {
			if !strings.Contains(page, part) {
				t.Errorf("/modules/%s/ lacks %s", slug, part)
			}
		}
		if strings.Contains(strings.ToLower(page), "counterfeit") != strings.Contains(page, `<h2 id="signs">`) {
			t.Errorf("/modules/%s/ calls something counterfeit beside its signs", slug)
		}
	}
}

// A module's page draws what its figure is made from, its units and the samples of a run, each with a description and
// its numbers. A module without results that count has no drawing.
func TestAModulesPageHasCharts(t *testing.T) {
	t.Parallel()
	tree := build(t)
	page := tree["modules/sandisk-extreme-a2-64gb-microsd/index.html"]
	for _, part := range []string{
		`<h2 id="units">`, `>A2 2,000<`, `>figure 883<`, `<h2 id="samples">`, `>cliff after 143 MB<`, `class="behind"`,
		`class="main"`, `>99.99 %<`, `warm-up, not counted`,
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %s", part)
		}
	}
	charts := strings.Count(page, `<figure class="chart">`)
	if charts != 11 || strings.Count(page, "<desc id=") != charts || strings.Count(page, "<summary>Numbers") != charts {
		t.Errorf("%d charts, %d descriptions, %d tables", charts, strings.Count(page, "<desc id="),
			strings.Count(page, "<summary>Numbers"))
	}
	// Dots of its units stand behind the figure at the head, and behind each other figure.
	_, why, _ := strings.Cut(page, "Why believe this?")
	why, _, _ = strings.Cut(why, "</details>")
	if strings.Count(why, `<svg class="dots"`) != 1 || strings.Count(why, "<circle") < 10 ||
		strings.Count(page, `<svg class="dots"`) < 12 {
		t.Errorf("no dots say why to believe it: %s", why)
	}
	if none := tree["modules/corsair-padlock-2-16gb-usb/index.html"]; none == "" ||
		strings.Contains(none, `class="chart"`) {
		t.Error("a module without results has charts")
	}
}

// Each page names a picture for other sites. Modules, devices and questions have pictures of their own, which the
// publisher draws beside them.
func TestPagesNameAPicture(t *testing.T) {
	t.Parallel()
	tree := build(t)
	named := regexp.MustCompile(`<meta property="og:image" content="https?://[^/"]+/([^"]*)">`)
	own := 0
	for path, content := range tree {
		if !strings.HasSuffix(path, ".html") {
			continue
		}
		want := "share.png"
		if strings.HasSuffix(path, "/frame.html") { // the server fills it in, with the picture
			want = ""
			content = strings.Replace(content, "{{ .picture }}", "/", 1)
		}
		if regexp.MustCompile(`^(?:(?:modules|device)/[^/]+|for/[^/]+(?:/[^/]+)?)/index\.html$`).MatchString(path) {
			want, own = strings.TrimSuffix(path, "index.html")+want, own+1
		}
		if of := named.FindAllStringSubmatch(content, -1); len(of) != 1 || of[0][1] != want {
			t.Errorf("%s names %q, want %s", path, of, want)
		}
		for _, part := range []string{`<meta property="og:image:width" content="1200">`,
			`<meta property="og:image:height" content="630">`, `<meta property="og:image:alt" content="`,
			`<meta name="twitter:card" content="summary_large_image">`} {
			if strings.Count(content, part) != 1 {
				t.Errorf("%s has not once %s", path, part)
			}
		}
	}
	if own < 140 {
		t.Errorf("%d pages have a picture of their own", own)
	}
	if common, err := png.DecodeConfig(strings.NewReader(tree["share.png"])); err != nil ||
		common.Width != 1200 || common.Height != 630 {
		t.Errorf("the common picture: %+v, %v", common, err)
	}
}

// Search engines and previews of links show a text of the page itself. A module's title has the figure at its head, if
// that fits, and no two pages have the same description.
func TestTitlesAndDescriptionsAreOfThePage(t *testing.T) {
	t.Parallel()
	head := regexp.MustCompile(`(?s)<title>([^<]*) · Flashdex</title>\n<meta name="description" content="([^"]*)">.*` +
		`<h1><bdi>([^<]*)</bdi></h1>.*<p class="reading"><strong>([^<]*)</strong> <span>IOPS, 4K`)
	description := regexp.MustCompile(`<meta name="description" content="([^"]*)">`)
	titled, of := 0, map[string]string{}
	tree := build(t)
	for path, content := range tree {
		if found := head.FindStringSubmatch(content); strings.HasPrefix(path, "modules/") && found != nil {
			title, name, figure := html.UnescapeString(found[1]), html.UnescapeString(found[3]), found[4]+" IOPS"
			if utf8.RuneCountInString(name+": "+figure) > 59 {
				continue
			}
			if titled++; !strings.HasSuffix(title, figure) && !strings.Contains(title, figure+", ") {
				t.Errorf("%s has the title %q", path, title)
			}
		}
		if !strings.HasSuffix(path, ".html") || slices.Contains(page.Frames, path) {
			continue
		}
		said := description.FindStringSubmatch(content)
		if said == nil {
			t.Errorf("%s has no description", path)
			continue
		}
		if n := utf8.RuneCountInString(html.UnescapeString(said[1])); n < 50 || n > 160 {
			t.Errorf("%s: %d characters: %s", path, n, said[1])
		}
		if of[said[1]] != "" {
			t.Errorf("%s has the description of %s: %q", path, of[said[1]], said[1])
		}
		if of[said[1]] = path; strings.HasPrefix(said[1], "An open index") && path != "index.html" {
			t.Errorf("%s has the description of the site: %s", path, said[1])
		}
	}
	if titled < 20 || len(of) < 300 {
		t.Errorf("%d titles with a figure, %d descriptions", titled, len(of))
	}
	frame := tree[page.Frames[0]]
	if !strings.Contains(frame, `content="{{ with .description }}{{ . }}{{ else }}An answer `) {
		t.Error("a result can't describe itself")
	}
}
