package rest_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"flashdex/api/rest"
)

func TestOtherSitesMayReadWhatIsPublic(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	b.do(b.upload(id, body))
	b.write("site/data/latest/results.csv", "a,b\n")
	ask := func(method, path string, header ...string) answer {
		r := b.request(method, path, nil)
		r.Header.Set("Origin", "https://elsewhere.example")
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		return b.do(r)
	}
	for _, path := range []string{"/v1/results/" + id, "/v1/nothing", "/data/latest/results.csv"} {
		a := ask(http.MethodGet, path)
		if a.header.Get("Access-Control-Allow-Origin") != "*" || a.header.Get("Access-Control-Allow-Credentials") != "" ||
			!strings.Contains(a.header.Get("Access-Control-Expose-Headers"), "Retry-After") {
			t.Errorf("%s: %v", path, a.header)
		}
	}
	a := ask(http.MethodOptions, "/v1/results/"+id, "Access-Control-Request-Method", "PUT",
		"Access-Control-Request-Headers", "authorization")
	if a.status != http.StatusNoContent || a.header.Get("Access-Control-Allow-Methods") != "GET, HEAD" ||
		strings.Contains(strings.ToLower(a.header.Get("Access-Control-Allow-Headers")), "authorization") ||
		a.header.Get("Allow") == "" {
		t.Errorf("preflight of an upload: %d %v", a.status, a.header)
	}
	for _, a := range []answer{ask(http.MethodGet, "/r/"+id), ask(http.MethodGet, "/"),
		ask(http.MethodDelete, "/v1/results/"+id), ask(http.MethodOptions, "/run.sh")} {
		if a.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%d %v", a.status, a.header)
		}
	}
	ask(http.MethodOptions, "/v1/nothing/at/all").problem(t, http.StatusNotFound, "not-found")
}

func TestHeadersForTheBrowser(t *testing.T) {
	t.Parallel()
	b := start(t, func(c *rest.Config) { c.PublicURL = "https://flashdex.example" })
	for _, path := range []string{"/", "/v1/nothing", "/healthz"} {
		a := b.get(path)
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Strict-Transport-Security": "max-age=31536000",
			"Cross-Origin-Opener-Policy": "same-origin",
		} {
			if got := a.header.Get(name); got != want {
				t.Errorf("%s: %s %q, want %q", path, name, got, want)
			}
		}
	}
	if a := start(t).get("/"); a.header.Get("Strict-Transport-Security") != "" {
		t.Error("a server without TLS asks for it")
	}
}

func TestRequestIDLeadsToTheLineInTheLog(t *testing.T) {
	t.Parallel()
	b := start(t)
	r := b.request(http.MethodGet, "/healthz", nil)
	r.Header.Set("X-Request-Id", "mine")
	first, second := b.do(r).header.Get("X-Request-Id"), b.get("/healthz").header.Get("X-Request-Id")
	if first == second || !regexp.MustCompile(`^[A-Z2-7]{16}$`).MatchString(first) {
		t.Errorf("ids %q and %q", first, second)
	}
	if log := b.log.String(); !strings.Contains(log, `"id":"`+first+`","method":"GET","route":"/healthz"`) ||
		strings.Contains(log, "mine") {
		t.Errorf("log:\n%s", log)
	}
}
