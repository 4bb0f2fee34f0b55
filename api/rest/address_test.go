package rest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestMistypedAddressesLeadOn(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	b.do(b.upload(id, body)).json(t, http.StatusCreated)
	b.write("site/404.html", "no such page")
	b.write("site/index.html", "home")
	b.write("site/modules/evo/index.html", "<h1>EVO</h1>")
	for asked, want := range map[string]string{
		"/r/" + id + "/": "/r/" + id, "/r/" + strings.ToUpper(id): "/r/" + id, "/r/" + id + ".html": "/r/" + id,
		"/r/" + strings.ToUpper(id) + "/": "/r/" + id,
		"/modules/EVO/":                   "/modules/evo/", "/Modules/Evo": "/modules/evo/",
		"/modules/evo.html":  "/modules/evo/",
		"/modules/evo/index": "/modules/evo/", "/INDEX.HTML": "/", "/modules/EVO/../evo.html/": "/modules/evo/",
	} {
		a := b.get(asked)
		if to := a.header.Get("Location"); a.status != http.StatusMovedPermanently || to != want {
			t.Errorf("%s: %d, to %q, want %q", asked, a.status, to, want)
		}
	}
	for _, asked := range []string{"/r/nonsense/", "/r/%3Cscript%3E/", "/r/../r/x.html", "/modules/nothing.html",
		"//evil.example/modules/EVO.html"} {
		if a := b.get(asked); a.status != http.StatusNotFound || a.header.Get("Location") != "" {
			t.Errorf("%s: %d, to %q", asked, a.status, a.header.Get("Location"))
		}
	}
}

func TestModulesByTheirAddress(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.write("site/404.html", "no such page")
	id, body := example(t)
	b.do(b.upload(id, body)).json(t, http.StatusCreated)
	b.fold()
	for b.get("/v1/modules/sandisk-extreme-32gb-microsd").status == http.StatusNotFound { // two seconds may pass
		time.Sleep(100 * time.Millisecond)
	}
	a := b.get("/badge/sandisk-extreme-32gb-microsd.svg")
	if a.status != http.StatusOK || a.header.Get("Content-Type") != "image/svg+xml" ||
		!strings.Contains(string(a.body), "SanDisk Extreme 32 GB microSD. 4K random write: ") {
		t.Errorf("the badge: %d %s", a.status, a.body)
	}
	// The page of this module begins with the range of published figures.
	ranged := string(b.get("/badge/lexar-professional-1000x-64gb-microsd.svg").body)
	if !strings.Contains(ranged, " to ") || strings.Contains(ranged, "(") {
		t.Errorf("the badge of a range: %s", ranged)
	}
	for _, slug := range []string{"nothing", "%3Cscript%3E"} {
		b.get("/badge/"+slug+".svg").problem(t, http.StatusNotFound, "not-found")
	}
	for asked, named := range map[string]bool{
		"/modules/sandisk-extreme-32gb/": true, "/modules/SanDisk-Extreme.html": true,
		"/modules/sandisk/": false, "/modules/nothing-like-it/": false, "/sandisk-extreme-32gb/": false,
	} {
		a := b.get(asked)
		if got := strings.Contains(string(a.body), `<a href="/modules/sandisk-extreme-`); a.status != http.StatusNotFound ||
			got != named {
			t.Errorf("%s: %d, names a module: %v, want %v\n%s", asked, a.status, got, named, a.body)
		}
	}
}
