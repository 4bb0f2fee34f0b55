package rest_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"flashdex/api/figure/question"
	"flashdex/api/rest"
	"flashdex/api/store"
	"flashdex/api/store/cluster/clustertest"
	"flashdex/data"
	"flashdex/migrations"

	"github.com/google/go-cmp/cmp"
)

// fold does with the database what the publisher does.
func (b *bench) fold(prepare ...func(*store.Store)) {
	b.t.Helper()
	db, err := store.Open(b.t.Context(), clustertest.As(b.t, b.database, migrations.WorkerRole))
	if err != nil {
		b.t.Fatal(err)
	}
	defer db.Close()
	c, err := loaded()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := db.ImportCatalogue(b.t.Context(), c.Modules, c.Published); err != nil {
		b.t.Fatal(err)
	}
	for _, prepare := range prepare {
		prepare(db)
	}
	if _, _, err := db.Fold(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
}

func names(t testing.TB, list map[string]any) (slugs []string) {
	t.Helper()
	for _, m := range list["modules"].([]any) {
		slugs = append(slugs, m.(map[string]any)["slug"].(string))
	}
	return slugs
}

func TestModulesAreListedByAFigure(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	body = bytes.Replace(body, []byte(`"busy-device"`), []byte(`"swap"`), 1)
	b.do(b.upload(id, body)).json(t, http.StatusCreated)
	b.fold()
	list := b.get("/v1/modules?method=iozone-direct-100m&sort=rand_write_iops").json(t, http.StatusOK)
	last := -1.0
	var all []string
	for _, m := range list["modules"].([]any) {
		m := m.(map[string]any)
		all = append(all, m["slug"].(string))
		figure, has := m["figures"].(map[string]any)["rand_write_iops"].(map[string]any)
		if !has {
			continue
		}
		if value := figure["value"].(float64); last >= 0 && value > last {
			t.Errorf("%v after %v", value, last)
		} else {
			last = value
		}
	}
	if len(all) < 5 {
		t.Fatalf("only %v", all)
	}
	// The same in pages.
	var paged []string
	for after := ""; ; {
		page := b.get("/v1/modules?method=iozone-direct-100m&limit=3&after="+after).json(t, http.StatusOK)
		paged = append(paged, names(t, page)...)
		if page["after"] == nil || len(paged) >= len(all) {
			break
		}
		after = page["after"].(string)
	}
	if diff := cmp.Diff(all, paged[:min(len(paged), len(all))]); diff != "" {
		t.Errorf("in pages (-at once +in pages):\n%s", diff)
	}
	for _, m := range b.get("/v1/modules?method=iozone-direct-100m&form=cf").json(t, http.StatusOK)["modules"].([]any) {
		if form := m.(map[string]any)["form"]; form != "cf" {
			t.Errorf("a module of form %v among CF cards", form)
		}
	}
	// The upload, with the reason why it has no rank.
	ours := b.get("/v1/modules?q=sandisk+EXTREME").json(t, http.StatusOK)
	if ours["method"] != "flashdex-1" || len(names(t, ours)) != 1 {
		t.Fatalf("%v", ours)
	}
	one := ours["modules"].([]any)[0].(map[string]any)
	if note, _ := one["rank_note"].(string); one["rank"] != nil || !strings.Contains(note, "not ranked: ") ||
		one["results"] != 1.0 {
		t.Errorf("%v; want one result that is not ranked, and why", one)
	}
	if empty := names(t, b.get("/v1/modules?q=nosuchword").json(t, http.StatusOK)); len(empty) != 0 {
		t.Errorf("no such word is in %v", empty)
	}
	for _, query := range []string{"sort=price", "figure=x", "form=floppy", "limit=-1", "after=nothing",
		"method=flashdex-9", "fomr=sd", "form=sd&form=cf"} {
		b.get("/v1/modules?"+query).problem(t, http.StatusUnprocessableEntity, "bad-request")
	}
}

func TestAReaderWhoHasTheTableIsToldSo(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.fold()
	for _, path := range []string{"/v1/modules?method=iozone-direct-100m", "/v1/search?q=sandisk",
		"/v1/modules/sandisk-extreme-32gb-microsd"} {
		first := b.get(path)
		if first.status == http.StatusNotFound {
			continue
		}
		tag := first.header.Get("ETag")
		r := b.request(http.MethodGet, path, nil)
		r.Header.Set("If-None-Match", tag)
		again := b.do(r) // the import is generation 1, calibrating with published figures is 2
		if !strings.HasPrefix(tag, `"2-`) || again.status != http.StatusNotModified || len(again.body) > 0 {
			t.Errorf("%s with the tag %s: %d", path, tag, again.status)
		}
	}
}

func TestAMergedModuleLeadsToWhatItIsNow(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	b.do(b.upload(id, body)).json(t, http.StatusCreated)
	b.fold()
	token := b.operator("carol")
	found := b.get("/v1/search?q=samsung+32").json(t, http.StatusOK)
	into, from := names(t, found)[0], "sandisk-extreme-32gb-microsd"
	merge := fmt.Sprintf(`{"from":%q,"into":%q,"reason":"to test it"}`, from, into)
	if a := b.as(token, http.MethodPost, "/v1/moderation/modules/merge", merge); a.status != http.StatusNoContent {
		t.Fatalf("%d %s", a.status, a.body)
	}
	b.as(token, http.MethodPost, "/v1/moderation/modules/merge", strings.Replace(merge, into, "nothing", 1)).problem(t,
		http.StatusNotFound, "not-found")
	b.as(token, http.MethodPost, "/v1/moderation/modules/merge", strings.Replace(merge, into, `\u0000`, 1)).problem(t,
		http.StatusUnprocessableEntity, "bad-request")
	b.as(token, http.MethodPost, "/v1/moderation/modules/merge",
		fmt.Sprintf(`{"from":%q,"into":%q,"reason":"back"}`, into, from)).problem(t, http.StatusConflict, "module-merged")
	if got := b.get("/v1/results/"+id).json(t, http.StatusOK)["module"].(map[string]any)["slug"]; got != into {
		t.Errorf("the result is of %v, want %s", got, into)
	}
	b.fold()
	other := serve(t, b.database) // a server that hasn't read the table yet
	if a := other.get("/v1/modules/" + from); a.status != http.StatusPermanentRedirect ||
		a.header.Get("Location") != "/v1/modules/"+into {
		t.Errorf("%d to %q", a.status, a.header.Get("Location"))
	}
	one := other.get("/v1/modules/"+into).json(t, http.StatusOK)
	methods := one["methods"].([]any)
	if !slices.ContainsFunc(methods, func(m any) bool { return m.(map[string]any)["results"] == 1.0 }) {
		t.Errorf("the result is not shown with %s: %v", into, one)
	}
	if found := names(t, other.get("/v1/search?q="+from).json(t, http.StatusOK)); len(found) != 0 {
		t.Errorf("the merged module is still found: %v", found)
	}
	other.get("/v1/modules/nothing").problem(t, http.StatusNotFound, "not-found")
	for _, query := range []string{"", "?q=a&words=b"} {
		other.get("/v1/search"+query).problem(t, http.StatusUnprocessableEntity, "bad-request")
	}
}

// A maker's promise has its source, and prices are per GB, too.
func TestAModuleIsToldWithWhatIsPromisedAndPaid(t *testing.T) {
	t.Parallel()
	b := start(t)
	id, body := example(t)
	const price = `"price":{"amount":8,"currency":"EUR","on":"2026-10"},`
	body = bytes.Replace(body, []byte(`"product":`), []byte(price+`"product":`), 1)
	if !bytes.Contains(body, []byte(`"price"`)) {
		t.Fatal("the example has no module to tell the price of")
	}
	b.do(b.upload(id, body)).json(t, http.StatusCreated)
	b.fold()
	paid := b.get("/v1/modules/sandisk-extreme-32gb-microsd").json(t, http.StatusOK)
	prices := paid["methods"].([]any)[0].(map[string]any)["prices"]
	want := []any{map[string]any{"amount": 8.0, "currency": "EUR", "on": "2026-10", "n": 1.0, "per_gb": 0.25}}
	if diff := cmp.Diff(want, prices); diff != "" {
		t.Errorf("prices (-want +got):\n%s", diff)
	}
	if rated := paid["rated"].([]any); len(rated) != 0 {
		t.Errorf("nothing is promised of it, yet %v", rated)
	}
	rated := b.get("/v1/modules/swissbit-u-450-16gb-usb").json(t, http.StatusOK)["rated"].([]any)
	if len(rated) != 4 {
		t.Fatalf("%v", rated)
	}
	first := rated[0].(map[string]any)
	if first["figure"] != "rand_write_iops" || first["value"] != 1400.0 || first["source"] != "swissbit_u450_2021" ||
		first["url"] == "" || first["percent"] != nil {
		t.Errorf("%v", first)
	}
}

func TestPresetsOrderModules(t *testing.T) {
	t.Parallel()
	presets, err := question.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	b := start(t, func(c *rest.Config) { c.Presets = presets })
	b.fold()
	var keys []string
	for _, p := range b.get("/v1/presets").json(t, http.StatusOK)["presets"].([]any) {
		keys = append(keys, p.(map[string]any)["key"].(string))
	}
	if diff := cmp.Diff([]string{"boot", "database", "camera", "home-assistant", "games", "phone", "updates",
		"per-euro", "retro", "cheap"}, keys); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	answer := b.get("/v1/presets/boot?method=iozone-direct-100m&limit=1000").json(t, http.StatusOK)
	var last float64
	scored, left := 0, 0
	for _, m := range answer["modules"].([]any) {
		m := m.(map[string]any)
		score, _ := m["score"].(map[string]any)
		switch {
		case score == nil:
			if left++; m["left_out"] == nil {
				t.Errorf("%v has neither a score nor a reason", m["slug"])
			}
		case left > 0 || score["value"].(float64) < last:
			t.Errorf("%v is out of order", m["slug"])
		default:
			scored++
			last = score["value"].(float64)
		}
	}
	if scored < 5 || left == 0 {
		t.Fatalf("%d modules with a score, %d without", scored, left)
	}
	// The same in pages.
	var paged []string
	for after := ""; ; {
		page := b.get("/v1/presets/boot?method=iozone-direct-100m&limit=7&after="+after).json(t, http.StatusOK)
		paged = append(paged, names(t, page)...)
		if page["after"] == nil || len(paged) > scored+left {
			break
		}
		after = page["after"].(string)
	}
	if diff := cmp.Diff(names(t, answer), paged); diff != "" {
		t.Errorf("in pages (-at once +in pages):\n%s", diff)
	}
	// A published price, in its currency alone.
	for currency, want := range map[string]int{"": 0, "&currency=USD": 1} {
		answer := b.get("/v1/presets/per-euro?method=expected&limit=1000"+currency).json(t, http.StatusOK)
		n := 0
		for _, m := range answer["modules"].([]any) {
			if m := m.(map[string]any); m["score"] != nil {
				n++
				if m["slug"] != "micro-center-class-4-4gb-sd" || answer["unit"] != "IOPS per USD" {
					t.Errorf("%v: %v %v", m["slug"], m["score"], answer["unit"])
				}
			}
		}
		if n != want {
			t.Errorf("%q: %d modules with a score, want %d", currency, n, want)
		}
	}
	b.get("/v1/presets/nothing").problem(t, http.StatusNotFound, "not-found")
	for _, query := range []string{"limit=0", "after=nothing", "method=flashdex-9", "budget=20", "currency=euro"} {
		b.get("/v1/presets/boot?"+query).problem(t, http.StatusUnprocessableEntity, "bad-request")
	}
}
