package publication

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"flashdex/api/store/cluster/clustertest"
)

// Before the first upload, the page of wanted modules says that all are wanted. Then it says what the measured ones
// lack, until they are ranked.
func TestWantedModulesLeaveTheirPageWhenTheyAreRanked(t *testing.T) {
	t.Parallel()
	b := openWith(t, 3)
	evo := b.modules[0]
	page := func() string {
		text, err := os.ReadFile(filepath.Join(b.publish(t, b.dir), "wanted/index.html"))
		b.must(t, err)
		_, main, _ := strings.Cut(string(text), `id="near"`)
		near, _, _ := strings.Cut(main, `id="unmeasured"`)
		return near
	}
	upload := func(who ...string) {
		for _, name := range who {
			b.upload(t, name, evo, 1)
		}
	}
	for _, step := range []struct {
		do    func()
		shown string
	}{
		{func() {}, "Nobody has measured a module here yet."},
		{func() { upload("alice") }, "two more contributors, at least one of them on another day"},
		{func() { upload("bob") }, "<td class=\"medium\">one more contributor, on another day"},
		{func() { upload("carol") }, "<td class=\"medium\">one more contributor, on another day"},
		{func() { clustertest.Spread(t, b.url) }, "Every module that was measured is ranked."},
	} {
		step.do()
		if text := page(); !strings.Contains(text, step.shown) {
			t.Errorf("the page lacks %q: %s", step.shown, text)
		}
	}
}
