package rest_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

var reImportPlace = regexp.MustCompile(`<th scope="row">([^<]+) <small>([^<]+)</small></th>` +
	`<td class="number">(\d+)(?:–(\d+))? of (\d+)</td><td class="number">([^<]+)</td><td class="number">([^<]+)</td>`)

// A pasted text and a name lead to the module and to its place among published figures. Nothing is stored.
func TestWhatIsMyCardIsToldAndNothingIsKept(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.fold()
	anybody := &visitor{bench: b}
	card := url.Values{"text": {outputOf(t, "crystaldiskmark-3.txt")}, "vendor": {"Corsair"}, "product": {"Padlock 2"},
		"capacity": {"16"}, "form": {"usb"}}
	page := string(anybody.visit("/import/", card).body)
	places := map[string][]string{}
	for _, p := range reImportPlace.FindAllStringSubmatch(page, -1) {
		places[p[2]+", "+p[1]] = p
	}
	// A source printed 1.7 IOPS of this module (pastebin_bwpMKtDL), and several printed some hundred of others.
	write := places["CrystalDiskMark, 4K random write"]
	if write == nil || write[6] != "44.7 IOPS" || write[7] != "1.71" || len(write[5]) < 2 || write[3] == "1" {
		t.Errorf("the place of 44.7 IOPS is %v", write)
	}
	if queued := places["CrystalDiskMark, 32 in flight, 4K random write"]; queued == nil || queued[6] != "71.8 IOPS" {
		t.Errorf("the place with 32 in flight is %v", queued)
	}
	known := []string{`href="/modules/corsair-padlock-2-16gb-usb/"`, "published figures lead one to expect 4K random write"}
	for _, part := range append(known, "Nothing was kept to tell you this.", `name="keep"`) {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %s", part)
		}
	}
	if answer := strings.Index(page, `id="answer"`); answer < 0 || answer > strings.Index(page, `id="understood"`) {
		t.Error("the page doesn't lead to the answer first")
	}
	card.Del("text") // only its name
	named := anybody.visit("/import/", card)
	for _, part := range append(known, "Nothing was kept to tell you this.") {
		if named.status != http.StatusOK || !strings.Contains(string(named.body), part) {
			t.Errorf("by its name: %d, the page lacks %s", named.status, part)
		}
	}
	if strings.Contains(string(named.body), `name="keep"`) {
		t.Error("a name alone can be kept")
	}
	vague := string(anybody.visit("/import/", url.Values{"product": {"padlock"}}).body)
	if !strings.Contains(vague, "It may be one of these") || !strings.Contains(vague, known[0]) {
		t.Errorf("half a name: %s", vague)
	}
	if nobodys := string(anybody.visit("/import/", url.Values{"product": {"Nonesuch"}}).body); !strings.Contains(nobodys,
		"No module of this name is listed") {
		t.Errorf("a name of nothing: %s", nobodys)
	}
	const noPlace = "only 0.688 of 41.5 GB came back as written"
	for file, lost := range map[string]bool{"h2testw-lost.txt": true, "h2testw-ok.txt": false} {
		page := string(anybody.visit("/import/", url.Values{"text": {outputOf(t, file)}}).body)
		if reImportPlace.MatchString(page) == lost || strings.Contains(page, "No place for h2testw: "+noPlace) != lost {
			t.Errorf("%s has a place, or none, or no reason: %s", file, page)
		}
	}
	if n := count(b, "select count(*) from submission"); n != 0 {
		t.Errorf("%d results were kept", n)
	}
}
