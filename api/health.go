package main

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// healthCmd asks from within a container that has neither a shell nor curl.
type healthCmd struct {
	URL string `arg:"" default:"http://localhost:8080/readyz" help:"Address that must answer with status 200."`
}

// healthTimeout is shorter than supervisors wait for an answer.
const healthTimeout = 5 * time.Second

func (c healthCmd) Run(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.URL, nil)
	if err != nil {
		return err
	}
	client := http.Client{Timeout: healthTimeout}
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", c.URL, answer.Status)
	}
	return nil
}
