package rest

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"flashdex/api/page"
	"flashdex/api/problem"
	"flashdex/api/submission"
	"flashdex/result"
)

// askedDecision is a decision that a form asks for.
type askedDecision struct {
	verdict   submission.Decision
	about     submission.Selection
	confirmed string // key of the shown results, by resultsKey; empty: the decision is only to be shown
}

// decisionOf reads the form of a decision. Results that arrive after the decision was first shown are not in it.
func decisionOf(form url.Values) (asked askedDecision, err error) {
	refuse := func(format string, args ...any) (askedDecision, error) {
		return askedDecision{}, problem.New(problem.BadRequest, format+" Nothing was changed.", args...)
	}
	asked.verdict = submission.Decision{State: form.Get("verdict"), Reason: oneLine(form, "reason"),
		ID: result.NewID()}
	if asked.verdict.State != submission.Accepted && asked.verdict.State != submission.Rejected {
		return refuse("A decision is to accept or to reject.")
	}
	if err := submission.CheckReason(asked.verdict.Reason); err != nil {
		return refuse("%v.", err)
	}
	if id := form.Get("decision"); reUUID.MatchString(id) {
		asked.verdict.ID = id
	}
	asked.confirmed = form.Get("confirmed")
	from := selected{Rule: oneLine(form, "rule"), ContributorOf: oneLine(form, "contributor_of"),
		NetworkOf: oneLine(form, "network_of"), NetworkSize: form.Get("network_size")}
	switch like, by := oneLine(form, "like"), form.Get("like_by"); {
	case like == "":
	case by == "contributor":
		from.ContributorOf = like
	default:
		from.NetworkOf, from.NetworkSize = like, by
	}
	for name, to := range map[string]*time.Time{"since": &from.Since, "until": &from.Until} {
		if text := oneLine(form, name); text != "" {
			if *to, err = time.Parse(time.RFC3339Nano, text); err != nil {
				return refuse("A time is written as 2026-11-23T10:00:00Z, unlike %q.", text)
			}
		}
	}
	if asked.about, err = from.selection(); err != nil {
		return askedDecision{}, err
	}
	ids := strings.Fields(strings.Join(form["id"], " "))
	if slices.ContainsFunc(ids, func(id string) bool { return !reUUID.MatchString(id) }) || len(ids) > maxChosen {
		return refuse("What is chosen are ids of at most %d results.", maxChosen)
	}
	switch {
	case len(ids) > 0:
		asked.about.IDs = ids
	case from == (selected{NetworkSize: from.NetworkSize}):
		return refuse("Choose results first.")
	case asked.about.Until.IsZero():
		asked.about.Until = time.Now().UTC()
	}
	return asked, nil
}

// resultsKey identifies the results of a decision: chosen ones by their number, others by a hash of their ids. So
// nobody decides about a result that they haven't seen.
func (a askedDecision) resultsKey(about []string) string {
	switch {
	case len(about) == 0:
		return ""
	case a.about.IDs != nil:
		return strconv.Itoa(len(about))
	}
	hash := sha256.Sum256([]byte(strings.Join(about, " ")))
	return hex.EncodeToString(hash[:])
}

// fields returns the fields of the form that confirms the decision. confirmed is the key of its results.
func (a askedDecision) fields(confirmed string) (fields []page.Field) {
	for _, f := range []page.Field{
		{Name: "verdict", Value: a.verdict.State}, {Name: "reason", Value: a.verdict.Reason},
		{Name: "decision", Value: a.verdict.ID},
		{Name: "confirmed", Value: confirmed}, {Name: "id", Value: strings.Join(a.about.IDs, " ")},
		{Name: "rule", Value: a.about.Rule},
		{Name: "since", Value: timeText(a.about.Since)}, {Name: "until", Value: timeText(a.about.Until)},
		{Name: "contributor_of", Value: a.about.ContributorOf}, {Name: "network_of", Value: a.about.NetworkOf},
		{Name: "network_size", Value: a.about.NetworkSize},
	} {
		if f.Value != "" {
			fields = append(fields, f)
		}
	}
	return fields
}

// conditions says in words which results are picked.
func (a askedDecision) conditions() (conditions []string) {
	for _, c := range []struct{ words, value string }{
		{"held back by the rule ", a.about.Rule},
		{"received since ", shownTime(a.about.Since)}, {"received before ", shownTime(a.about.Until)},
		{"by the contributor of ", a.about.ContributorOf},
		{"from the same " + a.about.NetworkSize + " as ", a.about.NetworkOf},
	} {
		if c.value != "" {
			conditions = append(conditions, c.words+c.value)
		}
	}
	if len(a.about.IDs) > 0 {
		conditions = append(conditions, page.Counted(len(a.about.IDs), "chosen result"))
	}
	return conditions
}

// timeText writes a time as decisionOf reads it; empty: there is none.
func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

func shownTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateTime) + " UTC"
}
