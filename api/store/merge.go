package store

import (
	"context"

	"flashdex/api/catalogue"
	"flashdex/api/problem"
	"flashdex/api/submission"

	"github.com/jackc/pgx/v5"
)

// MergeModules makes from another name of into, for all past and future results and published figures. No result moves:
// the view module_name says which module a slug means, and everything reads modules through it. The next fold counts
// the results of both together. Merging the same two again changes nothing. An unknown module is problem.NotFound. A
// module that was already merged into another one, or that is merged with itself, is problem.ModuleMerged.
func (s *Store) MergeModules(ctx context.Context, from, into, reason string, by submission.Authority) error {
	if catalogue.IsStack(from) != catalogue.IsStack(into) {
		return problem.New(problem.ModuleMerged, "A stack of modules can't be merged with a module. Nothing was changed.")
	}
	if from == into {
		return problem.New(problem.ModuleMerged, "The module %s can't be merged with itself. Nothing was changed.", from)
	}
	return s.withLongTx(ctx, func(tx pgx.Tx) error {
		const isAmbiguous = "select exists (select 1 from module where slug = $1 and known_from = $2)"
		var ambiguous bool
		if err := tx.QueryRow(ctx, isAmbiguous, into, catalogue.KnownFromAmbiguous).Scan(&ambiguous); err != nil {
			return err
		} else if ambiguous {
			return problem.New(problem.ModuleMerged, "What is known of %s fits several modules, so no other can be merged into "+
				"it. Nothing was changed.", into)
		}
		who, value := as(by)
		merge := "select outcome, coalesce(means, '') from merge_modules(" + who + ", gone => $2, kept => $3, why => $4)"
		var outcome, means string
		if err := tx.QueryRow(ctx, merge, value, from, into, reason).Scan(&outcome, &means); err != nil {
			return err
		}
		switch outcome {
		case "no operator":
			return notOperator()
		case "unknown gone":
			return unknownModule(from)
		case "unknown kept":
			return unknownModule(into)
		case "merged kept":
			return problem.New(problem.ModuleMerged,
				"The module %s was merged into %s. Nothing was changed; merge into that one.", into, means)
		case "merged gone":
			return problem.New(problem.ModuleMerged,
				"The module %s was already merged into %s. Nothing was changed.", from, means)
		}
		return nil
	})
}

func unknownModule(slug string) error {
	return problem.New(problem.NotFound, "There is no module %s.", slug)
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
			const merge = "select merge_into('catalogue', $1, $2, 'The catalogue lists it under this name.')"
			if _, err := tx.Exec(ctx, merge, former, m.Slug); err != nil {
				return false, err
			}
			merged = true
		}
	}
	return merged, nil
}
