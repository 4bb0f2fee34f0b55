package submission

import (
	"context"

	"flashdex/api/figure"
)

// Results are the accepted submissions of a snapshot, to be read some at a time.
type Results interface {
	// Variants gives the summaries of the variants of these modules, with the figures that a snapshot's are without.
	Variants(ctx context.Context, slugs []string) ([]figure.Summary, error)
	// Newest gives for each of these modules at most limit of its results, newest first.
	Newest(ctx context.Context, slugs []string, limit int, do func(slug string, newest []Submission) error) error
	// ChartData gives for each of these modules that has results that count what its charts are drawn from.
	ChartData(ctx context.Context, slugs []string, do func(slug string, drawn []figure.ChartData) error) error
	// Profiled gives for each of these modules that has any its runs by ProfiledMethods: by each method the newest of each unit, then the ones
	// before, at most MaxProfiledRuns.
	Profiled(ctx context.Context, slugs []string, do func(slug string, runs []figure.ProfiledRun) error) error
}
