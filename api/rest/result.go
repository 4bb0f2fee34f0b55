package rest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/submission"
	"flashdex/result"

	"github.com/go-chi/chi/v5"
)

// readTimeout limits how long a reader waits for the database.
const readTimeout = 10 * time.Second

var reUUID = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// receipt is the answer to an upload.
type receipt struct {
	ID         string        `json:"id"`
	State      string        `json:"state"`
	Reason     string        `json:"reason,omitempty"`
	Rule       string        `json:"rule,omitempty"` // name of the rule that put it into this state
	ResultURL  string        `json:"result_url"`
	NotRanked  []string      `json:"not_ranked"`            // reasons; empty: ranked
	Token      string        `json:"token"`                 // none, valid, or the code of a fault
	TokenFault string        `json:"token_fault,omitempty"` // the fault in words
	Probation  string        `json:"probation,omitempty"`   // the one of them that passes by itself
	Module     moduleSummary `json:"module"`
	naming
	Foretold []foretold `json:"foretold,omitempty"` // at most 6 classes of hosts
}

// foretold is a module's rate of 4K random writes in a class of hosts, measured there or foretold from other classes.
type foretold struct {
	HostClass     string  `json:"host_class"`
	Label         string  `json:"label"`
	RandWriteIOPS float64 `json:"rand_write_iops"`
	Low           float64 `json:"low"` // of its 95 % interval
	High          float64 `json:"high"`
	Measured      bool    `json:"measured"`
}

// naming says why the result belongs to its module, and asks its contributor if that is open.
type naming struct {
	Why     string   `json:"why,omitempty"`     // in a sentence; empty: not known
	Choices []choice `json:"choices,omitempty"` // the module is one of them; empty: it is known
	Offered *choice  `json:"offered,omitempty"` // which the typed name may mean
	Inside  string   `json:"inside,omitempty"`  // maker by the registers, if the printed brand is another
}

type choice struct {
	Slug string `json:"slug"`
	Name string `json:"name"`
	URL  string `json:"url"`
}

type moduleSummary struct {
	Slug        string `json:"slug"`
	Name        string `json:"name"`
	URL         string `json:"url,omitempty"` // empty: it has no page yet
	Provisional bool   `json:"provisional"`
	NotListed   string `json:"not_listed,omitempty"` // when it gets one; empty: it is listed
}

// stored is a result in an answer, without its document.
type stored struct {
	receipt
	ReceivedOn string            `json:"received_on"` // the day; the time would say too much of the contributor
	Figures    []map[string]any  `json:"figures"`     // the result.TestColumns that are known
	Standing   *standing         `json:"standing,omitempty"`
	By         *contributorFacts `json:"contributor,omitempty"`
	History    []event           `json:"history"` // oldest first
}

// contributorFacts describes a contributor only by classes that fit many people.
type contributorFacts struct {
	Since   string `json:"since"`   // the month
	Units   string `json:"units"`   // of accepted results: "0", "1", "2-5", "6-20" or "21+"
	Modules string `json:"modules"` // the same
}

// event is one change of a result's state, as everybody may see it.
type event struct {
	On     string `json:"on"` // the day
	State  string `json:"state"`
	Reason string `json:"reason,omitempty"`
	By     string `json:"by"` // server, rule, operator or contributor; never which one
}

// standing places one run's 4K random write rate among the medians of the modules measured by the same method.
type standing struct {
	Figure  string `json:"figure"`
	Above   int    `json:"above"`   // modules with a higher median
	Modules int    `json:"modules"` // all modules measured by the method

	OfForm *formStanding `json:"of_form,omitempty"` // nil: the form isn't known
}

// formStanding is the run's place among the modules of one form.
type formStanding struct {
	Form    string `json:"form"`
	Above   int    `json:"above"`
	Modules int    `json:"modules"`
}

// getResult answers with a result's state and figures. The last member is its document as in the data set, without the
// time when the run started.
func (s *server) getResult(w http.ResponseWriter, r *http.Request) error {
	sub, module, uploaded, err := s.submission(r)
	if err != nil {
		return err
	}
	document, _, err := dataset.ReadDocument(sub.ID, uploaded)
	if err != nil {
		return err
	}
	answer, err := s.stored(r, sub, module, uploaded)
	if err != nil {
		return err
	}
	by, err := s.Store.ContributorOf(r.Context(), sub.ID)
	if err != nil {
		return err
	}
	if !by.Since.IsZero() {
		answer.By = &contributorFacts{by.Month(), submission.Coarse(by.Units), submission.Coarse(by.Modules)}
	}
	if f, ok := figure.OfRun(sub.Tests).Find(figure.RandWriteIOPS); ok {
		t, err := s.tables.get(r.Context())
		if err != nil {
			return err
		}
		answer.Standing, answer.Foretold = t.standing(sub.Method, module, f.Value), t.foretell(sub, module.Slug)
	}
	head, err := encodeJSON(answer)
	if err != nil {
		return err
	}
	head = bytes.TrimSuffix(head, []byte("}\n"))
	send(w, http.StatusOK, "application/json",
		slices.Concat(head, []byte(`,"document":`), []byte(document), []byte("}\n")))
	return nil
}

