package compose

import (
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

type answer struct {
	status int
	header http.Header
	body   []byte
}

// send returns the raw answer. Its status is 0 if there was none.
func send(t testing.TB, request *http.Request) answer {
	t.Helper()
	client := http.Client{
		Transport: &http.Transport{
			DisableCompression: true, DisableKeepAlives: true,
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, // the server made its authority just now
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	got, err := client.Do(request)
	if err != nil {
		return answer{}
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		return answer{}
	}
	return answer{got.StatusCode, got.Header, body}
}

// get sends a GET with additional headers: name, value, name, value.
func get(t testing.TB, url string, header ...string) answer {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		if request.Header.Set(header[i], header[i+1]); header[i] == "Host" {
			request.Host = header[i+1]
		}
	}
	return send(t, request)
}

// sameAnswers checks that the web server gives the same answers as the API without a web server.
func (e *engine) sameAnswers() {
	e.t.Helper()
	api := "http://" + e.inspect("api", "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}") + ":8080"
	home := string(get(e.t, api+"/").body)
	module := regexp.MustCompile(`/modules/[^/"]+/`).FindString(home)
	style := regexp.MustCompile(`/[^" ]+\.[0-9a-f]{32,}\.css`).FindString(home)
	if module == "" || style == "" {
		e.t.Fatalf("the first page leads to module %q and style %q", module, style)
	}
	for _, path := range []string{
		"/", module, strings.TrimSuffix(module, "/"), strings.TrimSuffix(module, "/") + ".json",
		strings.TrimSuffix(module, "/") + ".csv", style, "/method/", "/404.html", "/no-such-page", "/no/such/",
		"/sitemap.xml", "/data/", "/data/latest/", "/data/latest/results.csv", "/data/latest/results.csv.gz",
		"/data/latest/datapackage.json", "/data/latest/SHA256SUMS", "/data/latest/figures.parquet",
		"/data/latest/.hidden", "/data/2001-01-01/results.csv", "/data/snapshots.json", "/search/?q=sandisk",
		"/compare/", "/v1/modules?limit=3", "/run.sh", "/client/SHA256SUMS", "/openapi.json",
		"/modules/../index.html", "/%2e%2e/%2e%2e/etc/passwd", "/building/",
	} {
		// The API sends no script if the request is for another address than the site's.
		want, got := get(e.t, api+path, "Host", strings.TrimPrefix(web, "http://")), get(e.t, web+path)
		if got.status != want.status || !bytes.Equal(got.body, want.body) && path != "/no-such-page" {
			e.t.Errorf("%s: %d with %d bytes by the web server, %d with %d bytes by the API",
				path, got.status, len(got.body), want.status, len(want.body))
		}
		for _, name := range []string{
			"Content-Type", "Cache-Control", "Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy",
			"Permissions-Policy", "Cross-Origin-Opener-Policy", "Access-Control-Allow-Origin",
			"Access-Control-Expose-Headers", "Location",
		} {
			if w, g := want.header.Values(name), got.header.Values(name); !slices.Equal(w, g) {
				e.t.Errorf("%s: %s is %q by the web server, %q by the API", path, name, g, w)
			}
		}
		if tag := got.header.Get("Etag"); tag != "" && got.status == http.StatusOK {
			// A publication in between may have changed the file, and so its tag.
			if a := get(e.t, web+path, "If-None-Match", tag); a.status != http.StatusNotModified && a.header.Get("Etag") == tag {
				e.t.Errorf("%s is sent again: %d", path, a.status)
			}
		} else if want.header.Get("Etag") != "" {
			e.t.Errorf("%s has no tag", path)
		}
	}
}

// compressed checks that the web server compresses files, and sends an existing compressed file as it is.
func (e *engine) compressed() {
	e.t.Helper()
	for encoding, unpack := range map[string]func(io.Reader) (io.Reader, error){
		"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"zstd": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
	} {
		e.unchanged("/", func(plain []byte) error {
			a := get(e.t, web+"/", "Accept-Encoding", encoding)
			from, err := unpack(bytes.NewReader(a.body))
			if err != nil {
				return err
			}
			unpacked, err := io.ReadAll(from)
			got := a.header.Get("Content-Encoding")
			if err != nil || got != encoding || !bytes.Equal(unpacked, plain) || len(a.body) > len(plain)/2 {
				return fmt.Errorf("%s: %q, %d of %d bytes, %v", encoding, got, len(a.body), len(plain), err)
			}
			return nil
		})
	}
	e.unchanged("/data/latest/results.csv.gz", func(packed []byte) error {
		a := get(e.t, web+"/data/latest/results.csv", "Accept-Encoding", "gzip")
		if a.header.Get("Content-Encoding") != "gzip" || !bytes.Equal(a.body, packed) ||
			!strings.HasPrefix(a.header.Get("Content-Type"), "text/csv") {
			return fmt.Errorf("the answer to results.csv is not the file of %d bytes: %v", len(packed), a.header)
		}
		return nil
	})
}

// unchanged runs a check with the body of an address. If the check fails and the body has changed, a publication came
// in between, so unchanged tries again.
func (e *engine) unchanged(path string, check func(body []byte) error) {
	e.t.Helper()
	for {
		body := get(e.t, web+path).body
		err := check(body)
		if err == nil {
			return
		}
		if bytes.Equal(get(e.t, web+path).body, body) {
			e.t.Error(err)
			return
		}
	}
}
