package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/problem"
	"flashdex/api/submission"
	"flashdex/result"

	"github.com/go-chi/chi/v5"
)

// putModule has the contributor of a result choose its module among the modules that its evidence allows. It answers
// with the updated receipt.
func (s *server) putModule(w http.ResponseWriter, r *http.Request, from secret) error {
	var asked struct {
		Module string `json:"module"`
	}
	if err := s.readJSON(w, r, &asked); err != nil {
		return err
	}
	sub, module, document, err := s.submission(r)
	if err != nil {
		return err
	}
	var doc result.Document
	if err := json.Unmarshal(document, &doc); err != nil {
		return fmt.Errorf("rest: the document of %s: %w", chi.URLParam(r, "id"), err)
	}
	resolved := s.Catalogue.Of(&doc, sub.Agreed)
	may := submission.Nameable(module, resolved, s.Catalogue)
	at := slices.IndexFunc(may, func(m catalogue.Module) bool { return m.Slug == asked.Module })
	if at < 0 {
		return cantChoose(may)
	}
	if err := s.Store.ChooseModule(r.Context(), from, doc.ID, may[at]); err != nil {
		return err
	}
	sub, module, _, err = s.submission(r)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, s.receipt(r, sub, module, resolved))
}

// cantChoose is the problem of a choice that the evidence doesn't allow. It names the modules that the result may be
// of.
func cantChoose(may []catalogue.Module) error {
	if len(may) == 0 {
		return problem.New(problem.BadRequest, "What is known of this result names its module, so there is nothing "+
			"to choose. Nothing was changed. If the name is wrong, tell the operators of this site.")
	}
	var slugs []string
	for _, m := range may {
		slugs = append(slugs, m.Slug)
	}
	return problem.New(problem.BadRequest, "The member module must be one of the modules that this result may be of: %s. "+
		"Nothing was changed. If it is none of them, leave it as it is, or tell the operators of this site.",
		strings.Join(slugs, ", "))
}

// nameResult has an operator name the module of a result, and answers with the result.
func (s *server) nameResult(w http.ResponseWriter, r *http.Request, by submission.Authority) error {
	var asked struct {
		Module string `json:"module"`
		Reason string `json:"reason"`
	}
	if err := s.readJSON(w, r, &asked); err != nil {
		return err
	}
	if err := submission.CheckReason(asked.Reason); err != nil {
		return problem.New(problem.BadRequest, "%v. Nothing was changed.", err)
	}
	if !reSlug.MatchString(asked.Module) {
		return problem.New(problem.BadRequest, "The member module is the slug of a module. Nothing was changed.")
	}
	id := chi.URLParam(r, "id")
	if !reUUID.MatchString(id) {
		return notFound(nil, r)
	}
	if err := s.Store.NameResult(r.Context(), id, asked.Module, asked.Reason, by); err != nil {
		return err
	}
	return s.getModeration(w, r, by)
}
