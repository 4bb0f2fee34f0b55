// Package figure holds what the server knows about modules: the uploaded results with their derived figures, the figures
// of each module over its units, and the snapshot of it all that a publication is made from.
package figure

import (
	"time"

	"flashdex/api/catalogue"
)

// MinRankedContributors is how many contributors must have measured a module before it is ranked. From three on, none of
// them can move its figure beyond what others measured.
const MinRankedContributors = 3

// Snapshot is what one publication shows of modules, as of one moment.
type Snapshot struct {
	Generation int64 // rises with every change
	Modules    []catalogue.Module
	Published  []catalogue.Published
	Aliases    map[string]string    // slugs of modules that were merged, and what they mean now
	Summaries  []Summary            // of all units of a module, by each method that there are results of; by module. For Results those of variants are without figures
	Touched    map[string]time.Time // by slug: when results of a module, or what was made of them, changed last
}

// Measured are the slugs of the modules that there are results of.
func (s *Snapshot) Measured() (slugs []string) {
	for i := range s.Summaries {
		if slug := s.Summaries[i].ModuleSlug; len(slugs) == 0 || slugs[len(slugs)-1] != slug {
			slugs = append(slugs, slug)
		}
	}
	return slugs
}
