package page

import (
	"fmt"
	"strings"
	"time"

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

// runView is what run.html shows.
type runView struct {
	Crumbs      []Crumb       `json:"crumbs"`
	Name        string        `json:"name"`
	Slug        string        `json:"slug"`
	RandWrite   string        `json:"rand_write,omitempty"`
	Accepted    bool          `json:"accepted"`
	State       string        `json:"state"`
	StateReason string        `json:"state_reason"`
	NotRanked   []string      `json:"not_ranked"`
	Stack       bool          `json:"stack"`
	Profile     *Profile      `json:"profile"`
	Head        []tableHead   `json:"head"`
	Tests       []testRow     `json:"tests"`
	Strips      []chart.Chart `json:"strips"`
	Samples     []chart.Chart `json:"samples"`
	OthersText  string        `json:"others_text"`
	Others      []otherRun    `json:"others"`
	Verdicts    []Verdict     `json:"verdicts"`
	Caveat      string        `json:"caveat"`
	Signs       []Sign        `json:"signs"`
	Looked      bool          `json:"looked"`
	Facts       []fact        `json:"facts"`
	Delete      string        `json:"delete"`
}

type otherRun struct {
	Path      string `json:"path"`
	RandWrite string `json:"rand_write"`
}

// RunPage shows one result.
func RunPage(r Run) (Page, error) {
	name := r.Module.Name()
	head, tests := testTable(r.Result.Tests, r.Document)
	view := runView{
		Crumbs: []Crumb{{"Modules", "/modules/"}, {name, "/modules/" + r.Module.Slug + "/"}}, Name: name, Slug: r.Module.Slug,
		Accepted: r.Result.State == submission.Accepted, State: StateWords[r.Result.State], StateReason: r.Result.StateReason,
		NotRanked: r.Result.NotRanked, Stack: r.Document.Stack != nil, Profile: r.Profile, Head: head, Tests: tests,
		Strips: r.Strips, Samples: r.Samples, OthersText: "No other run of this module counts yet.",
		Verdicts: VerdictsOf(r.Verdicts), Caveat: speedclass.Caveat, Looked: r.Looked, Facts: r.facts(), Delete: r.Delete,
	}
	// The figure of a method that is never ranked is another than the one that modules are compared by.
	if iops := figure.OfRun(r.Result.Tests)[figure.RandWriteIOPS].Value; iops > 0 && r.Profile == nil {
		view.RandWrite = result.Number(iops)
	}
	for _, other := range r.Others {
		view.Others = append(view.Others, otherRun{"/r/" + other.ID, result.Number(other.RandWriteIOPS())})
	}
	switch len(view.Others) {
	case 0:
	case 1:
		view.OthersText = "In thin lines behind it: another run that counts"
	default:
		view.OthersText = "In thin lines behind it: other runs that count, of units from the slowest to the fastest"
	}
	for _, sign := range r.Signs {
		view.Signs = append(view.Signs, SignOf(sign))
	}
	body, err := bodyOf("run.html", view)
	return Page{Title: name, Frame: resultFrame, Body: body}, err
}

// fact is a row of what else is known of a run.
type fact struct {
	Label  string      `json:"label"`
	Values []factValue `json:"values"`
}

// factValue is a link, then uploaded text, then our own words. Each may be empty.
type factValue struct {
	Link     string `json:"link,omitempty"`
	Path     string `json:"path,omitempty"`
	Uploaded string `json:"uploaded,omitempty"`
	Words    string `json:"words,omitempty"`
}

func (r Run) facts() (facts []fact) {
	add := func(label string, values ...factValue) { facts = append(facts, fact{label, values}) }
	uploaded := func(label, text, words string) {
		if text != "" {
			add(label, factValue{Uploaded: text, Words: words})
		}
	}
	add("State", factValue{Words: StateWords[r.Result.State]})
	add("Received", factValue{Words: r.Result.ReceivedAt.Format(time.DateOnly)})
	add("Method", factValue{Link: r.Result.Method, Path: "/method/", Words: ", profile " + r.Result.Profile})
	if of := r.Document.Imported; of != nil {
		tool := of.Tool + " " + of.ToolVersion
		if of.MeasuredOn != "" {
			tool += ", on " + of.MeasuredOn
		}
		add("Measured by", factValue{Words: tool + ", imported"})
		uploaded("Options", of.Options, "")
		if len(of.Told) > 0 {
			add("Told by the contributor", factValue{Words: strings.Join(of.Told, ", ")})
		}
	}
	add("Host", factValue{Uploaded: r.Result.Host})
	add("Compared in", factValue{Words: r.HostClass})
	uploaded("Bus", r.Result.BusMode, "")
	uploaded("Unit", r.Variant, "")
	if stack := r.Document.Stack; stack != nil {
		add("Stack", factValue{Words: stack.Label()})
		var members []factValue
		for _, m := range stack.Members {
			members = append(members, factValue{Uploaded: m.Label()})
		}
		add("Members", members...)
	}
	uploaded("File system", r.Document.Target.Mkfs,
		": made and mounted by the client for this test alone, from half of the module’s capacity on")
	if n := r.Document.Resumed; n > 0 {
		times := "once, and gone on with"
		if n > 1 {
			times = fmt.Sprintf("%d times, and each time gone on with", n)
		}
		add("Interrupted", factValue{
			Words: times + " where it was; in a pause a module may put itself in order, and what follows be faster for a while"})
	}
	add("Client", factValue{Words: r.Result.Client})
	add("Data", factValue{Link: "Samples and figures as JSON", Path: "/v1/results/" + r.Result.ID})
	return facts
}
