// Package submission describes an uploaded result, its states, the events that change them, and the people involved.
package submission

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/result"
)

// States of a submission.
const (
	Accepted    = "accepted"
	Quarantined = "quarantined"
	Rejected    = "rejected"
	Deleted     = "deleted"
)

// Decision puts a submission into a state.
type Decision struct {
	State  string
	Reason string // in words; may be empty for Accepted
	Rule   string // name of the rule that decided; empty: no rule did
}

const maxReason = 1000 // characters

// CheckReason checks the reason of an operator's decision, which everybody can read. The error tells the operator what
// to change.
func CheckReason(reason string) error {
	switch {
	case strings.TrimSpace(reason) == "":
		return errors.New("a decision needs a reason that tells the contributor what to do")
	case !utf8.ValidString(reason) || utf8.RuneCountInString(reason) > maxReason:
		return errors.New("a reason must be UTF-8 text of at most 1000 characters")
	case strings.ContainsFunc(reason, func(r rune) bool { return !unicode.IsPrint(r) }):
		return errors.New("a reason must be one line of printable characters")
	}
	return nil
}

// Event is a change of a submission's state, as operators see it.
type Event struct {
	At     time.Time `json:"at"`
	From   string    `json:"from,omitempty"` // empty for the upload
	To     string    `json:"state"`
	Reason string    `json:"reason,omitempty"`
	Actor  string    `json:"by"` // "server", "contributor", "rule NAME" or "operator NAME"
}

// Kind returns the kind of the actor, without the name of the rule or operator. It is public.
func (e Event) Kind() string {
	kind, _, _ := strings.Cut(e.Actor, " ")
	return kind
}

// Submission is one uploaded result, without its document.
type Submission struct {
	ID          string
	ReceivedAt  time.Time
	State       string
	StateReason string
	StateRule   string // name of the rule that chose the state; empty: no rule did
	Method      string
	Profile     string
	Client      string // name and version
	Host        string // board, or architecture if the board is unknown
	BusMode     string
	HostClass   string  // key of one of figure.HostClasses; empty: not derived yet
	BusMBPerS   float64 // highest rate of the bus, 10^6 bytes per second; 0: the host showed no mode
	Variant     string  // key of a figure.Variant
	UnitTag     string  // empty if the kernel shows no serial number
	ModuleSlug  string
	NotRanked   []string // reasons in words; empty: ranked
	Tests       []result.Figures
	History     []Event // oldest first
}

// Added is the outcome of an upload.
type Added struct {
	New        bool // false: the server already had the same upload
	Submission Submission
	Module     catalogue.Module
}

// Known tells what a new upload adds to.
type Known struct {
	Contributor   bool // uploaded before
	Listed        bool // the module has a page
	Named, Others bool // if it isn't listed: this contributor, another one uploaded a result of it before
}

// UnlistedModule is a module that waits until somebody confirms it.
type UnlistedModule struct {
	catalogue.Module
	Newest string // id of a result
}

// The sizes of the nested networks that hold a sender, the smallest first: one IPv4 address or IPv6 /56, a /24 or /48,
// a /16 or /32.
var NetworkSizes = []string{"household", "organization", "provider"}

// Selection picks results for a decision about many. A condition that is not set picks all.
type Selection struct {
	Rule          string    // that holds them back
	Since, Until  time.Time // when they were received
	ContributorOf string    // a result's id: the results of whoever uploaded it
	NetworkOf     string    // a result's id: the results from the same network on the same day
	NetworkSize   string    // one of NetworkSizes
}

// Contributor counts the results that were uploaded with the same secret.
type Contributor struct {
	Since   time.Time
	Results int
	ByState map[string]int
}

// Authority is who decides: an operator by name, at the command line of the server's machine, or whoever holds an
// operator's token.
type Authority struct {
	Name  string // empty: who holds Token
	Token [32]byte
}

// Operator is a person who may moderate.
type Operator struct {
	Name      string
	Since     time.Time
	RevokedAt *time.Time // nil: still valid
}

// Results reads the accepted submissions of a snapshot in parts. Modules are named by their current slugs.
type Results interface {
	// Variants returns the summaries of these modules' variants, with the figures that a snapshot leaves out.
	Variants(ctx context.Context, slugs []string) ([]figure.Summary, error)
	// Newest calls do for each of these modules with at most limit of its results, newest first.
	Newest(ctx context.Context, slugs []string, limit int, do func(slug string, newest []Submission) error) error
	// ChartData calls do for each of these modules that has counting results, with the data of its charts.
	ChartData(ctx context.Context, slugs []string, do func(slug string, drawn []figure.ChartData) error) error
	// Profiled calls do for each of these modules that has runs of figure.ProfiledMethods. It passes at most
	// figure.MaxProfiledRuns for each method: the newest run of each unit first, then older ones.
	Profiled(ctx context.Context, slugs []string, do func(slug string, runs []figure.ProfiledRun) error) error
}
