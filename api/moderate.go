package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"regexp"
	"text/tabwriter"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/store"
	"flashdex/api/submission"
)

type moderateCmd struct {
	List      moderateListCmd      `cmd:"" help:"List the modules whose contributors disagree, and the results held back."`
	Show      moderateShowCmd      `cmd:"" help:"Show a result with its figures and its history."`
	Accept    moderateAcceptCmd    `cmd:"" help:"Let a result count."`
	Reject    moderateRejectCmd    `cmd:"" help:"Keep a result from counting."`
	Erase     moderateEraseCmd     `cmd:"" help:"Delete a result for good, on behalf of somebody with a right to it."`
	RejectAll moderateRejectAllCmd `cmd:"" help:"Reject all results of a rule, a time, a contributor or a network."`
	AcceptAll moderateAcceptAllCmd `cmd:"" help:"Accept all results of a rule, a time, a contributor or a network."`
	Decisions moderateDecisionsCmd `cmd:"" help:"List the last decisions, each with the id by which it can be undone."`
	Undo      moderateUndoCmd      `cmd:"" help:"Give the results of a decision back the states that they had before."`
	Name      moderateNameCmd      `cmd:"" help:"Say which module a result is of."`
	Modules   moderateModulesCmd   `cmd:"" help:"List the modules that wait until somebody confirms them."`
	Confirm   moderateConfirmCmd   `cmd:"" help:"Have the site list a module that one contributor alone names."`
	Merge     moderateMergeCmd     `cmd:"" help:"Make a module another name of a second one, for past and future results."`
	Merges    moderateMergesCmd    `cmd:"" help:"List the last merges."`
	Unmerge   moderateUnmergeCmd   `cmd:"" help:"Make a module that was merged one of its own again, with its results."`

	Objections moderateObjectionsCmd `cmd:"" help:"List what people say is wrong, the oldest first."`
	Close      moderateCloseCmd      `cmd:"" help:"Close an objection, after you did what it needs."`

	ConfirmContributor   moderateContributorCmd   `cmd:"" help:"Let the results of whoever uploaded a result count."`
	Unconfirm            moderateUnconfirmCmd     `cmd:"" help:"Take back that an operator had a module listed."`
	UnconfirmContributor moderateUncontributorCmd `cmd:"" help:"Take back that an operator let somebody's results count."`
}

// act holds the flags of every decision.
type act struct {
	database
	As     string `required:"" env:"-" help:"Who decides: a-z, 0-9, dot, hyphen, underscore."`
	Reason string `required:"" env:"-" help:"Why, in words that everybody may read."`
}

// by returns who decides.
func (a act) by() submission.Authority { return submission.Authority{Name: a.As} }

// with checks the flags and opens the database.
func (a act) with(ctx context.Context, do func(*store.Store) error) error {
	if !store.ValidOperator(a.As) {
		return fmt.Errorf("--as has 1 to 64 characters of a-z, 0-9, dot, hyphen and underscore, unlike %q", a.As)
	}
	if err := submission.CheckReason(a.Reason); err != nil {
		return err
	}
	return a.database.with(ctx, do)
}

var reID = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

type resultID string

func (id resultID) Validate() error {
	if !reID.MatchString(string(id)) {
		return fmt.Errorf("%q is not the id of a result, which looks like 0198f2c4-7a3b-7c11-9d5e-3f2a1b0c9d8e", string(id))
	}
	return nil
}

type moderateListCmd struct {
	database
	State string `default:"quarantined" enum:"quarantined,rejected" env:"-" help:"quarantined or rejected."`
	After string `env:"-" help:"Begin after this id: the last one of the list before."`
	Limit int    `default:"100" env:"-" help:"Longest list."`
}

func (c moderateListCmd) Run(ctx context.Context) error {
	if c.After != "" {
		if err := resultID(c.After).Validate(); err != nil {
			return err
		}
	}
	return c.with(ctx, func(s *store.Store) error {
		subs, err := s.Queue(ctx, c.State, c.After, c.Limit)
		if err != nil {
			return err
		}
		if c.After == "" && c.State == submission.Quarantined {
			divided, err := s.DividedModules(ctx, "", c.Limit)
			if err != nil {
				return err
			}
			for _, m := range divided {
				for _, groups := range m.Groups {
					fmt.Printf("%s, %s: %s\n", m.Slug, m.Method, groups)
				}
			}
		}
		table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		for _, sub := range subs {
			printLine(table, sub)
		}
		return table.Flush()
	})
}

func printLine(table io.Writer, sub submission.Submission) {
	fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n",
		sub.ID, sub.ReceivedAt.Format(time.DateOnly), sub.ModuleSlug, sub.StateRule, sub.StateReason)
}

type moderateShowCmd struct {
	database
	ID       resultID `arg:"" help:"Id of the result."`
	Document bool     `env:"-" help:"Print the uploaded document too."`
}

func (c moderateShowCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(s *store.Store) error { return show(ctx, s, string(c.ID), c.Document) })
}

