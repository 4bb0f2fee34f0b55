package publication

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"flashdex/api/submission"
)

// feedIDs returns the ids in one of a publication's feeds.
func feedIDs(t *testing.T, dir, name string) (ids []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "feeds", name))
	if err != nil {
		t.Fatal(err)
	}
	var feed struct {
		Entries []struct {
			ID string `xml:"id"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal(text, &feed); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, e := range feed.Entries {
		ids = append(ids, e.ID)
	}
	return ids
}

// The feeds have the results that pages list. A result that is refused or taken back goes with the next publication.
// One that is accepted again comes back.
func TestFeedsHaveWhatPagesList(t *testing.T) {
	t.Parallel()
	b := openWith(t, 3)
	evo, ultra := b.modules[0], b.modules[1]
	id := map[string]string{"alice": b.upload(t, "alice", evo, 1), "bob": b.upload(t, "bob", evo, 2),
		"carol": b.upload(t, "carol", ultra, 3)}
	newModule := func(slug string) string { return "http://localhost:8080/modules/" + slug + "/#new" }
	moderate := func(who, state string) func() {
		return func() {
			b.must(t, b.Moderate(t.Context(), id[who], submission.Decision{State: state, Reason: "a test"}, by("test")))
		}
	}
	both := []string{newModule(evo.Slug), newModule(ultra.Slug)}
	for _, step := range []struct {
		name             string
		do               func()
		results, modules []string
	}{
		{"three uploads", func() {}, []string{"alice", "bob", "carol"}, both},
		{"one is refused", moderate("carol", submission.Rejected), []string{"alice", "bob"}, both[:1]},
		{"and accepted again", moderate("carol", submission.Accepted), []string{"alice", "bob", "carol"}, both},
		{"another is refused", moderate("alice", submission.Rejected), []string{"bob", "carol"}, both},
		{"one is taken back", func() { b.must(t, b.DeleteSubmission(t.Context(), contributor("bob"), id["bob"])) },
			[]string{"carol"}, both[1:]},
	} {
		step.do()
		now := b.publish(t, b.dir)
		var want []string
		for _, who := range step.results {
			want = append(want, "urn:uuid:"+id[who])
		}
		slices.Sort(want)
		if got := feedIDs(t, now, "results.xml"); !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Errorf("after %s the results are %v, want %v", step.name, got, want)
		}
		want = slices.Sorted(slices.Values(step.modules))
		if got := feedIDs(t, now, "modules.xml"); !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Errorf("after %s the modules are %v, want %v", step.name, got, want)
		}
		if got := feedIDs(t, now, "ranked.xml"); len(got) > 0 {
			t.Errorf("after %s %v are ranked", step.name, got)
		}
	}
}
