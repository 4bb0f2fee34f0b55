package figure

import (
	"context"
	"time"

	"flashdex/result"
)

// Records streams everything that the data set holds, as of one moment. Each method calls do for each record in the
// order of its key, stops at the first error that do returns, and needs the same memory however many records there
// are. The next call of do overwrites the record.
type Records interface {
	// Tests streams the tests of accepted results.
	Tests(ctx context.Context, which Filter, do func(*Test) error) error
	// Specimens streams the units that show a serial number and have accepted results.
	Specimens(ctx context.Context, do func(*Specimen) error) error
	// Hosts streams the computers in which accepted results were measured.
	Hosts(ctx context.Context, do func(*Host) error) error
	// Runs streams the id of each accepted result, the slug of its module, and the day of receipt, UTC.
	Runs(ctx context.Context, do func(id [16]byte, module string, receivedOn time.Time) error) error
	// Documents streams the uploaded documents of accepted results that were received from one day until before another.
	Documents(ctx context.Context, from, until time.Time, do func(id string, document []byte) error) error
}

// Filter selects tests. The zero Filter selects all.
type Filter struct {
	Modules      []string  // slugs, current and former ones; nil: any
	Method, Test string    // empty: any
	Since, Until time.Time // first and last day of receipt, UTC; zero: any
	From         string    // id of the first result; empty: any
	Before       string    // id of the first result after the last one; empty: none
}

// Picked is a Filter as of one moment.
type Picked struct {
	Filter
	Generation int64
	Settled    bool // the generation covers everything that is stored
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
	NamedBy    string  // key of what named the module; empty: not known
	Signs      string  // weight of the unit's counterfeit signs: one of sign.Weights; empty: nothing could show a sign
	Wear       result.Wear

	result.Figures // the fields of result.TestColumns; the others are zero
}

// Seen tells how often and when something was measured.
type Seen struct {
	Results         int64     // accepted
	FirstOn, LastOn time.Time // the days, UTC
}

// Specimen is one unit, as its accepted results show it.
type Specimen struct {
	Tag     string
	Module  string // slug, from the newest result
	Variant string // in words, from the newest result
	Seen
	CRCWrong, SerialNearZero bool // evidence in any of them
	LessCapacity             bool // by the newest of them that tells of a check
}

// Host is one model of computer.
type Host struct {
	Name string
	Seen
	Units, Modules int64
}
