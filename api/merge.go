package main

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"flashdex/api/store"
	"flashdex/api/submission"
)

type moderateMergeCmd struct {
	act
	From   string `arg:"" help:"Slug of the module that becomes another name."`
	Into   string `arg:"" help:"Slug of the module that stays."`
	DryRun bool   `env:"-" help:"Only list how many results of which modules it moves."`
}

func (c moderateMergeCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(s *store.Store) error {
		if !c.DryRun {
			return s.MergeModules(ctx, c.From, c.Into, c.Reason, c.by())
		}
		moved, err := s.TryMerge(ctx, c.From, c.Into, c.by())
		if err != nil {
			return err
		}
		for _, m := range moved {
			fmt.Printf("%d results of %s\n", m.Results, m.Module)
		}
		fmt.Printf("%d results would be of %s; nothing was changed\n", submission.MovedResults(moved), c.Into)
		return nil
	})
}

type moderateMergesCmd struct {
	database
	Limit int `default:"100" env:"-" help:"Longest list."`
}

func (c moderateMergesCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(s *store.Store) error {
		merges, err := s.Merges(ctx, c.Limit)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		for _, m := range merges {
			undone := ""
			if m.UndoneAt != nil {
				undone = fmt.Sprintf("undone %s by %s: %s", m.UndoneAt.Format(time.DateOnly), m.UndoneBy, m.UndoReason)
			}
			fmt.Fprintf(table, "%s\t%s\t%s into %s\t%s\t%s\n",
				m.At.Format(time.RFC3339), m.Actor, m.From, m.Into, m.Reason, undone)
		}
		return table.Flush()
	})
}

type moderateUnmergeCmd struct {
	act
	Module string `arg:"" help:"Slug of the module that became another name."`
}

func (c moderateUnmergeCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(s *store.Store) error { return s.UndoMerge(ctx, c.Module, c.Reason, c.by()) })
}
