package page

import (
	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/speedclass"
	"flashdex/api/page/chart"
	"flashdex/api/submission"
	"flashdex/result"
)

// Run is one result with everything that its page shows.
type Run struct {
	Result   submission.Submission
	Module   catalogue.Module
	Document *result.Document

	Verdicts  []speedclass.Verdict // on the classes printed on the module, under the conditions of this run
	Signs     []catalogue.Sign     // that this unit showed
	Looked    bool                 // something could have shown a sign
	HostClass string               // in words
	Variant   string               // in words; empty: not known

	Strips  []chart.Chart       // the module's units, and this run among them
	Samples []chart.Chart       // of this run and others
	Others  []figure.SampledRun // these others
	Profile *Profile            // of a method that is never ranked; nil: another method
	Delete  string              // the command that takes the result back
}

// Profile shows runs by a method that is never ranked.
type Profile struct {
	Label       string        `json:"label"`
	Description string        `json:"description"`
	Runs        []ProfiledRun `json:"runs,omitempty"` // of a comparison
	chart.Profile
}

// ProfiledRun leads to one of the runs of a comparison.
type ProfiledRun struct {
	Letter     string `json:"letter,omitempty"`
	Module     string `json:"module,omitempty"`
	Path       string `json:"path"`
	ReceivedOn string `json:"received_on"`
	Host       string `json:"host"`
}

// StateWords are the states of a result in words.
var StateWords = map[string]string{
	submission.Accepted:    "accepted",
	submission.Quarantined: "held back until somebody has looked at it",
	submission.Rejected:    "rejected",
}

// State is the result's state in words.
func (r Run) State() string { return StateWords[r.Result.State] }

// Accepted reports whether the result is accepted.
func (r Run) Accepted() bool { return r.Result.State == submission.Accepted }

// RandWrite is the rate of 4K random writes; empty for a method that is never ranked, whose figure is another than the
// one that modules are compared by.
func (r Run) RandWrite() string {
	if iops := figure.OfRun(r.Result.Tests)[figure.RandWriteIOPS].Value; iops > 0 && r.Profile == nil {
		return result.Number(iops)
	}
	return ""
}

// RunPage shows one result.
func RunPage(r Run) (Page, error) { return render("run.html", resultFrame, r.Module.Name(), r) }
