package figure

import (
	"context"
	"time"

	"flashdex/result"
)

// Records is everything that the data set holds, as of one moment. Each of its methods streams what it gives in the order of
// its key, takes the same memory however much there is, and stops at the first error that do returns. What do is given is overwritten
// by the next.
type Records interface {
	// Settled reports whether the generation of the snapshot tells all of what there is: nothing was stored since.
	Settled(ctx context.Context) (bool, error)
	// Tests gives the tests of accepted results.
	Tests(ctx context.Context, which Filter, do func(*Test) error) error
	// ResultAfter gives the id of the first of the picked results behind the first n; empty: there are no more.
	ResultAfter(ctx context.Context, which Filter, n int) (id string, err error)
	// Specimens gives the units that show a serial number and have accepted results.
	Specimens(ctx context.Context, do func(*Specimen) error) error
	// Hosts gives the computers that accepted results were measured in.
	Hosts(ctx context.Context, do func(*Host) error) error
	// Runs gives the id of each accepted result, the slug of its module, and the day that it was received, UTC.
	Runs(ctx context.Context, do func(id [16]byte, module string, receivedOn time.Time) error) error
	// Documents gives the documents, as they were uploaded, of accepted results that were received from one day on until before another.
	Documents(ctx context.Context, from, until time.Time, do func(id string, document []byte) error) error
}

// Filter says which tests are meant. The zero Filter is all of them.
type Filter struct {
	Modules      []string  // slugs, as the modules are called now; nil: any
	Method, Test string    // empty: any
	Since, Until time.Time // days of receipt, UTC, both of which are meant too; zero: any
	From         string    // id of the first result that is meant; empty: any
	Before       string    // id of the first result behind those that are meant; empty: there is no end
}

// Test is one test of an accepted result, with the facts of the result.
type Test struct {
	Result     string
	ReceivedOn time.Time // the day, UTC
	Module     string    // slug, as it is called now
	ModuleName string
	Unit       string // tag; empty where the module shows no serial number
	Method     string
	Profile    string
	Client     string
	Host       string
	HostClass  string
	BusMode    string
	BusMBPerS  float64 // 0: not known
	Variant    string  // in words
	NotRanked  string  // reasons in words; empty: ranked

	result.Figures // the columns of TestColumns; the others are zero
}

// Seen is how often and when something was measured.
type Seen struct {
	Results         int64     // accepted
	FirstOn, LastOn time.Time // the days, UTC
}

// Specimen is one unit as its accepted results show it.
type Specimen struct {
	Tag     string
	Module  string // slug of the newest result's
	Variant string // in words, of the newest result
	Seen
	CRCWrong, SerialNearZero, LessCapacity bool // evidence in any of them
}

// Host is one model of computer.
type Host struct {
	Name string
	Seen
	Units, Modules int64
}
