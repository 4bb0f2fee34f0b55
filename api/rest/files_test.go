package rest_test

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"flashdex/api/dataset"
	"flashdex/api/rest"
	"flashdex/client/release"
)

// raw sends bytes that http.Client wouldn't send.
func raw(t testing.TB, b *bench, request string) string {
	t.Helper()
	conn, err := net.Dial("tcp", b.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write([]byte(request)); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if _, err := bufio.NewReader(conn).WriteTo(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestNothingOutsideTheFoldersIsServed(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.write("tools/flashdex-linux-arm64", "\x7fELF")
	outside := filepath.Join(filepath.Dir(b.site), "secret")
	if err := os.WriteFile(outside, []byte("SECRET"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{filepath.Join(b.site, "link"), filepath.Join(b.tools, "link")} {
		if err := os.Symlink(outside, link); err != nil {
			t.Fatal(err)
		}
	}
	if a := b.get("/client/flashdex-linux-arm64"); a.status != http.StatusOK || string(a.body) != "\x7fELF" ||
		a.header.Get("Content-Type") != "application/octet-stream" {
		t.Errorf("client: %d %q", a.status, a.body)
	}
	for _, prefix := range []string{"", "/client"} {
		for _, path := range []string{"/../secret", "/..%2fsecret", "/%2e%2e/secret", "/%2e%2e%2fsecret", "/..\\secret",
			"/link", "/./../secret", "//secret", "/" + outside, "/x/../../secret", "/secret%00.html",
			"/../../../../../../../../etc/passwd",
			"/.%2e/.%2e/.%2e/.%2e/.%2e/etc/passwd"} {
			text := raw(t, b, "GET "+prefix+path+" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
			if strings.Contains(text, "SECRET") || strings.Contains(text, "root:") || strings.HasPrefix(text, "HTTP/1.1 2") ||
				strings.HasPrefix(text, "HTTP/1.1 5") {
				t.Errorf("%s%s:\n%s", prefix, path, text)
			}
		}
	}
	b.get("/client/").problem(t, http.StatusNotFound, "not-found")
	b.get("/client/nothing").problem(t, http.StatusNotFound, "not-found")
}

func TestAClientToComeIsUnavailable(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.write("tools/"+release.List, "# to come flashdex-linux-arm64\n")
	a := b.get("/client/flashdex-linux-arm64")
	p := a.problem(t, http.StatusServiceUnavailable, "unavailable")
	wait, err := strconv.Atoi(a.header.Get("Retry-After"))
	if err != nil || wait < 20 || wait > 40 || !strings.Contains(p.Detail, "still being built") {
		t.Errorf("after %q s: %s", a.header.Get("Retry-After"), p.Detail)
	}
	b.get("/client/flashdex-linux-vax").problem(t, http.StatusNotFound, "not-found")
	b.write("tools/flashdex-linux-arm64", "program")
	b.write("tools/"+release.List, "5ca1ab1e  flashdex-linux-arm64\n")
	if a := b.get("/client/flashdex-linux-arm64"); a.status != http.StatusOK || string(a.body) != "program" {
		t.Errorf("built, it is %d %s", a.status, a.body)
	}
}

func TestSiteIsServedWithItsHeaders(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.write("site/modules/evo/index.html", "<h1>EVO</h1>")
	b.write("site/404.html", "<h1>not here</h1>")
	b.write("site/css/main.0123456789abcdef0123456789abcdef.css", "body{}")
	b.write("site/data/latest/results.csv", strings.Repeat("a,b\n", 1000))
	page := b.get("/modules/evo/")
	if page.status != http.StatusOK || page.header.Get("Cache-Control") != "no-cache" || page.header.Get("ETag") == "" {
		t.Errorf("page: %d %v", page.status, page.header)
	}
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Content-Type": "text/html; charset=utf-8",
	} {
		if got := page.header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if policy := page.header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none';") ||
		strings.Contains(policy, "unsafe") {
		t.Errorf("policy %q", policy)
	}
	r := b.request(http.MethodGet, "/modules/evo/", nil)
	r.Header.Set("If-None-Match", page.header.Get("ETag"))
	if a := b.do(r); a.status != http.StatusNotModified {
		t.Errorf("asked again: %d", a.status)
	}
	if a := b.get("/modules/evo"); a.status != http.StatusMovedPermanently || a.header.Get("Location") != "/modules/evo/" {
		t.Errorf("without the slash: %d to %q", a.status, a.header.Get("Location"))
	}
	if a := b.get("//modules/evo"); a.status == http.StatusMovedPermanently &&
		strings.HasPrefix(a.header.Get("Location"), "//") {
		t.Errorf("a redirect to another host: %q", a.header.Get("Location"))
	}
	for _, path := range []string{"/modules/", "/nothing", "/css/"} { // no listings
		if a := b.get(path); a.status != http.StatusNotFound || string(a.body) != "<h1>not here</h1>" {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	if a := b.get("/css/main.0123456789abcdef0123456789abcdef.css"); !strings.Contains(a.header.Get("Cache-Control"),
		"immutable") || a.header.Get("Content-Type") != "text/css; charset=utf-8" {
		t.Errorf("asset: %v", a.header)
	}
	r = b.request(http.MethodHead, "/data/latest/results.csv", nil)
	if a := b.do(r); a.status != http.StatusOK || len(a.body) != 0 ||
		a.header.Get("Content-Type") != "text/csv; charset=utf-8" {
		t.Errorf("HEAD: %d %v", a.status, a.header)
	}
	r = b.request(http.MethodGet, "/data/latest/results.csv", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	if a := b.do(r); a.header.Get("Content-Encoding") != "gzip" || len(a.body) > 500 {
		t.Errorf("packed: %d bytes, %v", len(a.body), a.header)
	} else if unpacker, err := gzip.NewReader(strings.NewReader(string(a.body))); err != nil {
		t.Error(err)
	} else if n, err := io.Copy(io.Discard, unpacker); err != nil || n != 4000 {
		t.Errorf("unpacked: %d bytes, %v", n, err)
	}
	r.Header.Set("Range", "bytes=4-6")
	if a := b.do(r); a.status != http.StatusPartialContent || string(a.body) != "a,b" {
		t.Errorf("a part: %d %q", a.status, a.body)
	}
	b.site = ""
	if a := b.get("/"); a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" {
		t.Errorf("before the first publication: %d", a.status)
	}
}

func TestLogSaysNothingOfTheSender(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	r := b.upload(id, body)
	r.Header.Set("User-Agent", "alice-pi")
	r.Header.Set("X-Forwarded-For", "203.0.113.7")
	b.do(r)
	b.get("/r/" + id + "?who=alice-pi")
	b.get("/home/alice-pi")
	b.do(b.upload("alice-pi", []byte(`{"alice-pi"`)))
	b.do(b.request("ALICE-PI", "/", nil))
	log := b.log.String()
	if lines := strings.Count(log, "\n"); lines != 5 {
		t.Errorf("%d lines for 5 requests:\n%s", lines, log)
	}
	for _, private := range []string{"127.0.0.1", "203.0.113.7", "alice", "ALICE", secret, id} {
		if strings.Contains(log, private) {
			t.Errorf("the log holds %s:\n%s", private, log)
		}
	}
	if !strings.Contains(log, `"method":"PUT","route":"/v1/results/{id}","status":201`) ||
		!strings.Contains(log, `"problem":"malformed"`) {
		t.Errorf("log:\n%s", log)
	}
}

func TestWithdrawnSnapshotSaysSo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const list = `{"dated": [{"date": "2026-11-21", "runs": 7,
		"files": [{"file": "results.csv", "bytes": 3, "rows": 12, "sha256": "0a1b"}]},
		{"date": "2026-11-20", "withdrawn": "2026-11-22"}]}`
	for name, text := range map[string]string{"files/1.1/results.csv": "a\r\n", "files/1.2/results.csv": "not listed",
		"ids/1.1": "0123456789abcdef", "editions/1/2026-11-20/WITHDRAWN.txt": "taken back\n",
		"editions/1/snapshots.json": list} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Symlink("editions/1", filepath.Join(dir, dataset.Served)),
		os.Symlink("../../files/1.1", filepath.Join(dir, "editions/1/2026-11-21"))); err != nil {
		t.Fatal(err)
	}
	b := start(t, func(c *rest.Config) { c.DataDir = dir })
	b.write("site/data/index.html", "the page")
	b.write("site/404.html", "no such page")
	for path, want := range map[string]struct {
		status      int
		cache, body string
	}{
		"/data/2026-11-21/results.csv": {http.StatusOK, "public, max-age=86400, immutable", "a\r\n"},
		"/data/2026-11-20/results.csv": {http.StatusGone, "no-store", "taken back\n"},
		"/data/2026-11-19/results.csv": {http.StatusNotFound, "no-store", "no such page"},
		"/data/snapshots.json":         {http.StatusOK, "no-cache", list},
		"/data/files/1.2/results.csv":  {http.StatusNotFound, "no-store", "no such page"},
		"/data/1.2/results.csv":        {http.StatusNotFound, "no-store", "no such page"},
		"/data/ids/1.1":                {http.StatusNotFound, "no-store", "no such page"},
		"/data/":                       {http.StatusOK, "no-cache", "the page"},
	} {
		if a := b.get(path); a.status != want.status || a.header.Get("Cache-Control") != want.cache ||
			string(a.body) != want.body {
			t.Errorf("%s: %d, %q, %q", path, a.status, a.header.Get("Cache-Control"), a.body)
		}
	}
	for path, want := range map[string]struct {
		status int
		parts  []string
	}{
		"/data/2026-11-21/": {http.StatusOK, []string{"Data set, 2026-11-21", `href="/data/2026-11-21/results.csv"`, "0a1b",
			"7 results", "<title>Data set, snapshot of 2026-11-21 ·",
			`<meta content="7 results and what others published, as of`}},
		"/data/2026-11-20/": {http.StatusGone, []string{"Withdrawn on 2026-11-22.",
			`<meta content="Withdrawn on 2026-11-22, `}},
		"/data/2026-11-19/": {http.StatusNotFound, []string{"no such page"}},
		"/data/latest/":     {http.StatusNotFound, []string{"no such page"}}, // none was written yet
	} {
		a := b.get(path)
		for _, part := range want.parts {
			if a.status != want.status || !strings.Contains(string(a.body), part) {
				t.Errorf("%s is answered %d without %q: %s", path, a.status, part, a.body)
			}
		}
	}
}

// A script that contacts its user's own machine, or uses http although its user came by https, would be worse than
// none.
func TestNoScriptFromAServerThatDoesNotKnowItsAddress(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		public, host, header string
		status               int
	}{
		{"", "localhost:8080", "", 200},
		{"", "192.168.1.5:8080", "", 200},
		{"", "flashdex.example", "X-Forwarded-Proto: http", 200},
		{"", "flashdex.example", "X-Forwarded-Proto: https", 503},
		{"", "flashdex.example", "X-Forwarded-Proto: HTTPS, http", 503},
		{"", "flashdex.example", `Forwarded: for=192.0.2.1;Proto="https"`, 503},
		{"", "flashdex.example", "Forwarded: for=192.0.2.1;proto=HTTPS", 503},
		{"", "localhost:8080", "X-Forwarded-Host: flashdex.example", 503},
		{"", "127.0.0.1:8080", "X-Forwarded-Host: flashdex.example", 503},
		{"", "[::1]:8080", "X-Forwarded-Host: flashdex.example", 503},
		{"", "bad host", "", 503},
		{"http://localhost:8080", "localhost:8080", "X-Forwarded-Proto: http", 200},
		{"http://localhost:8080", "127.0.0.1:8080", "", 200},
		{"http://localhost:8080", "flashdex.example", "", 503},
		{"http://LOCALHOST:8080", "flashdex.example", "", 503},
		{"https://localhost:8443", "flashdex.example", "", 503},
		{"http://flashdex.example", "flashdex.example", "", 200},
		{"http://flashdex.example", "flashdex.example", "X-Forwarded-Proto: https", 503},
		{"https://flashdex.example", "flashdex.example", "X-Forwarded-Proto: https", 200},
		{"https://flashdex.example", "localhost:8080", "X-Forwarded-Host: other.example", 200},
		{"https://127.0.0.1.example", "other.example", "", 200},
		{"https://localhost.example", "other.example", "", 200},
	} {
		request := httptest.NewRequest(http.MethodGet, "/run.sh", nil)
		request.Host = c.host
		if name, value, ok := strings.Cut(c.header, ": "); ok {
			request.Header.Set(name, value)
		}
		answer := httptest.NewRecorder()
		rest.New(rest.Config{ClientDir: "../../client", PublicURL: c.public, Log: slog.New(slog.DiscardHandler)}).
			ServeHTTP(answer, request)
		text := answer.Body.String()
		if answer.Code != c.status || (c.status == 503) != strings.Contains(text, "set FLASHDEX_PUBLIC_URL") ||
			(c.status == 503) == strings.Contains(text, "#!/bin/sh") {
			t.Errorf("%+v is answered %d %.300s", c, answer.Code, text)
		}
	}
}

func TestScriptCarriesTheKeyOfTheClients(t *testing.T) {
	t.Parallel()
	const key = "RWQ0dQ+YvVn8/IqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c"
	for _, c := range []struct {
		file, says string
		status     int
	}{
		{"untrusted comment: any\n" + key + "\n", "KEY='" + key + "'", 200},
		{"untrusted comment: any\n" + key[:50] + "';id;'\n", "internal", 500},
		{"", "internal", 500},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"flashdex.sh": "\nSITE='@SITE@'\nKEY='@KEY@'\n", "flashdex.pub": c.file} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		answer := httptest.NewRecorder()
		rest.New(rest.Config{ClientDir: dir, Log: slog.New(slog.DiscardHandler)}).
			ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/run.sh", nil))
		if text := answer.Body.String(); answer.Code != c.status || !strings.Contains(text, c.says) {
			t.Errorf("with %q: %d %s", c.file, answer.Code, text)
		}
	}
}

func TestScriptHoldsTheAddressItWasAskedFrom(t *testing.T) {
	t.Parallel()
	b := start(t)
	for host, want := range map[string]string{ // "": no script
		"flashdex.example:8080":     "http://flashdex.example:8080",
		"192.168.1.2":               "http://192.168.1.2",
		"[2001:db8::1]:80":          "http://[2001:db8::1]:80",
		"x';reboot;'":               "",
		"$(reboot)":                 "",
		"`reboot`":                  "",
		"a b":                       "",
		"user@host":                 "",
		"host/path":                 "",
		"":                          "",
		"[::1];x]":                  "",
		strings.Repeat("a", 300):    "",
		"evil.example:99999999":     "",
		"\u0435vil.example":         "",
		"flashdex.example:80'; id'": "",
	} {
		text := raw(t, b, fmt.Sprintf("GET /run.sh HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", host))
		if strings.HasPrefix(text, "HTTP/1.1 400") { // net/http refused it before us
			continue
		}
		if want == "" {
			if !strings.HasPrefix(text, "HTTP/1.1 503") || strings.Contains(text, "#!/bin/sh") {
				t.Errorf("Host %q:\n%s", host, text)
			}
			continue
		}
		if !strings.HasPrefix(text, "HTTP/1.1 200") || !strings.Contains(text,
			"\r\n\r\n#!/bin/sh\n# The site: SITE='@SITE@'\nSITE='"+want+"'\nKEY=''\necho \"$SITE\"\n") {
			t.Errorf("Host %q:\n%s", host, text)
		}
		if !strings.Contains(text, "Content-Type: text/x-shellscript") || !strings.Contains(text, "Cache-Control: no-store") {
			t.Errorf("headers:\n%s", text)
		}
	}
}

func TestPublicURLMustBeSafeInAScript(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]bool{
		"https://flashdex.example": true, "https://flashdex.example/": true, "http://[::1]:8080": true,
		"flashdex.example": false, "https://x';id;'": false, "https://a/b?c": false, "ftp://x": false, "https://x\n": false,
	} {
		if rest.ValidPublicURL(url) != want {
			t.Errorf("ValidPublicURL(%q) = %v", url, !want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("New took a public URL with a quote in it")
		}
	}()
	rest.New(rest.Config{PublicURL: "https://x';id;'"})
}
