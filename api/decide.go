package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"flashdex/api/store"
	"flashdex/api/submission"
	"flashdex/result"
)

// decideAll are the flags of a decision about many results.
type decideAll struct {
	act
	Rule          string    `env:"-" help:"Those that this rule holds back."`
	Since         time.Time `env:"-" placeholder:"TIME" help:"Those received from then on, such as 2026-11-23T10:00:00Z."`
	Until         time.Time `env:"-" placeholder:"TIME" help:"Those received before then."`
	ContributorOf string    `env:"-" placeholder:"ID" help:"Those of the contributor of this result."`
	NetworkOf     string    `env:"-" placeholder:"ID" help:"Those from the network of this result, on its day."`
	NetworkSize   string    `default:"household" enum:"household,organization,provider" env:"-" help:"The network's size."`
	DryRun        bool      `env:"-" help:"Only list them."`
}

type (
	moderateAcceptAllCmd struct{ decideAll }
	moderateRejectAllCmd struct{ decideAll }
)

func (c moderateAcceptAllCmd) Run(ctx context.Context) error {
	return c.decide(ctx, submission.Accepted, "count; the next publication shows them")
}

func (c moderateRejectAllCmd) Run(ctx context.Context) error {
	return c.decide(ctx, submission.Rejected, "are rejected; the next publication leaves them out")
}

func (c decideAll) decide(ctx context.Context, state, outcome string) error {
	for _, id := range []string{c.ContributorOf, c.NetworkOf} {
		if err := resultID(id).Validate(); id != "" && err != nil {
			return err
		}
	}
	return c.with(ctx, func(s *store.Store) error {
		which := submission.Selection{
			Rule: c.Rule, Since: c.Since, Until: c.Until, ContributorOf: c.ContributorOf,
			NetworkOf: c.NetworkOf, NetworkSize: c.NetworkSize,
		}
		verdict := submission.Decision{State: state, Reason: c.Reason, ID: result.NewID()}
		results := 0
		table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		err := s.DecideAll(ctx, which, verdict, c.by(), c.DryRun, func(sub submission.Submission) error {
			results++
			printLine(table, sub)
			return nil
		})
		err = errors.Join(err, table.Flush())
		if c.DryRun {
			fmt.Println(results, "results would be", state+"; nothing was changed")
			return err
		}
		fmt.Println(results, "results", outcome)
		if results > 0 {
			fmt.Println("to undo: api moderate undo", verdict.ID)
		}
		return err
	})
}

type moderateDecisionsCmd struct {
	database
	After string `env:"-" help:"Begin after this id: the last one of the list before."`
	Limit int    `default:"100" env:"-" help:"Longest list."`
}

func (c moderateDecisionsCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(s *store.Store) error {
		decisions, err := s.Decisions(ctx, c.After, c.Limit)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		for _, d := range decisions {
			undone := ""
			if d.UndoneAt != nil {
				undone = "undone " + d.UndoneAt.Format(time.DateOnly)
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%d %s\t%s\t%s\n",
				d.ID, d.At.Format(time.RFC3339), d.Actor, d.Results, d.State, d.Reason, undone)
		}
		return table.Flush()
	})
}

type moderateUndoCmd struct {
	act
	ID resultID `arg:"" help:"Id of the decision."`
}

func (c moderateUndoCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(s *store.Store) error {
		undone, left, err := s.Undo(ctx, string(c.ID), c.Reason, c.by())
		if err == nil || undone > 0 {
			fmt.Printf("%d results are as they were before; %d stay as they are, because somebody decided on them since "+
				"or deleted them\n", undone, left)
		}
		return err
	})
}
