package store_test

import (
	"testing"

	"flashdex/api/figure"
	"flashdex/api/figure/model"
	"flashdex/api/submission"

	gocmp "github.com/google/go-cmp/cmp"
)

// figuresInside makes comparisons of summaries compare figure by figure.
var figuresInside = gocmp.AllowUnexported(figure.PerMetric[figure.Figure]{}, figure.PerMetric[model.Module]{})

// Figures of variants would be most of a snapshot of tens of thousands of modules. So they are read only when a page
// shows them.
func TestFiguresOfVariantsAreReadApart(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	for i, name := range []string{"SC32G", "SD32G"} {
		doc, body := run(t, "00112233445566778899aabbccddee0"+string(rune('1'+i)), int64(i+1))
		doc.Identity.SD.Name = name
		if _, err := s.AddSubmission(t.Context(), alice, doc, body, evo, accepted, submission.Origin{}); err != nil {
			t.Fatal(err)
		}
	}
	add(t, s, alice, ultra, "", 2) // has one variant, which is the whole
	if _, _, err := s.Fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	all, err := s.Summaries(t.Context(), evo.Slug)
	if err != nil {
		t.Fatal(err)
	}
	var want []figure.Summary
	for _, sum := range all {
		if sum.Variant != "" {
			want = append(want, sum)
		}
	}
	if len(want) != 2 || want[0].Figures.Len() == 0 || want[1].Figures.Len() == 0 {
		t.Fatalf("%+v", want)
	}
	err = s.Snapshot(t.Context(), func(snapshot *figure.Overview, results submission.Results) error {
		got, err := results.Variants(t.Context(), []string{ultra.Slug, evo.Slug, "no-such-module"})
		if diff := gocmp.Diff(want, got, figuresInside); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		for i := range want {
			want[i].Figures = figure.Set{}
		}
		var light []figure.Summary
		for _, sum := range snapshot.Summaries {
			if sum.Variant != "" {
				light = append(light, sum)
			} else if sum.Figures.Len() == 0 {
				t.Errorf("%s in %q is without figures", sum.ModuleSlug, sum.HostClass)
			}
		}
		if diff := gocmp.Diff(want, light, figuresInside); diff != "" {
			t.Errorf("in the snapshot (-want +got):\n%s", diff)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
