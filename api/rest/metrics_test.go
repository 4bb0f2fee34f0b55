package rest_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"flashdex/api/rest"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// series returns the lines of a scrape.
func series(t testing.TB, from prometheus.Gatherer) []string {
	t.Helper()
	answer := httptest.NewRecorder()
	promhttp.HandlerFor(from, promhttp.HandlerOpts{}).ServeHTTP(answer,
		httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return strings.Split(strings.TrimSpace(answer.Body.String()), "\n")
}

func TestRequestsAreCounted(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	b := start(t, func(c *rest.Config) { c.Metrics = registry })
	id, body := example(t)
	b.do(b.upload(id, body))
	b.do(b.upload(id, body))
	b.do(b.upload(id, body[1:]))
	b.get("/v1/results/" + id)
	lines := strings.Join(series(t, registry), "\n")
	for _, want := range []string{
		`flashdex_http_requests_total{method="PUT",problem="",route="/v1/results/{id}",status="201"} 1`,
		`flashdex_http_requests_total{method="PUT",problem="malformed",route="/v1/results/{id}",status="400"} 1`,
		`flashdex_http_requests_total{method="GET",problem="",route="/v1/results/{id}",status="200"} 1`,
		`flashdex_http_request_seconds_count{method="PUT",route="/v1/results/{id}"} 3`,
		`flashdex_uploads_total{outcome="accepted"} 1`, `flashdex_uploads_total{outcome="again"} 1`,
		`flashdex_uploads_total{outcome="malformed"} 1`,
		`flashdex_http_requests_in_flight 0`,
	} {
		if !strings.Contains(lines, want) {
			t.Errorf("the metrics lack %s:\n%s", want, lines)
		}
	}
}

// Whatever people request, a second volley with other words adds no series to the first one's.
func TestNobodyCanMakeSeries(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	b := start(t, func(c *rest.Config) { c.Metrics = registry })
	volley := func(word string) {
		for _, path := range []string{"/", "/%s", "/%s/%s/", "/v1/%s", "/v1/results/%s", "/r/%s", "/client/%s",
			"/modules/%s/?q=%s", "/v1/results/0198f2c4-7a3b-7c11-9d5e-%012x"} {
			for _, method := range []string{"GET", "HEAD", "PUT", "POST", "DELETE", "OPTIONS", "PATCH", strings.ToUpper(word)} {
				path := strings.ReplaceAll(strings.ReplaceAll(path, "%012x", fmt.Sprintf("%012x", len(word))), "%s", word)
				r := b.request(method, path, bytes.NewReader([]byte(`{"`+word+`": 1}`)))
				r.Header.Set("Authorization", "Bearer "+strings.Repeat("ab", 32))
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("X-Request-Id", word)
				r.Host = word
				b.do(r)
			}
		}
	}
	volley("alpha")
	before := series(t, registry)
	for _, word := range []string{"beta", "gamma-gamma", "delta.delta"} {
		volley(word)
	}
	if after := series(t, registry); len(after) != len(before) || len(before) > 1500 {
		t.Errorf("%d series, then %d", len(before), len(after))
	} else if text := strings.Join(after, "\n"); strings.Contains(text, "alpha") || strings.Contains(text, "GAMMA") {
		t.Error("a word of a request is in a label")
	}
}
