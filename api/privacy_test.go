package main

import (
	"encoding/hex"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"flashdex/api/store/cluster/clustertest"
	"flashdex/result"
)

// TestNothingOfTheSenderIsKept plants marks in every part of a request, and looks for them in everything that the
// server keeps. Only fields of a document that are published on purpose may come out again.
func TestNothingOfTheSenderIsKept(t *testing.T) {
	t.Parallel()
	s := start(t, "--trusted-proxies", "127.0.0.0/8,::1/128") // so that the forwarded address is really read
	headers := []string{
		"X-Forwarded-For", "203.0.113.77, 127.0.0.1", "X-Real-Ip", "203.0.113.78", "Forwarded",
		"for=203.0.113.79;host=zqx-forwarded", "True-Client-Ip", "203.0.113.80",
		"User-Agent", "zqx-agent", "Referer", "https://zqx-referer.example/", "Cookie", "user=zqx-cookie", "From",
		"zqx-from@example.org", "Via", "1.1 zqx-via",
		"Accept-Language", "zqx-language", "X-Request-Id", "zqx-id", "X-Zqx", "zqx-unknown", "Origin",
		"https://zqx-origin.example", "Host", "zqx-host.example",
		"Traceparent", "00-zqx-trace", "If-None-Match", `"zqx-etag"`,
	}
	// Every free text about a card that the schema accepts; the registers have to agree with each other.
	fields := map[string]string{
		"module/vendor": "zqx-shown-vendor", "module/product": "zqx-shown-product", "host/board": "zqx-shown-board",
		"host/cpu": "zqx-cpu", "host/bus_mode": "zqx-shown-mode", "host/kernel": "zqx-kernel",
		"identity/ata/model": "zqx-ata-model", "identity/ata/firmware": "zqx-ata-fw",
	}
	id, document := example(t)
	for path, mark := range fields {
		set(document, path, mark)
	}
	// The day may be published; the time would tell when the contributor is at home.
	started := time.Date(2026, 11, 21, 7, 43, 58, 0, time.UTC)
	set(document, "started_at", started.Format(time.RFC3339))
	if a := s.upload(id, encode(t, document), headers...); a.status != http.StatusCreated ||
		!strings.Contains(a.body, `"accepted"`) {
		t.Fatalf("%d %s", a.status, a.body)
	}
	second, other := example(t) // from a neighbour, so that the module is listed
	set(document, "id", second)
	set(document, "started_at", other["started_at"])
	if a := s.upload(second, encode(t, document), append(slices.Clone(headers), "Authorization",
		"Bearer "+strings.Repeat("ab", 32))...); a.status != http.StatusCreated {
		t.Fatalf("%d %s", a.status, a.body)
	}
	clustertest.Spread(t, s.database)
	set(document, "id", id)
	set(document, "started_at", started.Format(time.RFC3339))
	// The server doesn't store or log fields that the schema doesn't have.
	for i, path := range []string{"serial", "host/hostname", "host/mac", "module/serial", "identity/serial",
		"identity/sd/serial", "identity/sd/crc_wrong", "identity/ata/serial", "identity/verified/path",
		"identity/usb/reader", "module/price", "module/price/shop", "module/price/currency", "module/price/on",
		"target/path", "client/user", "tests"} {
		other, spoiled := example(t)
		set(spoiled, path, "zqx-refused")
		if a := s.upload(other, encode(t, spoiled), headers...); a.status != http.StatusUnprocessableEntity {
			t.Errorf("%d %s: %d %s", i, path, a.status, a.body)
		}
	}
	withSerial, spoiled := example(t)
	set(spoiled, "identity/sd/cid", "0353445343333247801234abcd015a00")
	s.upload(withSerial, encode(t, spoiled), headers...)
	s.upload(result.NewID(), []byte(`{"zqx-malformed": `), headers...)
	s.upload("zqx-path", encode(t, document), headers...)
	s.upload(id, encode(t, document), append(slices.Clone(headers), "Content-Type", "zqx-/type", "Content-Encoding",
		"zqx-encoding")...)
	s.request(http.MethodPut, "/v1/contributor/secret", []byte(`{"new_secret": "zqx-secret"}`),
		append([]string{"Authorization", "Bearer " + secret}, headers...)...)
	s.request(http.MethodGet, "/v1/contributor", nil, append([]string{"Authorization", "Bearer zqx-token"}, headers...)...)
	for _, path := range []string{"/", "/?q=zqx-query", "/zqx-path", "/modules/zqx-path/",
		"/v1/results/" + id + "?zqx-query", "/v1/results/zqx-path", "/v1/search?q=zqx-query",
		"/v1/modules/zqx-path", "/v1/modules?q=zqx-query&sort=zqx-query", "/r/zqx-path", "/r/" + id + "?zqx-query",
		"/client/zqx-path", "/readyz?zqx-query"} {
		s.request(http.MethodGet, path, nil, headers...)
		s.request("ZQX-METHOD", path, nil, headers...)
	}

	for _, from := range []string{"same-origin", "cross-site"} {
		s.request(http.MethodPost, "/object/", []byte("result="+id+"&kind=other&words=zqx-shown-words&zqx-field=zqx-value"),
			append(slices.Clone(headers), "Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", from)...)
		s.request(http.MethodPost, "/import/", []byte("text=zqx-pasted+5+MB/s&vendor=zqx-value&zqx-field=zqx-value"),
			append(slices.Clone(headers), "Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", from)...)
	}

	kept := map[string]string{"log": s.log.String()}
	if !strings.Contains(kept["log"], `"status":422`) || !strings.Contains(kept["log"], `"status":201`) {
		t.Error("the log doesn't hold the requests at all")
	}
	metrics, err := http.Get(s.metrics)
	if err != nil {
		t.Fatal(err)
	}
	defer metrics.Body.Close()
	text, err := io.ReadAll(metrics.Body)
	if err != nil {
		t.Fatal(err)
	}
	kept["metrics"] = string(text)
	if !strings.Contains(kept["metrics"], "flashdex_uploads_total") {
		t.Error("the metrics don't hold the uploads at all")
	}
	for name, text := range s.published(id) {
		kept["publication "+name] = text
	}
	for name, text := range s.dump() {
		kept["table "+name] = text
	}
	for _, path := range []string{"/v1/results/" + id, "/r/" + id, "/v1/results.csv", "/v1/results.ndjson",
		"/v1/modules", "/v1/search?q=shown", "/search/?q=shown"} {
		if a := s.request(http.MethodGet, path, nil); a.status == http.StatusOK {
			kept["answer "+path] = a.body
		}
	}
	if !strings.Contains(kept["answer /v1/results/"+id], `"document":`) || kept["answer /v1/results.csv"] == "" {
		t.Error("the answers don't hold the result at all")
	}
	allowed := func(place string) []string {
		switch {
		case place == "table submission":
			return append(slices.Collect(maps.Values(fields)), id, started.Format(time.RFC3339))
		case place == "table objection":
			return []string{"zqx-shown-words"} // and not in a publication or an answer
		case strings.Contains(place, "/documents-"), strings.HasPrefix(place, "answer /v1/results/"):
			return slices.Collect(maps.Values(fields)) // the sender of a document sees what it contains
		case strings.HasPrefix(place, "table "), strings.HasPrefix(place, "publication "),
			strings.HasPrefix(place, "answer "):
			return []string{"zqx-shown-vendor", "zqx-shown-product", "zqx-shown-board", "zqx-shown-mode"}
		}
		return nil
	}
	if strings.Count(kept["table objection"], "zqx-shown-words") != 1 {
		t.Errorf("the objections: %q", kept["table objection"])
	}
	// The labels of networks show that the two are neighbours, but contain no address in any form.
	labels := strings.Split(strings.TrimSpace(kept["table submission_network"]), "\n")
	label := func(line string) string { return line[strings.LastIndex(line, "\t")+1:] }
	if len(labels) != 2 || label(labels[0]) != label(labels[1]) || len(label(labels[0])) < 3*32 {
		t.Errorf("the labels of two neighbours: %q", labels)
	}
	for place, text := range kept {
		for _, mark := range allowed(place) {
			text = strings.ReplaceAll(strings.ReplaceAll(text, mark, ""), hex.EncodeToString([]byte(mark)), "")
		}
		for _, private := range []string{"zqx-", "ZQX-", "203.0.113.", "cb0071", "127.0.0.1", "7f000001", secret, strings.ToLower(secret),
			"1234abcd", started.Format("15:04"), strconv.FormatInt(started.Unix(), 10)} {
			if !strings.HasPrefix(place, "table ") && private == "127.0.0.1" && place != "log" {
				continue // the site's own address
			}
			for _, form := range []string{private, hex.EncodeToString([]byte(private))} {
				if at := strings.Index(text, form); at >= 0 {
					t.Errorf("%s holds %s: …%q…", place, private, text[max(0, at-60):min(len(text), at+60)])
				}
			}
		}
	}
}
