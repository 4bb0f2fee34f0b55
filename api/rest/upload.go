package rest

import (
	"errors"
	"net/http"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/problem"
	"flashdex/api/submission"
	"flashdex/api/submission/plausible"
	"flashdex/result"
	"flashdex/result/schema"

	"github.com/go-chi/chi/v5"
)

// putResult takes an upload: 201 if it is new, 200 if the very same one is there already.
func (s *server) putResult(w http.ResponseWriter, r *http.Request, from secret) error {
	body, err := s.readBody(w, r)
	if err != nil {
		return err
	}
	doc, err := s.check(r, body)
	if err != nil {
		return err
	}
	if doc.ID != chi.URLParam(r, "id") {
		return &problem.Problem{
			Kind: problem.Invalid, Detail: "The id in the document is not the one in the address. Nothing was stored.",
			Errors: []result.Problem{{Pointer: "/id", Detail: "must be the last part of the address"}},
		}
	}
	added, err := s.Store.AddSubmission(r.Context(), from, doc, body, s.moduleOf(doc), doorVerdict(doc))
	if err != nil {
		return err
	}
	outcome, status := "again", http.StatusOK
	if added.New {
		outcome, status = added.Submission.State, http.StatusCreated
	}
	s.metrics.uploads.WithLabelValues(outcome).Inc()
	return writeJSON(w, status, s.receipt(r, added.Submission, added.Module))
}

// doorVerdict checks a document against the rules of physics. A document that breaks one is stored with the reason,
// which its contributor can read.
func doorVerdict(doc *result.Document) submission.Decision {
	found := plausible.Check(doc)
	if len(found) == 0 {
		return submission.Decision{State: submission.Accepted}
	}
	v := submission.Decision{State: submission.Quarantined, Rule: found[0].Rule}
	if found[0].Severity == plausible.Reject {
		v.State = submission.Rejected
	}
	var reasons []string
	for _, f := range found {
		reasons = append(reasons, f.Reason)
	}
	v.Reason = strings.Join(reasons, " ")
	return v
}

// check reads a document when its turn comes.
func (s *server) check(r *http.Request, body []byte) (*result.Document, error) {
	select {
	case s.guard.checking <- struct{}{}:
		defer func() { <-s.guard.checking }()
		return readDocument(body)
	case <-r.Context().Done():
		return nil, problem.Wrap(problem.Unavailable, r.Context().Err(),
			"The server had more to do than it could. Nothing was stored; send it again.")
	}
}

// readDocument maps what can be wrong with a document to problems.
func readDocument(body []byte) (*result.Document, error) {
	doc, err := schema.Read(body)
	var unsupported *schema.UnsupportedVersionError
	var invalid *schema.InvalidError
	switch {
	case errors.Is(err, schema.ErrNotJSON):
		return nil, problem.Wrap(problem.Malformed, err, "The body is not a JSON document in UTF-8. Nothing was stored; "+
			"send the result file as the client wrote it.")
	case errors.As(err, &unsupported):
		return nil, &problem.Problem{
			Kind: problem.UnsupportedVersion, Cause: err,
			Errors: []result.Problem{{Pointer: "/schema_version", Detail: unsupported.Error()}},
			Detail: "The document's " + unsupported.Error() + ". Nothing was stored. Keep the file, get the client from " +
				"this site again and upload with it; or, if your client is the newer one, try again when the server " +
				"is up to date.",
		}
	case errors.As(err, &invalid):
		return nil, &problem.Problem{
			Kind: problem.Invalid, Errors: invalid.Problems, Cause: err,
			Detail: "The document breaks the schema (/v1/schema/result-v1.json) or contradicts itself; \"errors\" says " +
				"where. Nothing was stored. A document that a client wrote and nobody changed should pass: get the " +
				"newest client from this site, or report it.",
		}
	}
	return doc, err
}

// moduleOf returns the module, or the stack of modules, that a document is about.
func (s *server) moduleOf(doc *result.Document) catalogue.Module {
	var modules []catalogue.Module
	for _, device := range doc.Devices() {
		modules = append(modules, s.Catalogue.Resolve(catalogue.Evidence{Module: doc.Module, Identity: *device}))
	}
	if doc.Stack == nil {
		return modules[0]
	}
	return catalogue.StackOf(doc.Stack.Kind, doc.Stack.ChunkBytes, modules)
}
