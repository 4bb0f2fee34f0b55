package store

import (
	"context"
	"errors"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/problem"

	"github.com/jackc/pgx/v5"
)

// MergeModules makes from another name of into, for all past and future results and published figures. No row moves:
// the view module_name says which module a slug means, and everything reads modules through it. Merging the same two
// again changes nothing. An unknown module is problem.NotFound. A module that was already merged into another one, or
// that is merged with itself, is problem.ModuleMerged.
func (s *Store) MergeModules(ctx context.Context, from, into, operator, reason string) error {
	if catalogue.IsStack(from) != catalogue.IsStack(into) {
		return problem.New(problem.ModuleMerged, "A stack of modules can't be merged with a module. Nothing was changed.")
	}
	if from == into {
		return problem.New(problem.ModuleMerged, "The module %s can't be merged with itself. Nothing was changed.", from)
	}
	_, err := s.change(ctx, func(tx pgx.Tx) (changed bool, err error) { // two merges at once could make a chain
		meansFrom, err := meaning(ctx, tx, from)
		if err != nil {
			return false, err
		}
		meansInto, err := meaning(ctx, tx, into)
		switch {
		case err != nil:
			return false, err
		case meansInto != into:
			return false, problem.New(problem.ModuleMerged,
				"The module %s was merged into %s. Nothing was changed; merge into that one.", into, meansInto)
		case meansFrom == into:
			return false, nil
		case meansFrom != from:
			return false, problem.New(problem.ModuleMerged,
				"The module %s was already merged into %s. Nothing was changed.", from, meansFrom)
		}
		return true, merge(ctx, tx, from, into, "operator "+operator, reason)
	})
	return err
}

// merge makes from another name of into. Neither of them is another name already.
func merge(ctx context.Context, tx pgx.Tx, from, into, actor, reason string) error {
	rows, _ := tx.Query(ctx, "select distinct contributor from unit where module_slug = $1", from)
	contributors, err := pgx.CollectRows(rows, pgx.RowTo[contributorID])
	if err != nil {
		return err
	}
	moved := changes{modules: []string{from, into}}
	for _, c := range contributors {
		moved.shares = append(moved.shares, share{from, c}, share{into, c})
	}
	var batch pgx.Batch
	// Other names of from become names of into, so that there are no chains.
	batch.Queue("update module_alias set into_slug = $2 where into_slug = $1", from, into)
	batch.Queue("insert into module_alias (from_slug, into_slug, at, actor, reason) values ($1, $2, $3, $4, $5)",
		from, into, time.Now().UTC(), actor, reason)
	if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
		return err
	}
	return recompute(ctx, tx, moved)
}

// mergeFormer merges the former names that the catalogue lists into their modules, and reports whether one was new. It
// changes nothing that an operator merged, who looked at it.
func mergeFormer(ctx context.Context, tx pgx.Tx, modules []catalogue.Module) (merged bool, err error) {
	for _, m := range modules {
		for _, former := range m.Formerly {
			var known bool
			const isMerged = "select exists (select 1 from module_alias where from_slug in ($1, $2))"
			if err := tx.QueryRow(ctx, isMerged, former, m.Slug).Scan(&known); err != nil {
				return false, err
			} else if known {
				continue
			}
			if err := merge(ctx, tx, former, m.Slug, "catalogue", "The catalogue lists it under this name."); err != nil {
				return false, err
			}
			merged = true
		}
	}
	return merged, nil
}

// meaning returns the slug of the module that a slug means: its own, or the one it was merged into.
func meaning(ctx context.Context, tx pgx.Tx, slug string) (means string, err error) {
	err = tx.QueryRow(ctx, "select module_slug from module_name where slug = $1", slug).Scan(&means)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", problem.New(problem.NotFound, "There is no module %s.", slug)
	}
	return means, err
}
