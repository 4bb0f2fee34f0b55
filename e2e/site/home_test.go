package site_test

import (
	"encoding/json"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"flashdex/e2e/need"
)

// TestHomeAndSearch looks at the home page as people do: for a name in the picture, for a card, and for a device. Each
// finding of the search leads somewhere.
func TestHomeAndSearch(t *testing.T) {
	s := serve(t, build(t))
	for words, want := range map[string]string{
		"openwrt": "/test/#devices", "fsync": "/glossary/#fsync", "lego ev3": "/device/lego-ev3/", "pixhawk": "/device/pixhawk/",
		"pi4": "/device/raspberry-pi-4/", "zero 2": "/device/raspberry-pi-zero-2-w/", "steam deck": "/device/steam-deck/",
		"home assistant": "/for/home-assistant/", "galaxy a52": "/for/phone/", "what is my card": "/import/",
		"import": "/import/", "crystaldiskmark": "/import/",
	} {
		asked := url.QueryEscape(words)
		found := s.get(t, "/search/?q="+asked)
		if !strings.Contains(found.body, `<li><a href="`+want) {
			t.Errorf("%q does not find %s:\n%s", words, want, found.body)
		}
		s.links(t, []*page{found})
		var suggested struct{ Pages []struct{ URL string } }
		if err := json.Unmarshal([]byte(s.get(t, "/v1/search?q="+asked).body), &suggested); err != nil {
			t.Fatal(err)
		}
		leads := func(p struct{ URL string }) bool { return strings.HasPrefix(p.URL, s.URL+want) }
		if !slices.ContainsFunc(suggested.Pages, leads) {
			t.Errorf("%q suggests %v", words, suggested.Pages)
		}
	}
	need.Browser(t, root)
	output, err := exec.Command("node", "home.mjs", s.URL).CombinedOutput()
	t.Logf("%s", output)
	if err != nil {
		t.Error(err)
	}
}
