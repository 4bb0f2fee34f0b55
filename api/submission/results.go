package submission

import (
	"context"

	"flashdex/api/figure"
)

// Results reads the accepted submissions of a snapshot in parts.
type Results interface {
	// Variants returns the summaries of these modules' variants, with the figures that a snapshot leaves out.
	Variants(ctx context.Context, slugs []string) ([]figure.Summary, error)
	// Newest calls do for each of these modules with at most limit of its results, newest first.
	Newest(ctx context.Context, slugs []string, limit int, do func(slug string, newest []Submission) error) error
	// ChartData calls do for each of these modules that has counting results, with the data of its charts.
	ChartData(ctx context.Context, slugs []string, do func(slug string, drawn []figure.ChartData) error) error
	// Profiled calls do for each of these modules that has runs of figure.ProfiledMethods. It passes at most
	// figure.MaxProfiledRuns for each method: the newest run of each unit first, then older ones.
	Profiled(ctx context.Context, slugs []string, do func(slug string, runs []figure.ProfiledRun) error) error
}
