// Package submission holds an uploaded result, its states and the events that changed them, and who may change them.
package submission

import (
	"strings"
	"time"

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
	Rule   string // names the rule that decided; empty: none did
}

// Event is one change of a submission's state.
type Event struct {
	At       time.Time
	From, To string // From is empty for the upload
	Reason   string
	Actor    string // "server", "contributor", "rule NAME" or "operator NAME"
}

// Kind names the actor without the name of a rule or an operator. Everybody may know it.
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
	StateRule   string // names the rule that chose the state; empty: none did
	Method      string
	Profile     string
	Client      string // name and version
	Host        string // board, or architecture where no board is known
	BusMode     string
	HostClass   string  // key of one of figure.HostClasses; empty: not derived yet
	BusMBPerS   float64 // the most that the bus carries, 10^6 bytes per second; 0: the host showed no mode
	Variant     figure.Variant
	UnitTag     string // empty where the kernel shows no serial number
	ModuleSlug  string
	NotRanked   []string // reasons in words; empty: ranked
	Tests       []result.Figures
	History     []Event // oldest first
}

// Added tells what became of an upload.
type Added struct {
	New        bool // false: the same upload was there already
	Submission Submission
	Module     catalogue.Module
}

// Contributor counts the results of whoever holds a secret.
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
