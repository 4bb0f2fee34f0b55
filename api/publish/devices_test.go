package publish

import (
	"slices"
	"strings"
	"testing"

	"flashdex/api/figure/question"
	"flashdex/api/ranking"
)

// On a fresh start, and with uploads, a device's page answers by modules that fit into its slot. Each row is one of the
// rankings.
func TestDevicesAreAnsweredByModulesThatFit(t *testing.T) {
	t.Parallel()
	snapshot, results := fixture(t)
	fresh := freshStart(t)
	for _, s := range []*site{fresh, newSite(t.TempDir(), snapshot, results, fresh.catalogue, fresh.questions)} {
		pages, answers := 0, 0
		for _, d := range s.catalogue.Devices {
			if len(d.Slots()) == 0 {
				continue
			}
			pages++
			page := s.device(d)
			for _, f := range page.Facts {
				if f.Label == "" || f.Value == "" || f.Source == "" || f.SourceLabel == "" || f.LookedAt == "" {
					t.Errorf("%s: %+v", d.Slug, f)
				}
			}
			if page.Answer == nil {
				continue
			}
			answers++
			rows := 0
			for _, sec := range page.Answer.Sections {
				rows += len(sec.Rows)
				for _, row := range sec.Rows {
					at := slices.IndexFunc(s.rows[sec.Method], func(r *ranking.Row) bool { return r.Module.Slug == row.Slug })
					if at < 0 {
						t.Fatalf("%s: %s has no row by %s", d.Slug, row.Slug, sec.Method)
					}
					m := s.rows[sec.Method][at].Module
					most := d.Number("max_capacity_gb")
					if !slices.Contains(d.Forms(), m.Form) || most > 0 && m.CapacityGB > most {
						t.Errorf("%s: %s doesn't fit", d.Slug, m.Name())
					}
				}
			}
			if rows > maxDeviceRows {
				t.Errorf("%s has %d rows", d.Slug, rows)
			}
		}
		if pages < 60 || answers < 40 {
			t.Errorf("%d pages, of which %d have an answer", pages, answers)
		}
	}
}

func TestWhatADeviceDoesLeadsToAQuestion(t *testing.T) {
	t.Parallel()
	s := freshStart(t)
	for profile, keys := range questionsOf {
		for _, key := range keys {
			if !slices.ContainsFunc(s.questions, func(q question.Question) bool { return q.Key == key }) {
				t.Errorf("%s leads to %q, which is no question", profile, key)
			}
		}
	}
	for _, d := range s.catalogue.Devices {
		use, _ := d.Fact("profile")
		for _, profile := range strings.Split(use.Value, "; ") {
			if questionsOf[profile] == nil && profile != "files" && profile != "" {
				t.Errorf("%s: no question answers %q", d.Slug, profile)
			}
		}
	}
}