// show prints a result. It quotes every text that its contributor chose, because a terminal obeys control characters.
func show(ctx context.Context, s *store.Store, id string, whole bool) error {
	sub, module, document, err := s.Submission(ctx, id)
	if err != nil {
		return err
	}
	fmt.Printf("%s  %s\n", sub.ID, sub.State)
	fmt.Printf("module    %s  %q\n", sub.ModuleSlug, module.Name())
	fmt.Printf("method    %s, profile %s\n", sub.Method, sub.Profile)
	fmt.Printf("host      %q, bus %q, client %q\n", sub.Host, sub.BusMode, sub.Client)
	fmt.Printf("received  %s\n", sub.ReceivedAt.Format(time.DateOnly))
	figures := figure.OfRun(sub.Tests)
	for _, key := range figure.FigureKeys {
		if f, measured := figures.Find(key); measured {
			fmt.Printf("  %-20s %.4g\n", key, f.Value)
		}
	}
	for _, reason := range sub.NotRanked {
		fmt.Println("  not ranked:", reason)
	}
	for _, e := range sub.History {
		fmt.Printf("%s  %s by %s: %s\n", e.At.Format(time.RFC3339), e.To, e.Actor, e.Reason)
	}
	if whole {
		fmt.Printf("%+q\n", document)
	}
	return nil
}

// decision is a decision about one result.
type decision struct {
	act
	ID resultID `arg:"" help:"Id of the result."`
}

type (
	moderateAcceptCmd struct{ decision }
	moderateRejectCmd struct{ decision }
	moderateEraseCmd  struct{ decision }
)

func (c moderateAcceptCmd) Run(ctx context.Context) error { return c.decide(ctx, submission.Accepted) }
func (c moderateRejectCmd) Run(ctx context.Context) error { return c.decide(ctx, submission.Rejected) }

func (c decision) decide(ctx context.Context, state string) error {
	return c.with(ctx, func(s *store.Store) error {
		id, decision := string(c.ID), submission.Decision{State: state, Reason: c.Reason}
		if err := s.Moderate(ctx, id, decision, c.by()); err != nil {
			return err
		}
		return show(ctx, s, id, false)
	})
}

func (c moderateEraseCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(s *store.Store) error {
		if err := s.Erase(ctx, string(c.ID), c.As, c.Reason); err != nil {
			return err
		}
		fmt.Println(c.ID, "is erased; the next publication removes it from the site and the data set")
		return nil
	})
}

type moderateNameCmd struct {
	decision
	Module string `arg:"" help:"Slug of a listed module."`
}

func (c moderateNameCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(s *store.Store) error {
		if err := s.NameResult(ctx, string(c.ID), c.Module, c.Reason, c.by()); err != nil {
			return err
		}
		return show(ctx, s, string(c.ID), false)
	})
}

type moderateModulesCmd struct {
	database
	After string `env:"-" help:"Begin after this module: the last one of the list before."`
	Limit int    `default:"100" env:"-" help:"Longest list."`
}

func (c moderateModulesCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(s *store.Store) error {
		waiting, err := s.UnlistedModules(ctx, c.After, c.Limit)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		for _, m := range waiting {
			fmt.Fprintf(table, "%s\t%s\t%q", m.Slug, m.Newest, m.Name())
			if m.KnownFrom == catalogue.KnownFromAmbiguous { // nobody can confirm it
				fmt.Fprint(table, "\tambiguous")
			}
			fmt.Fprintln(table)
		}
		return table.Flush()
	})
}

// onModule is a decision about one module.
type onModule struct {
	act
	Module string `arg:"" help:"Slug of the module."`
}

type (
	moderateConfirmCmd       struct{ onModule }
	moderateUnconfirmCmd     struct{ onModule }
	moderateContributorCmd   struct{ decision }
	moderateUncontributorCmd struct{ decision }
)

func (c moderateConfirmCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(s *store.Store) error { return s.ConfirmModule(ctx, c.Module, c.Reason, c.by()) })
}

func (c moderateUnconfirmCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(s *store.Store) error { return s.UnconfirmModule(ctx, c.Module, c.Reason, c.by()) })
}

func (c moderateContributorCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(s *store.Store) error {
		return s.ConfirmContributor(ctx, string(c.ID), c.Reason, c.by())
	})
}

func (c moderateUncontributorCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(s *store.Store) error {
		return s.UnconfirmContributor(ctx, string(c.ID), c.Reason, c.by())
	})
}

type operatorCmd struct {
	Add    operatorAddCmd    `cmd:"" help:"Allow somebody to moderate. Prints their token, this once only."`
	List   operatorListCmd   `cmd:"" help:"List present and former operators."`
	Revoke operatorRevokeCmd `cmd:"" help:"Revoke all tokens of a name."`
}

type operatorAddCmd struct {
	database
	Name string `arg:"" help:"Name for the log of decisions: a-z, 0-9, dot, hyphen, underscore."`
}

func (c operatorAddCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(s *store.Store) error {
		var token [32]byte
		_, _ = rand.Read(token[:]) // never fails
		if err := s.AddOperator(ctx, c.Name, token); err != nil {
			return err
		}
		fmt.Println(hex.EncodeToString(token[:]))
		return nil
	})
}

type operatorListCmd struct{ database }

func (c operatorListCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(s *store.Store) error {
		operators, err := s.Operators(ctx)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		for _, o := range operators {
			revoked := ""
			if o.RevokedAt != nil {
				revoked = "revoked " + o.RevokedAt.UTC().Format(time.DateOnly)
			}
			fmt.Fprintf(table, "%s\tsince %s\t%s\n", o.Name, o.Since.UTC().Format(time.DateOnly), revoked)
		}
		return table.Flush()
	})
}

type operatorRevokeCmd struct {
	database
	Name string `arg:"" help:"Name of the operator."`
}

func (c operatorRevokeCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(s *store.Store) error {
		revoked, err := s.RevokeOperator(ctx, c.Name)
		if err == nil && revoked == 0 {
			return fmt.Errorf("%q has no token in force, so nothing was changed", c.Name)
		}
		return err
	})
}
