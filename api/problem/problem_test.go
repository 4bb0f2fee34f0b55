package problem_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"flashdex/api/problem"
)

func TestProblemsSurviveWrapping(t *testing.T) {
	t.Parallel()
	cause := errors.New("connection refused")
	err := fmt.Errorf("store: %w", problem.Wrap(problem.Unavailable, cause, "Try again in %d seconds.", 5))
	p := problem.Of(err)
	if p.Kind != problem.Unavailable || p.Detail != "Try again in 5 seconds." {
		t.Errorf("Of(%v) = %q, %q", err, p.Kind, p.Detail)
	}
	if !errors.Is(err, cause) {
		t.Error("the cause is lost")
	}
}

func TestUnknownErrorsAreOpaque(t *testing.T) {
	t.Parallel()
	p := problem.Of(errors.New("password authentication failed for user flashdex"))
	if p.Kind != problem.Internal || strings.Contains(p.Detail, "password") {
		t.Errorf("an unknown error became %q: %q", p.Kind, p.Detail)
	}
	if !strings.Contains(p.Error(), "password") {
		t.Error("the log would not say what happened")
	}
}
