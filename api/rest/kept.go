package rest

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"sync"
)

// maxKeptBytes limits the kept answers of one table.
const maxKeptBytes = 8 << 20

// keptTexts keeps answers made from a table, by the address that was asked for. Most readers ask for the beginning of
// the ranking, and to make that again takes twenty times as long as to send it.
type keptTexts struct {
	mu    sync.Mutex
	bytes int
	texts map[string]tableText
}

// tableText is an answer in JSON with its entity tag.
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

// put keeps an answer if there is room. The most popular answers are likely to come early.
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

// fromTable answers from the newest table. It makes each answer once.
func (s *server) fromTable(of func(*http.Request, *table) (any, error)) http.HandlerFunc {
	return s.handle(func(w http.ResponseWriter, r *http.Request) error {
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
			if text, err = t.encode(answer); err != nil {
				return err
			}
			t.kept.put(address, text)
		}
		return text.write(w, r)
	})
}

func (t *table) encode(answer any) (tableText, error) {
	text, err := encodeJSON(answer)
	sum := sha256.Sum256(text)
	return tableText{fmt.Sprintf(`"%d-%x"`, t.generation, sum[:8]), text}, err
}

func (t tableText) write(w http.ResponseWriter, r *http.Request) error {
	sendTagged(w, r, t.etag, "application/json", t.text)
	return nil
}
