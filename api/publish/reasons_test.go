package publish

import (
	"strings"
	"testing"
)

// Each figure that heads a module's page says who, how many, where and when, in the counts of its own summary.
func TestReasonsToBelieveAFigure(t *testing.T) {
	t.Parallel()
	snapshot, results := fixture(t)
	fresh := freshStart(t)
	measured, published := 0, 0
	for _, s := range []*site{fresh, newSite(t.TempDir(), snapshot, results, fresh.catalogue, fresh.questions)} {
		for _, m := range s.snapshot.Modules {
			p := s.module(m, &moduleResults{})
			if p.Speed == nil {
				continue
			}
			said := map[string]string{}
			for _, r := range p.Speed.Reasons {
				said[r.Label] = r.Text
			}
			if len(p.Measured) > 0 && p.Measured[0].Method == p.Speed.Method {
				measured++
				f := p.Measured[0]
				if !strings.HasPrefix(said["Contributors"], f.Contributors+",") ||
					!strings.HasPrefix(said["Units"], f.Units+" in "+f.Runs) ||
					said["Dissent"] == "" || said["Time"] == "" || said["Hosts"] == "" {
					t.Errorf("%s: %q, want %s, %s, %s", m.Slug, said, f.Contributors, f.Units, f.Runs)
				}
			} else {
				published++
				if said["Published"] == "" || said["Authors"] == "" || said["Dissent"] != "" {
					t.Errorf("%s: %q", m.Slug, said)
				}
			}
		}
	}
	if measured < 20 || published < 100 {
		t.Errorf("%d figures were measured, %d published", measured, published)
	}
}
