package rest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// maxKeptBytes bounds the answers that are kept of one table.
const maxKeptBytes = 8 << 20

// keptTexts are answers that a table gave already, by the address that was asked. The beginning of the ranking is what most
// ask for; to make it again each time would take twenty times as long as to send it.
type keptTexts struct {
	mu    sync.Mutex
	bytes int
	texts map[string]tableText
}

// tableText is an answer in JSON, and the tag that tells it from others.
type tableText struct {
	etag string
	text []byte
}

func (k *keptTexts) get(address string) (tableText, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	text, ok := k.texts[address]
	return text, ok
}

// put keeps an answer, if there is room: what is asked for most is likely to have come early.
func (k *keptTexts) put(address string, text tableText) {
	k.mu.Lock()
	defer k.mu.Unlock()
	size := len(address) + len(text.text)
	if _, there := k.texts[address]; there || k.bytes+size > maxKeptBytes {
		return
	}
	k.bytes += size
	k.texts[address] = text
}

// fromTable answers with what the newest table holds. Each answer is made once.
func (s *server) fromTable(of func(*http.Request, *table) (any, error)) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		t, err := s.tables.get(r.Context())
		if err != nil {
			return err
		}
		address := s.baseURL(r) + r.URL.RequestURI()
		text, ok := t.kept.get(address)
		if !ok {
			answer, err := of(r, t)
			if err != nil {
				return err
			}
			if text, err = asText(t, answer); err != nil {
				return err
			}
			t.kept.put(address, text)
		}
		writeText(w, r, text)
		return nil
	}
}

func asText(t *table, answer any) (tableText, error) {
	var body bytes.Buffer
	if err := json.NewEncoder(&body).Encode(answer); err != nil {
		return tableText{}, fmt.Errorf("rest: %w", err)
	}
	sum := sha256.Sum256(body.Bytes())
	return tableText{fmt.Sprintf(`"%d-%x"`, t.generation, sum[:8]), body.Bytes()}, nil
}

// writeText answers with what one generation holds, or that the reader has it already.
func writeText(w http.ResponseWriter, r *http.Request, text tableText) {
	header := w.Header()
	header.Set("ETag", text.etag)
	header.Set("Cache-Control", "public, max-age=10")
	header.Set("Content-Type", "application/json")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text.text))
}
