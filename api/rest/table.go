package rest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/problem"
	"flashdex/api/ranking"
	"flashdex/api/submission"
)

// freshFor is how long a table is used before a reader asks for a newer one.
const freshFor = 2 * time.Second

// tables keeps the newest table in memory, so that readers don't cost the database anything.
type tables struct {
	store   Store
	listed  *catalogue.Catalogue
	log     *slog.Logger
	current atomic.Pointer[table]
	loading sync.Mutex
}

// patience is how long a reader waits for a newer table: enough for 10,000 modules, not for 50,000.
const patience = time.Second

// get returns the current table. While one request loads a newer table, other requests get the older one. If loading
// takes long, the loading request gets the older one too.
func (t *tables) get(ctx context.Context) (*table, error) {
	now := t.current.Load()
	var tooLong <-chan time.Time // nil: there is no older table to fall back on
	switch {
	case now.fresh():
		return now, nil
	case now == nil:
		t.loading.Lock()
	case !t.loading.TryLock():
		return now, nil
	default:
		tooLong = time.After(patience)
	}
	loaded := make(chan error, 1)
	go func() {
		defer t.loading.Unlock()
		loaded <- t.load(context.WithoutCancel(ctx)) // for all readers, so it continues if this one disconnects
	}()
	select {
	case err := <-loaded:
		if err == nil {
			now = t.current.Load()
		}
		return now, err
	case <-tooLong:
		return now, nil
	}
}

// load replaces the current table if there is a newer generation. If there is a current table, a failure (even a panic)
// is no error: load logs it, unless the database is just away. Callers must hold the lock.
func (t *tables) load(ctx context.Context) (err error) {
	now := t.current.Load()
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
		if err == nil || now == nil {
			return
		}
		if problem.Of(err).Kind != problem.Unavailable {
			t.log.Error("the modules could not be read again; readers see the older ones", "cause", err.Error())
		}
		err = nil
	}()
	if now.fresh() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	checked := time.Now()
	generation, err := t.store.Generation(ctx)
	if err != nil {
		return err
	}
	if now != nil && now.generation == generation {
		newer := *now
		newer.checked = checked
		t.current.Store(&newer)
		return nil
	}
	snapshot, err := t.store.Overview(ctx)
	if err == nil {
		t.current.Store(newTable(snapshot, t.listed, checked))
	}
	return err
}

// fresh reports whether it is too early to ask for a newer table.
func (t *table) fresh() bool { return t != nil && time.Since(t.checked) < freshFor }

// table holds all modules and their figures, as of one generation. It is read-only, except for the kept answers.
type table struct {
	generation int64
	checked    time.Time
	modules    []catalogue.Module // by slug
	aliases    map[string]string
	orders     map[order]func() []placed
	of         map[string][]placed // by slug; each method once, in the catalogue's order
	words      map[string]string   // the text that a search looks in, by slug
	published  map[string]int      // by slug
	kept       *keptTexts
}

// order selects the rows of one method and sorts them by a figure.
type order struct{ method, figure string }

// placed is a row with its place among the rows of its method. A row has a place for each figure.
type placed = page.Standing

func newTable(s *figure.Overview, c *catalogue.Catalogue, checked time.Time) *table {
	t := &table{
		generation: s.Generation, checked: checked, modules: s.Modules, aliases: s.Aliases,
		orders: map[order]func() []placed{}, of: map[string][]placed{},
		words: map[string]string{}, published: map[string]int{}, kept: &keptTexts{texts: map[string]tableText{}},
	}
	for _, m := range s.Modules {
		t.words[m.Slug] = strings.ToLower(m.Name() + " " + m.Slug + " " + strings.Join(m.Classes, " "))
	}
	for _, p := range s.Published {
		t.published[p.ModuleSlug]++
	}
	methods := map[string][]*ranking.Row{}
	for _, row := range ranking.Rows(s, c) {
		if row.Module.Slug != "" { // otherwise it is a reference device
			methods[row.Method] = append(methods[row.Method], row)
		}
	}
	for _, method := range c.Methods {
		rows := methods[method.ID]
		for _, key := range figure.FigureKeys {
			// Nobody asks for most orders, and placing 10,000 modules takes a third of a second.
			t.orders[order{method.ID, key}] = sync.OnceValue(func() []placed { return placedBy(key, rows) })
		}
		for _, row := range t.inOrder(order{method.ID, figure.RandWriteIOPS}) {
			t.of[row.Module.Slug] = append(t.of[row.Module.Slug], row)
		}
	}
	return t
}

// placedBy sorts and places rows of one method by a figure.
func placedBy(key string, rows []*ranking.Row) []placed {
	rows = slices.Clone(rows)
	ranking.Sort(rows, key)
	places, would := ranking.Ranks(rows, key)
	all := make([]placed, len(rows))
	for i, r := range rows {
		all[i] = placed{Row: r, Place: places[i], Would: would[i]}
	}
	return all
}

// inOrder returns the rows of an order; none if nothing was measured by its method.
func (t *table) inOrder(o order) []placed {
	if rows := t.orders[o]; rows != nil {
		return rows()
	}
	return nil
}

// module finds a module by its slug.
func (t *table) module(slug string) (catalogue.Module, bool) {
	bySlug := func(m catalogue.Module, slug string) int { return strings.Compare(m.Slug, slug) }
	i, found := slices.BinarySearchFunc(t.modules, slug, bySlug)
	if !found {
		return catalogue.Module{}, false
	}
	return t.modules[i], true
}

// standing places a module's rate of 4K random writes among all modules measured by a method, and among the modules of
// its form. Published figures don't count.
func (t *table) standing(method string, of catalogue.Module, rate float64) *standing {
	s := &standing{Figure: figure.RandWriteIOPS}
	if of.Form != "" && !of.FormUnstated {
		s.OfForm = &formStanding{Form: of.Form}
	}
	for _, p := range t.inOrder(order{method, s.Figure}) {
		f, ok := p.Figures.Find(s.Figure)
		if !ok || p.Units == 0 {
			continue
		}
		above := 0
		if f.Value > rate {
			above = 1
		}
		s.Modules, s.Above = s.Modules+1, s.Above+above
		if s.OfForm != nil && p.Module.Form == of.Form && !p.Module.FormUnstated {
			s.OfForm.Modules, s.OfForm.Above = s.OfForm.Modules+1, s.OfForm.Above+above
		}
	}
	return s
}

// maxForetold limits for how many classes of hosts an answer foretells a module's rate.
const maxForetold = 6

// foretell returns a module's 4K random writes in other classes of hosts than the run's, if anything was measured in
// these classes.
func (t *table) foretell(run submission.Submission, slug string) (all []foretold) {
	for _, p := range t.of[slug] {
		if p.Method != run.Method {
			continue
		}
		for _, in := range p.InHosts(figure.RandWriteIOPS) {
			if f := in.Figure; in.HostClass.Key != run.HostClass && f.HasInterval() && len(all) < maxForetold {
				all = append(all, foretold{in.HostClass.Key, in.HostClass.Label, f.Value, *f.Low, *f.High, in.Measured})
			}
		}
	}
	return all
}

// matches reports whether a module's name, slug and classes contain all words.
func (t *table) matches(slug string, words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(t.words[slug], word) })
}

// maxKeptBytes limits the kept answers of one table.
const maxKeptBytes = 8 << 20

// keptTexts keeps answers made from a table, by requested address. Most readers ask for the beginning of the ranking,
// and making it again takes twenty times as long as sending it.
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
