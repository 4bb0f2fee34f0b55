package spool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// tokenTimeout is how long a run waits for its token.
const tokenTimeout = 3 * time.Second

// isToken reports whether the schema accepts a text as a token: 16 to 128 characters of base64url. Package regexp would
// make the client too large for a router.
func isToken(text string) bool {
	const base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	return len(text) >= 16 && len(text) <= 128 && strings.Trim(text, base64url) == ""
}

// RunToken asks the site for the token of the run whose result will have that random id. The request holds nothing
// else, and no secret.
func (s Site) RunToken(ctx context.Context, id string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, tokenTimeout)
	defer cancel()
	answer, _, err := s.try(ctx, http.MethodPost, "v1/tokens", "", fmt.Appendf(nil, `{"id":%q}`, id))
	switch status := Refused(err); {
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed:
		return "", errors.New("the site gives out none")
	case err != nil:
		return "", err
	}
	var given struct{ Token string }
	if err := json.Unmarshal(answer, &given); err != nil || !isToken(given.Token) {
		return "", errors.New("the answer holds none: it is not from the site, or from a newer one")
	}
	return given.Token, nil
}
