package page

import (
	"embed"
	"slices"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/ranking"
	"flashdex/api/submission"
	"flashdex/result"
)

//go:embed operate/*.html
var operatorPages embed.FS

// figureCells shows the main figures of a run.
func figureCells(tests []result.Figures) []Cell {
	return FoundModule{Figures: figure.OfRun(tests)}.Cells()
}

// mainColumns gives a page the columns that figureCells fills.
type mainColumns struct{}

// Columns are the columns of the main figures.
func (mainColumns) Columns() []ranking.Column { return Search{}.Columns() }

// ForOperators puts the operators' navigation above a page. objections is the number of open objections.
func ForOperators(p Page, objections int) (Page, error) {
	navigation, err := execute("nav.html", objections)
	p.Body = navigation + p.Body
	return p, err
}

// SignInPage asks an operator for the token. wrong says why they are asked again; empty: it is the first time.
func SignInPage(wrong string) (Page, error) {
	return render("sign-in.html", resultFrame, "Operators", struct{ Wrong string }{wrong})
}

// Queue is a part of the list of results that wait for operators or were rejected.
type Queue struct {
	mainColumns
	State   string
	Divided []submission.DividedModule // shown first
	Results []submission.Reviewed
	Later   bool   // it isn't the first part
	After   string // the last id of this part; empty: there are no more
}

// Selection fills the form that decides about many results.
func (Queue) Selection() submission.Selection { return submission.Selection{} }

// QueuePage lists results for operators.
func QueuePage(q Queue) (Page, error) { return render("queue.html", resultFrame, "Queue", q) }

// Field is a hidden field of a form.
type Field struct{ Name, Value string }

// Proposed is a decision that waits for confirmation.
type Proposed struct {
	Accepts    bool
	Reason     string
	Conditions []string // in words
	Results    int
	First      []submission.Submission // the first ones of the results
	Fields     []Field                 // hidden fields that confirm it
	Changed    string                  // why it must be confirmed again; empty: it is the first time
}

// ProposedPage is the dry run of a decision.
func ProposedPage(p Proposed) (Page, error) { return render("decide.html", resultFrame, "Decide?", p) }

// Decision is a decision with a part of its changes.
type Decision struct {
	submission.Decided
	Changes []submission.Change
	Notice  string
	After   string
}

// DecisionPage shows what a decision changed, and the form to undo it.
func DecisionPage(d Decision) (Page, error) {
	return render("decision.html", resultFrame, "Decision", d)
}

// DecisionsPage lists decisions.
func DecisionsPage(decisions []submission.Decided, later bool, after string) (Page, error) {
	return render("decisions.html", resultFrame, "Decisions", struct {
		Decisions []submission.Decided
		Later     bool
		After     string
	}{decisions, later, after})
}

// group is a submission.Group of which a page shows the beginning.
type group struct{ submission.Group }

const shownOfGroup = 5

func (g group) FirstModules() []string { return g.Modules[:min(shownOfGroup, len(g.Modules))] }
func (g group) MoreModules() int       { return len(g.Modules) - len(g.FirstModules()) }
func (g group) FirstResults() []string { return g.Results[:min(shownOfGroup, len(g.Results))] }

// GroupsPage shows groups of contributors who resemble each other. compared is how many results were compared.
func GroupsPage(groups []submission.Group, compared int) (Page, error) {
	shown := struct {
		Groups   []group
		Compared int
		Rules    []submission.GroupRule
	}{Compared: compared, Rules: submission.GroupRules}
	for _, g := range groups {
		shown.Groups = append(shown.Groups, group{g})
	}
	return render("groups.html", resultFrame, "Groups", shown)
}

// ObjectionsPage lists open objections.
func ObjectionsPage(objections []submission.Objection, later bool, after string) (Page, error) {
	return render("objections.html", resultFrame, "Objections", struct {
		Objections []submission.Objection
		Later      bool
		After      string
	}{objections, later, after})
}

// ReviewedResult is a result as an operator sees it.
type ReviewedResult struct {
	mainColumns
	Name       string // of its module
	Result     submission.Reviewed
	Objections []submission.Objection
}

// Like fills the form that decides about many results with the contributor of the result.
func (r ReviewedResult) Like() submission.Selection {
	return submission.Selection{ContributorOf: r.Result.ID}
}

// ReviewedPage shows a result to an operator.
func ReviewedPage(r ReviewedResult) (Page, error) {
	return render("result.html", resultFrame, "Operators: "+r.Name, r)
}

// Probation reports whether the contributor of the result is on probation.
func (r ReviewedResult) Probation() bool {
	return slices.Contains(r.Result.NotRanked, submission.OnProbation)
}

// Naming is a result whose module an operator names.
type Naming struct {
	ID, Name  string // of the result, and of its current module
	Objection string // id of the objection that led here; empty: none did
	Asked     string // search words; empty: Modules are the ones that are known to fit
	Modules   []catalogue.Module
	Found     int // number of modules found, of which Modules are the first
}

// NamePage is the form that names the module of a result.
func NamePage(n Naming) (Page, error) { return render("name.html", resultFrame, "Name a result", n) }

// Waiting is what waits for an operator besides the queue.
type Waiting struct {
	Ambiguous []submission.Submission
	Modules   []submission.UnlistedModule // to be listed
	Vouched   []submission.VouchedModule  // listed because an operator said so
	Later     bool                        // it isn't the first part
	After     string                      // the last slug of this part; empty: there are no more
}

// WaitingPage lists what waits for a name, or to be listed.
func WaitingPage(w Waiting) (Page, error) { return render("waiting.html", resultFrame, "Waiting", w) }

// MergesPage lists merges, the last first, above them the form for another one of the module from.
func MergesPage(from string, merges []submission.Merge) (Page, error) {
	inForce := func(m submission.Merge) bool { return m.UndoneAt == nil }
	return render("merges.html", resultFrame, "Merges", struct {
		From     string
		Merges   []submission.Merge
		Undoable bool
	}{from, merges, slices.ContainsFunc(merges, inForce)})
}

// ProposedMerge is a merge that waits for confirmation.
type ProposedMerge struct {
	From, Into, Reason string
	Moved              []submission.Moved
	Results            int    // of these
	Changed            string // why it must be confirmed again; empty: it is the first time
}

// ProposedMergePage is the dry run of a merge.
func ProposedMergePage(m ProposedMerge) (Page, error) {
	return render("merge.html", resultFrame, "Merge?", m)
}
