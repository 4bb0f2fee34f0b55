// Package index holds what the server knows about modules: the uploaded results with their derived figures, the figures
// of each module over its units, and the snapshot of it all that a publication is made from.
package index

import (
	"context"
	"strings"
	"time"

	"flashdex/api/catalogue"
	"flashdex/result"
)

// States of a submission.
const (
	Accepted    = "accepted"
	Quarantined = "quarantined"
	Rejected    = "rejected"
	Deleted     = "deleted"
)

// Verdict is the state that a submission is put into, and why.
type Verdict struct {
	State  string
	Reason string // in words; may be empty for Accepted
	Rule   string // name of the rule that decided; empty: none did
}

// Event is one change of a submission's state.
type Event struct {
	At       time.Time
	From, To string // From is empty for the upload
	Reason   string
	Actor    string // "server", "contributor", "rule NAME" or "operator NAME"
}

// Kind of the actor alone: what everybody may know of who did it.
func (e Event) Kind() string {
	kind, _, _ := strings.Cut(e.Actor, " ")
	return kind
}

// MinRankedContributors is how many contributors must have measured a module before it is ranked. From three on, none of
// them can move its figure beyond what others measured.
const MinRankedContributors = 3

// Submission is one uploaded result, without its document.
type Submission struct {
	ID          string
	ReceivedAt  time.Time
	State       string
	StateReason string
	StateRule   string // name of the rule that put it there; empty: none did
	Method      string
	Profile     string
	Client      string // name and version
	Host        string // board, or architecture where no board is known
	BusMode     string
	HostClass   string  // key of one of HostClasses; empty: not derived yet
	BusMBPerS   float64 // what that bus carries at most; 0: the host showed no mode
	Variant     Variant
	UnitTag     string // empty where the kernel shows no serial number
	ModuleSlug  string
	NotRanked   []string // reasons in words; empty: ranked
	Tests       []result.Figures
	History     []Event // oldest first
}

// Added is what became of an upload.
type Added struct {
	New        bool // false: the very same upload was there already
	Submission Submission
	Module     catalogue.Module
}

// Contributor is what is known of whoever holds a secret.
type Contributor struct {
	Since   time.Time
	Results int
	ByState map[string]int
}

// Operator may moderate.
type Operator struct {
	Name      string
	Since     time.Time
	RevokedAt *time.Time // nil: in force
}

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

// Results are the accepted submissions of a snapshot, to be read some at a time.
type Results interface {
	// Variants gives the summaries of the variants of these modules, with the figures that a snapshot's are without.
	Variants(ctx context.Context, slugs []string) ([]Summary, error)
	// Newest gives for each of these modules at most limit of its results, newest first.
	Newest(ctx context.Context, slugs []string, limit int, do func(slug string, newest []Submission) error) error
	// Drawn gives for each of these modules that has results that count what its charts are drawn from.
	Drawn(ctx context.Context, slugs []string, do func(slug string, drawn []Drawn) error) error
	// Profiled gives for each of these modules that has any its runs by ProfiledMethods: by each method the newest of each unit, then the ones
	// before, at most MaxProfiledRuns.
	Profiled(ctx context.Context, slugs []string, do func(slug string, runs []ProfiledRun) error) error
}
