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
	ID     string // of an operator's decision, to undo it by; empty: a new one
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
	From   string    `json:"from,omitempty"` // empty for the upload, and if the module was named and the state stayed
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
	NamedBy     string   // key of what named the module, see Evidence; empty: not known
	Agreed      string   // slug of the module that contributors agree on by its registers; see Agreed
	NotRanked   []string // reasons in words; empty: ranked
	Token       string   // see Token.State
	Tests       []result.Figures
	History     []Event // oldest first
}

// Origin describes what the server knows of an upload besides its document. Each network is a label: a hash that nobody
// can reverse.
type Origin struct {
	// Networks holds the nested networks of the sender, the smallest first, for the few days in which an operator may
	// reject a flood.
	Networks [][]byte
	// Network is the label of the network that tells independent contributors apart: an IPv4 address or IPv6 /48. The
	// label begins with the id of the server's key of that day. Labels of different keys can't be compared. Empty: not
	// known.
	Network []byte
	Token   Token
}

// Token describes the run token that came with an upload.
type Token struct {
	State   string    // TokenValid, or a fault's code; empty: no token
	BegunAt time.Time // when the server issued it; zero: not known
	EndedAt time.Time // BegunAt plus the time that the samples took
}

// States of a run token: valid, and the codes of faults. A result with a fault doesn't count.
const (
	TokenValid   = "valid"
	TokenForeign = "foreign"
	TokenExpired = "expired"
	TokenYoung   = "young"
	TokenOrder   = "order"
	TokenCrowded = "crowded"
)

// TokenFaults says in words which fault a run token has, and what to do.
var TokenFaults = map[string]string{
	TokenForeign: "this site didn't give out its run token for this run: measure again with the client of this site",
	TokenExpired: "its run token was older than 7 days: measure again, and upload within 7 days",
	TokenYoung: "its run token is younger than its samples, which took more time than there was between token and " +
		"upload: measure again",
	TokenOrder: "its random tests don't show the order of the blocks that its run token decides: measure again with the " +
		"client of this site",
	TokenCrowded: "its contributor had four other runs at the same time: measure again, at most four modules at once",
}

// OnProbation says why a result doesn't count although nothing is wrong with how it was measured.
const OnProbation = "the results of a new contributor count once they have measured on a second day, 12 hours later " +
	"at least, or a second unit with a serial number, or an operator has confirmed them"

// SecondOfNetwork says why a result doesn't count although nothing is wrong with it or its contributor.
const SecondOfNetwork = "another contributor sent a result of this module from the same network on the same day, and " +
	"one contributor counts for a network and day: measure again on another day"

// Added is the outcome of an upload.
type Added struct {
	New        bool // false: the server already had the same upload
	Submission Submission
	Module     catalogue.Module
}

// Known says what the server knew before an upload.
type Known struct {
	Contributor bool // uploaded before
	Listed      bool // the module has a page
	Named       bool // if it isn't listed: this contributor uploaded a result of it before
}

// UnlistedModule is a module that waits to be confirmed.
type UnlistedModule struct {
	catalogue.Module
	Newest string // id of a result
}

// VouchedModule is a module for which an operator vouches.
type VouchedModule struct{ Slug, By, Reason string }

// DividedModule is a module whose contributors measured two groups of figures: there are two products under one name,
// counterfeits, or lies.
type DividedModule struct {
	Slug   string             `json:"module"`
	Method string             `json:"method"`
	Groups []figure.TwoGroups `json:"groups"`
}

// The sizes of the nested networks that contain a sender, the smallest first: one IPv4 address or IPv6 /56, a /24 or
// /48, a /16 or /32.
var NetworkSizes = []string{"household", "organization", "provider"}

// Selection picks results for a decision about many. A condition that is not set picks all.
type Selection struct {
	IDs           []string  // these results
	Rule          string    // the rule that holds them back
	Since, Until  time.Time // when they were received
	ContributorOf string    // a result's id: all results of its contributor
	NetworkOf     string    // a result's id: the results from the same network on the same day
	NetworkSize   string    // one of NetworkSizes
}

// Contributor counts the results that were uploaded with the same secret.
type Contributor struct {
	Since   time.Time
	Results int
	ByState map[string]int
}

// Authority is who decides: an operator by name, at the command line of the server's machine, or the holder of an
// operator's token.
type Authority struct {
	Name  string // empty: the holder of Token
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
	// figure.MaxProfiledRuns for each method: the newest run of each contributor first, then others. figure.WholeUnits
	// picks the starts.
	Profiled(ctx context.Context, slugs []string, do func(slug string, runs []figure.ProfiledRun) error) error
	// Lives returns runs by result.MethodEndure1 by module, if only their method keeps them from counting. Of each
	// contributor it returns one unit's runs, the oldest first.
	Lives(ctx context.Context, slugs []string) (map[string][]figure.LivedRun, error)
}
