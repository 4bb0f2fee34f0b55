package rest_test

import (
	"net/http"
	"testing"

	"flashdex/api/figure/question"
	"flashdex/api/rest"
	"flashdex/data"

	"github.com/google/go-cmp/cmp"
)

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
	if diff := cmp.Diff([]string{"boot", "database", "camera", "per-euro"}, keys); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	answer := b.get("/v1/presets/boot?method=iozone-direct&limit=1000").json(t, http.StatusOK)
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
		page := b.get("/v1/presets/boot?method=iozone-direct&limit=7&after="+after).json(t, http.StatusOK)
		paged = append(paged, names(t, page)...)
		if page["after"] == nil || len(paged) > scored+left {
			break
		}
		after = page["after"].(string)
	}
	if diff := cmp.Diff(names(t, answer), paged); diff != "" {
		t.Errorf("in pages (-at once +in pages):\n%s", diff)
	}
	b.get("/v1/presets/nothing").problem(t, http.StatusNotFound, "not-found")
	for _, query := range []string{"limit=0", "after=nothing", "method=flashdex-9", "budget=20"} {
		b.get("/v1/presets/boot?"+query).problem(t, http.StatusUnprocessableEntity, "bad-request")
	}
}
