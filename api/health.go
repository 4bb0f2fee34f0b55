package main

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// healthCmd asks from within a container, where there is neither a shell nor curl.
type healthCmd struct {
	URL string `arg:"" default:"http://localhost:8080/readyz" help:"What to ask: anything but the status 200 is a failure."`
}

// healthTimeout is short of what supervisors wait for an answer.
const healthTimeout = 5 * time.Second

func (c healthCmd) Run(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.URL, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", c.URL, answer.Status)
	}
	return nil
}
