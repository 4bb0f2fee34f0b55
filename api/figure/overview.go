package figure

import (
	"time"

	"flashdex/api/catalogue"
)

// MinRankedContributors is how many contributors must have measured a module before it is ranked. From three on, none
// of them can move its figure beyond what others measured.
const MinRankedContributors = 3

// Overview is all that one publication shows of modules, as of one moment.
type Overview struct {
	Generation int64 // rises with every change
	Modules    []catalogue.Module
	Published  []catalogue.Published
	Aliases    map[string]string // slugs of modules that were merged, and their slugs now
	// Summaries covers all units of each module, with one summary for each method, ordered by module. submission.Results
	// reads the figures of variants separately.
	Summaries []Summary
	Touched   map[string]time.Time // when the results of a module, or the rules for them, changed last, by slug
}

// Measured lists the slugs of the modules that have results.
func (s *Overview) Measured() (slugs []string) {
	for i := range s.Summaries {
		if slug := s.Summaries[i].ModuleSlug; len(slugs) == 0 || slugs[len(slugs)-1] != slug {
			slugs = append(slugs, slug)
		}
	}
	return slugs
}
