package store

import (
	"context"
	"errors"

	"flashdex/api/catalogue"
	"flashdex/api/problem"
	"flashdex/api/submission"

	"github.com/jackc/pgx/v5"
)

// MergeModules makes from another name of into, for all past and future results and published figures. No result moves:
// the view module_name says which module a slug means, and all statements read modules through it. The next fold counts
// the results of both together. Merging the same two again changes nothing. An unknown module is problem.NotFound. A
// module that was already merged into another one, or that is merged with itself, is problem.ModuleMerged.
func (s *Store) MergeModules(ctx context.Context, from, into, reason string, by submission.Authority) error {
	return s.withLongTx(ctx, func(tx pgx.Tx) error {
		_, err := merge(ctx, tx, from, into, reason, by)
		return err
	})
}

// errTried rolls back a merge that was only tried.
var errTried = errors.New("store: it was only tried")

// TryMerge returns what MergeModules would move: the number of results by the slug that they were uploaded under. It
// changes nothing, and fails when MergeModules would. A module that is merged already moves nothing.
func (s *Store) TryMerge(ctx context.Context, from, into string, by submission.Authority) (
	moved []submission.Moved, err error) {
	err = s.withLongTx(ctx, func(tx pgx.Tx) error {
		rows, _ := tx.Query(ctx, `
			select s.module_slug, count(*) from submission s where s.state <> 'deleted' and s.module_slug = any(
				array(select a.from_slug from module_alias a where a.into_slug = $1) || $1::text)
			group by s.module_slug order by count(*) desc, s.module_slug`, from)
		if moved, err = pgx.CollectRows(rows, pgx.RowToStructByPos[submission.Moved]); err != nil {
			return err
		}
		merges, err := merge(ctx, tx, from, into, "", by)
		if !merges {
			moved = nil
		}
		if err == nil {
			err = errTried
		}
		return err
	})
	if errors.Is(err, errTried) {
		err = nil
	}
	return moved, err
}

// merge merges two modules, and reports whether they weren't before.
func merge(ctx context.Context, tx pgx.Tx, from, into, reason string, by submission.Authority) (
	merges bool, err error) {
	if catalogue.IsStack(from) != catalogue.IsStack(into) {
		return false, problem.New(problem.ModuleMerged,
			"A stack of modules can't be merged with a module. Nothing was changed.")
	}
	if from == into {
		return false, problem.New(problem.ModuleMerged,
			"The module %s can't be merged with itself. Nothing was changed.", from)
	}
	const isAmbiguous = "select exists (select 1 from module where slug = $1 and known_from = $2)"
	var ambiguous bool
	if err := tx.QueryRow(ctx, isAmbiguous, into, catalogue.KnownFromAmbiguous).Scan(&ambiguous); err != nil {
		return false, err
	} else if ambiguous {
		return false, problem.New(problem.ModuleMerged, "What is known of %s fits several modules, so no other can be "+
			"merged into it. Nothing was changed.", into)
	}
	who, value := as(by)
	call := "select outcome, coalesce(means, '') from merge_modules(" + who + ", gone => $2, kept => $3, why => $4)"
	var outcome, means string
	if err := tx.QueryRow(ctx, call, value, from, into, reason).Scan(&outcome, &means); err != nil {
		return false, err
	}
	switch outcome {
	case "no operator":
		return false, notOperator()
	case "unknown gone":
		return false, unknownModule(from)
	case "unknown kept":
		return false, unknownModule(into)
	case "merged kept":
		return false, problem.New(problem.ModuleMerged,
			"The module %s was merged into %s. Nothing was changed; merge into that one.", into, means)
	case "merged gone":
		return false, problem.New(problem.ModuleMerged, "The module %s was already merged into %s. Nothing was changed. "+
			"If that was wrong, undo that merge first.", from, means)
	}
	return outcome == "decided", nil
}

// UndoMerge separates a module again that an operator merged into another one, with all its results and former names.
// The next fold counts them. Doing it again changes nothing. A module that nobody merged is problem.NotFound. A merge
// that the catalogue made, or that another merge has built on since, is problem.ModuleMerged. A module that was deleted
// with its last result is problem.Deleted.
func (s *Store) UndoMerge(ctx context.Context, slug, reason string, by submission.Authority) error {
	return s.withLongTx(ctx, func(tx pgx.Tx) error {
		who, value := as(by)
		var outcome, into string
		undo := "select outcome, coalesce(means, '') from undo_merge(" + who + ", named => $2, why => $3)"
		if err := tx.QueryRow(ctx, undo, value, slug, reason).Scan(&outcome, &into); err != nil {
			return err
		}
		switch outcome {
		case "no operator":
			return notOperator()
		case "not merged":
			return problem.New(problem.NotFound,
				"No operator merged the module %s into another one, so there is nothing to undo.", slug)
		case "catalogue":
			return problem.New(problem.ModuleMerged, "The catalogue lists %s as a former name of another module. Nothing was "+
				"changed. Take the name out of the file of data/ that says so.", slug)
		case "merged on":
			return problem.New(problem.ModuleMerged, "The module %[1]s was merged into %[2]s, and %[2]s into another one "+
				"since. Nothing was changed. Undo the merge of %[2]s first, then this one; %[2]s can be merged again "+
				"afterwards.", slug, into)
		case "removed":
			return problem.New(problem.Deleted, "The last result of the module %s was deleted, and the module with it. "+
				"Nothing was changed: there is nothing to give back.", slug)
		}
		return nil
	})
}

// Merges lists at most limit merges by operators, the last first.
func (s *Store) Merges(ctx context.Context, limit int) ([]submission.Merge, error) {
	rows, _ := s.pool.Query(ctx, `
		select at, actor, reason, gone, kept, undone_at, undone_by, undo_reason from module_merge
		order by at desc, id desc limit $1`, limit)
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[submission.Merge])
	return list, wrap(err)
}

func unknownModule(slug string) error {
	return problem.New(problem.NotFound, "There is no module %s.", slug)
}

// mergeFormer merges the former names that the catalogue lists into their modules, and reports whether any name was
// new. It leaves names that an operator merged, because the operator looked at them.
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