func (s *server) stored(r *http.Request, sub submission.Submission, module catalogue.Module, uploaded []byte) (
	answer stored, err error) {
	var doc result.Document
	if err := json.Unmarshal(uploaded, &doc); err != nil { // it was valid when it was stored
		return stored{}, fmt.Errorf("rest: the document of %s: %w", sub.ID, err)
	}
	answer = stored{
		receipt:    s.receipt(r, sub, module, s.Catalogue.Of(&doc, sub.Agreed)),
		ReceivedOn: sub.ReceivedAt.Format(time.DateOnly),
		Figures:    []map[string]any{}, History: []event{},
	}
	for _, f := range sub.Tests {
		answer.Figures = append(answer.Figures, f.Known())
	}
	for _, e := range sub.History {
		answer.History = append(answer.History, event{e.At.Format(time.DateOnly), e.To, e.Reason, e.Kind()})
	}
	return answer, nil
}

// deleteResult deletes a result for its contributor.
func (s *server) deleteResult(w http.ResponseWriter, r *http.Request, from secret) error {
	id := chi.URLParam(r, "id")
	if !reUUID.MatchString(id) {
		return notFound(nil, r)
	}
	return done(w, s.Store.DeleteSubmission(r.Context(), from, id))
}

// submission reads the result that the address names.
func (s *server) submission(r *http.Request) (submission.Submission, catalogue.Module, []byte, error) {
	id := chi.URLParam(r, "id")
	if !reUUID.MatchString(id) {
		return submission.Submission{}, catalogue.Module{}, nil, notFound(nil, r)
	}
	ctx, cancel := context.WithTimeout(r.Context(), readTimeout)
	defer cancel()
	return s.Store.Submission(ctx, id)
}

func (s *server) summary(r *http.Request, m catalogue.Module) moduleSummary {
	if m.Unlisted {
		return moduleSummary{m.Slug, m.Name(), "", m.Provisional, page.NotListed(m)}
	}
	return moduleSummary{m.Slug, m.Name(), s.baseURL(r) + "/modules/" + m.Slug + "/", m.Provisional, ""}
}

// receipt describes a result of module. resolved is what the catalogue resolves its document to now.
func (s *server) receipt(r *http.Request, sub submission.Submission, module, resolved catalogue.Module) receipt {
	probation := ""
	if slices.Contains(sub.NotRanked, submission.OnProbation) {
		probation = submission.OnProbation
	}
	return receipt{
		ID: sub.ID, State: sub.State, Reason: sub.StateReason, Rule: sub.StateRule, ResultURL: s.baseURL(r) + "/r/" + sub.ID,
		NotRanked: append([]string{}, sub.NotRanked...), Token: cmp.Or(sub.Token, "none"),
		TokenFault: submission.TokenFaults[sub.Token], Probation: probation, Module: s.summary(r, module),
		naming: s.naming(r, submission.NamingOf(sub, module, resolved, s.Catalogue)),
	}
}

func (s *server) naming(r *http.Request, of submission.Naming) naming {
	answer := naming{Why: of.Why, Inside: of.Inside}
	link := func(m catalogue.Module) choice {
		return choice{m.Slug, m.Name(), s.baseURL(r) + "/modules/" + m.Slug + "/"}
	}
	for _, m := range of.Choices {
		answer.Choices = append(answer.Choices, link(m))
	}
	if of.Offered != nil {
		answer.Offered = new(link(*of.Offered))
	}
	return answer
}

// encodeJSON encodes the JSON of every answer.
func encodeJSON(value any) ([]byte, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("rest: %w", err)
	}
	return append(text, '\n'), nil
}

// writeJSON answers with a value that must not be cached.
func writeJSON(w http.ResponseWriter, status int, value any) error {
	text, err := encodeJSON(value)
	if err == nil {
		send(w, status, "application/json", text)
	}
	return err
}

// send answers with a text that must not be cached.
func send(w http.ResponseWriter, status int, mediaType string, text []byte) {
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(text) // a reader who is gone needs no answer
}

// sendTagged answers with a text made from a table, unless the reader has it already.
func sendTagged(w http.ResponseWriter, r *http.Request, etag, mediaType string, text []byte) {
	w.Header().Set("ETag", etag)
	w.Header().Set("Cache-Control", "public, max-age=10")
	w.Header().Set("Content-Type", mediaType)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
}

// done answers without a body, unless there was an error.
func done(w http.ResponseWriter, err error) error {
	if err == nil {
		w.WriteHeader(http.StatusNoContent)
	}
	return err
}
