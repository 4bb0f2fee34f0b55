// Package index holds what the server knows about modules: the uploaded results with their derived figures, the figures
// of each module over its units, and the snapshot of it all that a publication is made from.
package index

import (
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

// Keys of the figures that modules are compared by. The unit is in the name.
const (
	RandWriteIOPS  = "rand_write_iops"
	RandReadIOPS   = "rand_read_iops"
	SeqWriteMBPerS = "seq_write_mb_per_s"
	SeqReadMBPerS  = "seq_read_mb_per_s"
	RandWriteP99MS = "rand_write_p99_ms"
	RandWriteMaxMS = "rand_write_max_ms"
)

// FigureKeys lists them in the order of the tables.
var FigureKeys = []string{RandWriteIOPS, RandReadIOPS, SeqWriteMBPerS, SeqReadMBPerS, RandWriteP99MS, RandWriteMaxMS}

// LowerIsBetter reports whether the least of a figure is the best: of times.
func LowerIsBetter(key string) bool { return key == RandWriteP99MS || key == RandWriteMaxMS }

// Figure is one value that a module or a run is compared by, with its 95 % interval where it has one.
type Figure struct {
	Value     float64
	Low, High *float64
}

// FiguresOf picks from the figures of a run's tests those that modules are compared by.
func FiguresOf(tests []result.Figures) map[string]Figure {
	figures := map[string]Figure{}
	for _, t := range tests {
		switch t.Test {
		case result.SeqWrite:
			figures[SeqWriteMBPerS] = Figure{Value: t.MBPerS}
		case result.SeqRead:
			figures[SeqReadMBPerS] = Figure{Value: t.MBPerS}
		case result.RandWrite:
			if t.IOPS != nil {
				figures[RandWriteIOPS] = Figure{*t.IOPS, t.IOPSLow, t.IOPSHigh}
			}
			if t.P99NS != nil {
				figures[RandWriteP99MS] = Figure{Value: float64(*t.P99NS) / 1e6}
			}
			if t.MaxNS != nil {
				figures[RandWriteMaxMS] = Figure{Value: float64(*t.MaxNS) / 1e6}
			}
		case result.RandRead:
			if t.IOPS != nil {
				figures[RandReadIOPS] = Figure{*t.IOPS, t.IOPSLow, t.IOPSHigh}
			}
		}
	}
	return figures
}

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

// ModuleFigure is a figure of a module by one method: the weighted median over its units, of the median over a unit's
// runs. All units of one contributor together weigh one.
type ModuleFigure struct {
	ModuleSlug                string
	Method                    string
	Key                       string
	Median                    float64
	Units, Runs, Contributors int
}

// ModuleMethod is what there is of a module by one method, ranked or not.
type ModuleMethod struct {
	ModuleSlug, Method string
	Results            int        // accepted ones
	Newest             Submission // of them
}

// Snapshot is everything that one publication shows, as of one moment.
type Snapshot struct {
	Generation  int64 // rises with every change
	Modules     []catalogue.Module
	Published   []catalogue.Published
	Aliases     map[string]string // slugs of modules that were merged, and what they mean now
	Figures     []ModuleFigure
	Methods     []ModuleMethod
	Submissions []Submission // accepted ones, newest first; only of a publication
}

// ExportRow takes the rows of an export one by one, each with the name of its module.
type ExportRow struct {
	Published func(p catalogue.Published, module string) error
	Upload    func(sub Submission, module string) error
}
