package main

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"flashdex/api/store"
)

type moderateObjectionsCmd struct {
	database
	After string `env:"-" help:"Begin after this id: the last one of the list before."`
	Limit int    `default:"100" env:"-" help:"Longest list."`
}

// Run prints the open objections. It quotes what somebody typed, because a terminal obeys control characters.
func (c moderateObjectionsCmd) Run(ctx context.Context) error {
	if c.After != "" {
		if err := resultID(c.After).Validate(); err != nil {
			return err
		}
	}
	return c.with(ctx, func(s *store.Store) error {
		objections, err := s.Objections(ctx, c.After, c.Limit)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		for _, o := range objections {
			about := "result " + o.Result
			if o.Result == "" {
				about = "module " + o.Module
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%+q", o.ID, o.On.Format(time.DateOnly), about, o.Kind, o.Words)
			if o.ShouldBe != "" {
				fmt.Fprintf(table, "\tshould be %+q", o.ShouldBe)
			}
			fmt.Fprintln(table)
		}
		return table.Flush()
	})
}

type moderateCloseCmd struct {
	act
	ID resultID `arg:"" help:"Id of the objection."`
}

func (c moderateCloseCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(s *store.Store) error { return s.CloseObjection(ctx, string(c.ID), c.Reason, c.by()) })
}
