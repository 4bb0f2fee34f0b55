package submission

import (
	"fmt"
	"strings"
	"time"
)

// Decided is an operator's decision about one result or many, as it is stored.
type Decided struct {
	ID       string
	At       time.Time
	Actor    string // "operator NAME"
	State    string // the state that it put results into
	Reason   string
	UndoneAt *time.Time // nil: in force
	Results  int        // how many results it changed
}

// Change is one result that a decision changed.
type Change struct {
	Result   string // id
	Was, Now string // states
	Undoable bool   // nobody has decided on it since
}

// Merge is an operator's decision that one module is another name of a second one.
type Merge struct {
	At         time.Time
	Actor      string // "operator NAME"
	Reason     string
	From, Into string     // slugs
	UndoneAt   *time.Time // nil: in force
	UndoneBy   string
	UndoReason string
}

// Moved says how many results of a module a merge moves to another one.
type Moved struct {
	Module  string `json:"module"` // the slug that they were uploaded under
	Results int    `json:"results"`
}

// MovedResults counts the results that a merge moves.
func MovedResults(moved []Moved) (results int) {
	for _, m := range moved {
		results += m.Results
	}
	return results
}

// Reviewed is a result with the facts that an operator needs for a decision.
type Reviewed struct {
	Submission
	Contributor ContributorFacts
	Objections  int // that are open
}

// ContributorFacts describes the contributor of a result without naming anybody.
type ContributorFacts struct {
	Since          time.Time // when they were first seen
	Units, Modules int       // of their accepted results
	Vouched        bool      // by an operator, which only operators may know
}

// Month is the month of the first upload.
func (f ContributorFacts) Month() string { return f.Since.UTC().Format("2006-01") }

// Coarse returns the public class of a number: "0", "1", "2-5", "6-20" or "21+".
func Coarse(n int) string {
	switch {
	case n <= 1:
		return fmt.Sprint(max(0, n))
	case n <= 5:
		return "2-5"
	case n <= 20:
		return "6-20"
	}
	return "21+"
}

// InWords describes the contributor in a sentence for everybody.
func (f ContributorFacts) InWords() string {
	since := "since " + f.Since.UTC().Format("January 2006")
	if f.Units == 0 {
		return since + ", without an accepted result so far"
	}
	several := func(n int, noun string) string {
		switch class := Coarse(n); class {
		case "1":
			return "1 " + noun
		case "21+":
			return "more than 20 " + noun + "s"
		default:
			return strings.Replace(class, "-", " to ", 1) + " " + noun + "s"
		}
	}
	return since + ", with " + several(f.Units, "unit") + " of " + several(f.Modules, "module")
}

// Exactly has the exact numbers, for operators.
func (f ContributorFacts) Exactly() string {
	return fmt.Sprintf("since %s, units: %d, modules: %d", f.Since.UTC().Format("2006-01-02"), f.Units, f.Modules)
}
