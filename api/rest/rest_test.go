package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"hash/crc32"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"flashdex/api/catalogue"
	"flashdex/api/rest"
	"flashdex/api/store"
	"flashdex/api/store/cluster/clustertest"
	"flashdex/data"
	"flashdex/migrations"
	"flashdex/result"
)

const secret = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

var loaded = sync.OnceValues(func() (*catalogue.Catalogue, error) { return catalogue.Load(data.FS) })

// bench is a server on a real database, a site and a client folder.
type bench struct {
	*httptest.Server
	t           testing.TB
	site, tools string
	database    string // URL
	log         *lockedBuffer
}

func start(t testing.TB, change ...func(*rest.Config)) *bench {
	t.Helper()
	return serve(t, clustertest.New(t), change...)
}

// serve starts a server on a database, beside other servers if there are any. It has the database role of a public
// server.
func serve(t testing.TB, url string, change ...func(*rest.Config)) *bench {
	t.Helper()
	db, err := store.Open(t.Context(), clustertest.As(t, url, migrations.ServerRole))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	modules, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, site: filepath.Join(t.TempDir(), "site"), tools: t.TempDir(), log: new(lockedBuffer), database: url}
	b.write("tools/flashdex.sh", "#!/bin/sh\n# The site: SITE='@SITE@'\nSITE='@SITE@'\nKEY='@KEY@'\necho \"$SITE\"\n")
	b.write("site/r/shell/frame.html", "<!doctype html><html><head><title>{{ .title }} · Flashdex</title>"+
		`<meta content="{{ .description }}"><meta content="{{ .picture }}"></head>`+
		"<body><main>{{ .body }}</main><footer>foot</footer></body></html>")
	b.write("site/index.html", "<!doctype html><title>Ranking</title>")
	config := rest.Config{
		Store: db, Catalogue: modules, SiteDir: func() string { return b.site }, ClientDir: b.tools,
		Log: slog.New(slog.NewJSONHandler(b.log, nil)),
	}
	for _, c := range change {
		c(&config)
	}
	b.Server = httptest.NewServer(rest.New(config))
	t.Cleanup(b.Close)
	return b
}

// write puts a file below the site's or the tools' folder.
func (b *bench) write(name, text string) {
	b.t.Helper()
	path := filepath.Join(b.tools, strings.TrimPrefix(name, "tools/"))
	if rest, ok := strings.CutPrefix(name, "site/"); ok {
		path = filepath.Join(b.site, rest)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

type lockedBuffer struct {
	sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.Lock()
	defer b.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) String() string {
	b.Lock()
	defer b.Unlock()
	return b.Buffer.String()
}

// answer is a response that was read to its end.
type answer struct {
	status int
	header http.Header
	body   []byte
}

type problemDocument struct {
	Type, Title, Detail string
	Status              int
	Errors              []result.Problem
}

// do sends a request, and checks it and its answer against the description of the API.
func (b *bench) do(r *http.Request) answer {
	b.t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(r)
	if err != nil {
		b.t.Error(err)
		return answer{}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Error(err)
	}
	a := answer{response.StatusCode, response.Header, body}
	agreed().hold(b.t, r, a)
	return a
}

func (b *bench) request(method, path string, body io.Reader) *http.Request {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.URL+path, body)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func (b *bench) get(path string) answer {
	b.t.Helper()
	return b.do(b.request(http.MethodGet, path, nil))
}

// eventually waits up to two minutes, for a busy machine, until something is true.
func (b *bench) eventually(what string, true func() bool) {
	b.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !true(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.t.Fatalf("after two minutes still not: %s\n%s", what, b.log.String())
		}
	}
}

// connect opens a connection to the server's database, which is closed, and loses its locks, before the server ends.
func (b *bench) connect() *pgx.Conn {
	b.t.Helper()
	conn, err := pgx.Connect(b.t.Context(), b.database)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// waiting returns how many statements wait for a lock on a table of the database that conn is connected to.
func waiting(t *testing.T, conn *pgx.Conn, table string) (statements int) {
	t.Helper()
	err := conn.QueryRow(t.Context(), `select count(*) from pg_locks where not granted and relation = $1::regclass
		and database = (select oid from pg_database where datname = current_database())`, table).Scan(&statements)
	if err != nil {
		t.Fatal(err)
	}
	return statements
}

// upload returns the request of a well-behaved client to store a document. Under another id the example begins at
// another time, else it would be a copy.
func (b *bench) upload(id string, body []byte) *http.Request {
	b.t.Helper()
	if id != exampleID {
		start := time.Unix(int64(crc32.ChecksumIEEE([]byte(id))), 0).UTC().Format(time.RFC3339)
		body = bytes.Replace(body, []byte(exampleStart), []byte(start), 1)
	}
	return b.uploadAsIs(id, body)
}

func (b *bench) uploadAsIs(id string, body []byte) *http.Request {
	b.t.Helper()
	r := b.request(http.MethodPut, "/v1/results/"+id, bytes.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+secret)
	r.Header.Set("Content-Type", "application/json")
	return r
}

// problem checks that an answer is a complete problem document of a kind.
func (a answer) problem(t testing.TB, status int, kind string) problemDocument {
	t.Helper()
	var p problemDocument
	if err := json.Unmarshal(a.body, &p); err != nil {
		t.Fatalf("%d %s: %v", a.status, a.body, err)
	}
	if a.status != status || p.Status != status || p.Type != "urn:flashdex:problem:"+kind ||
		a.header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("%d %s: %s; want %d and %s", a.status, a.header.Get("Content-Type"), a.body, status, kind)
	}
	if p.Title == "" || len(p.Detail) < 20 {
		t.Errorf("nobody can act on %q: %q", p.Title, p.Detail)
	}
	return p
}

const (
	exampleID    = "0198f2c4-7a3b-7c11-9d5e-3f2a1b0c9d8e"
	exampleStart = "2026-11-21T09:30:00Z"
)

func example(t testing.TB) (id string, body []byte) {
	t.Helper()
	body, err := os.ReadFile("../../result/testdata/valid/sd-card.json")
	if err != nil {
		t.Fatal(err)
	}
	return exampleID, body
}
