package rest

import (
	"net/http"
	"time"

	"flashdex/api/problem"
	"flashdex/api/submission"
	"flashdex/api/submission/token"
	"flashdex/result"
)

// postToken issues a run token. The request doesn't say for whom: it contains only the random id of a future result.
func (s *server) postToken(w http.ResponseWriter, r *http.Request) error {
	var asked struct {
		ID string `json:"id"`
	}
	if err := s.readJSON(w, r, &asked); err != nil {
		return err
	}
	if !reUUID.MatchString(asked.ID) {
		return problem.New(problem.BadRequest, "The member id must be the UUID that the result of the run will have. "+
			"No token was given out.")
	}
	keys, err := s.Store.TokenKeys(r.Context())
	if err != nil {
		return err
	}
	now := time.Now()
	return writeJSON(w, http.StatusOK, struct {
		Token     string `json:"token"`
		ExpiresAt string `json:"expires_at"`
	}{token.New(keys[0], asked.ID, now), now.Add(token.Lasts).UTC().Format(time.RFC3339)})
}

// checkToken checks the run token of a document at its upload.
func (s *server) checkToken(r *http.Request, doc *result.Document) (t submission.Token, err error) {
	if doc.Token == "" {
		return t, nil
	}
	now := time.Now()
	keys, err := s.Store.TokenKeys(r.Context())
	if err != nil {
		return t, err
	}
	err = s.inTurn(r, func() error {
		t = token.Check(keys, doc, now)
		return nil
	})
	return t, err
}
