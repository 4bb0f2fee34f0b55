package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"flashdex/api/publish"
	"flashdex/api/store/cluster/clustertest"
	"flashdex/api/submission/copies/copiestest"
	"flashdex/migrations"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
	"github.com/klauspost/compress/zstd"
)

// running is the whole server, with all its defaults, on a database of its own.
type running struct {
	t                      testing.TB
	url, metrics, database string
	dir                    string
	log                    *lockedBuffer
}

type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// start runs a server until the test ends, and returns when it is ready.
func start(t testing.TB, flags ...string) *running {
	t.Helper()
	s := serve(t, clustertest.New(t), t.TempDir(), flags...)
	s.eventually("the server is ready", func() bool {
		return s.request(http.MethodGet, "/readyz",
			nil).status == http.StatusOK
	})
	return s
}

// parse reads a command line.
func parse(t testing.TB, words ...string) *cli {
	t.Helper()
	c := new(cli)
	if _, err := newParser(c).Parse(words); err != nil {
		t.Fatal(err)
	}
	return c
}

// serve runs a server on a database and a data folder until the test ends.
func serve(t testing.TB, database, dir string, flags ...string) *running {
	t.Helper()
	s := &running{t: t, database: database, dir: dir, log: new(lockedBuffer)}
	c := parse(t, append([]string{"serve", "--listen", "127.0.0.1:0", "--database-url", database, "--data-dir", dir,
		"--server-database-url", clustertest.As(t, database, migrations.ServerRole),
		"--site", "../site", "--hugo", "../bin/hugo",
		"--clients", t.TempDir()}, flags...)...)
	var err error
	var listeners [2]net.Listener
	for i := range listeners {
		if listeners[i], err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			t.Fatal(err)
		}
	}
	s.url, s.metrics = "http://"+listeners[0].Addr().String(), "http://"+listeners[1].Addr().String()+"/metrics"
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- c.Serve.serve(ctx, listeners[0], listeners[1], "test", nil, slog.New(slog.NewJSONHandler(s.log, nil)))
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *running) eventually(what string, true func() bool) {
	s.t.Helper()
	// The data set isn't written again before 19 times as long as the last writing took, which on a busy machine is
	// minutes.
	const patience = 8 * time.Minute
	for deadline := time.Now().Add(patience); !true(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("after %s still not: %s\n%s", patience, what, s.log)
		}
	}
}

type answer struct {
	status int
	body   string
}

// request sends a request with additional headers: name, value, name, value. Without an answer the status is 0.
func (s *running) request(method, path string, body []byte, header ...string) answer {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, bytes.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
		r.Header.Set(header[i], header[i+1])
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return answer{}
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		s.t.Error(err)
	}
	return answer{got.StatusCode, string(text)}
}

const secret = "5eC2e7005eC2e7005eC2e7005eC2e7005eC2e7005eC2e7005eC2e7005eC2e700"

func (s *running) upload(id string, body []byte, header ...string) answer {
	s.t.Helper()
	return s.request(http.MethodPut, "/v1/results/"+id, body,
		append([]string{"Authorization", "Bearer " + secret, "Content-Type", "application/json"}, header...)...)
}

// example returns a valid document under an id of its own.
func example(t testing.TB) (id string, document map[string]any) {
	t.Helper()
	text, err := os.ReadFile("../result/testdata/valid/sd-card.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	id = result.NewID()
	document["id"], document["started_at"] = id, copiestest.NextStart()
	return id, document
}

// set puts value at a path of objects. It makes missing objects.
func set(document map[string]any, path string, value any) {
	names := strings.Split(path, "/")
	for _, name := range names[:len(names)-1] {
		inner, ok := document[name].(map[string]any)
		if !ok {
			inner = map[string]any{}
			document[name] = inner
		}
		document = inner
	}
	document[names[len(names)-1]] = value
}

func encode(t testing.TB, document map[string]any) []byte {
	t.Helper()
	var text bytes.Buffer
	w := json.NewEncoder(&text)
	w.SetEscapeHTML(false)
	if err := w.Encode(document); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

// published waits until the site and the data set contain everything in must. It returns every file of both, packed
// ones unpacked.
func (s *running) published(must ...string) map[string]string {
	s.t.Helper()
	files := map[string]string{}
	s.eventually("the uploads are published", func() bool {
		clear(files)
		site, data := publish.Current(filepath.Join(s.dir, "site")), filepath.Join(s.dir, "dataset")
		index, err := filepath.EvalSymlinks(filepath.Join(data, "current"))
		latest, errLink := os.Readlink(filepath.Join(index, "latest"))
		if err = errors.Join(err, errLink, readAll(site, "", files), readAll(index, "data/", files),
			readAll(filepath.Join(data, "files"), "data/", files)); err != nil {
			return false // none yet, or one that is being removed
		}
		for _, part := range must {
			shown := slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(name string) bool {
				return !strings.HasPrefix(name, "data/") && strings.Contains(files[name], part)
			})
			if !shown || !strings.Contains(files["data/"+filepath.Base(latest)+"/results.csv"], part) {
				return false
			}
		}
		return true
	})
	return files
}

// readAll reads every file below dir except Parquet files, which are packed page by page and hold the same as the CSV
// files.
func readAll(dir, prefix string, into map[string]string) error {
	return fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Type()&fs.ModeSymlink != 0 || strings.HasSuffix(name, ".parquet") {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil && strings.HasSuffix(name, ".gz") {
			var packed *gzip.Reader
			if packed, err = gzip.NewReader(bytes.NewReader(text)); err == nil {
				text, err = io.ReadAll(packed)
			}
		}
		if err == nil && strings.HasSuffix(name, ".zst") {
			var packed *zstd.Decoder
			if packed, err = zstd.NewReader(nil); err == nil {
				text, err = packed.DecodeAll(text, nil)
				packed.Close()
			}
		}
		into[prefix+name] = string(text)
		return err
	})
}

// dump returns everything that the database holds, by table.
func (s *running) dump() map[string]string {
	s.t.Helper()
	conn, err := pgx.Connect(s.t.Context(), s.database)
	if err != nil {
		s.t.Fatal(err)
	}
	defer conn.Close(s.t.Context())
	rows, err := conn.Query(s.t.Context(), `select quote_ident(table_name)
		from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`)
	if err != nil {
		s.t.Fatal(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(names) < 8 {
		s.t.Fatalf("tables %v, %v", names, err)
	}
	dump := map[string]string{}
	for _, name := range names {
		var text bytes.Buffer
		if _, err := conn.PgConn().CopyTo(s.t.Context(), &text, "copy "+name+" to stdout"); err != nil {
			s.t.Fatal(err)
		}
		dump[name] = text.String()
	}
	return dump
}
