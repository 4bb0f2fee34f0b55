package store

import (
	"context"
	"maps"
	"slices"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/problem"
	"flashdex/api/submission"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"
)

// A module that only contributors know of is listed once it is confirmed. Any of these confirms it: two independent
// contributors who are no longer on probation measured it, the registers of one of its units agree with its name, or an
// operator vouches for it. Only accepted results confirm. Until then no publication, ranking or search shows it, so
// made-up modules cost only the rows of their results.
//
// Nothing confirms an ambiguous module, which stands for several. One that nothing identifies may stand for several,
// too, as of cards in readers that hide their registers: an operator alone can vouch for it, and its results wait until
// they are named.

// contributed picks the modules that only contributors know of. confirmable picks the contributed modules that may be
// listed, and unlisted the ones that are not listed.
const (
	confirmable = "known_from in ('" + catalogue.KnownFromTyped + "', '" + catalogue.KnownFromKernel + "')"
	contributed = "(" + confirmable + " or known_from = '" + catalogue.KnownFromAmbiguous + "')"
	unlisted    = contributed + " and not confirmed"
)

// Statements about one module. firstContributors selects the first arrivals of contributors of it who are no longer on
// probation, of at most twice $3; isConfirming takes all names of the module.
var (
	isMeasured        = "select exists (select 1 from unit where module_slug = $1)"
	firstContributors = fromPlace(`
		select min(u.first_at), (array_agg(u.network order by u.first_at, u.network))[1]
		from unit u join contributor c on c.secret_sha256 = u.contributor
		where u.module_slug = $1 and u.contributor %s $2 and c.confirmed_at is not null
		group by u.contributor order by u.contributor limit $3`)
	isConfirming = `
		select exists (select 1 from submission where module_slug = any($1) and state = 'accepted' and confirms)`
)

// relist updates column confirmed for the contributed modules that a condition picks. It reports whether any changed.
// The modules' units must be up to date.
func relist(ctx context.Context, tx pgx.Tx, which string, args ...any) (changed bool, err error) {
	rows, _ := tx.Query(ctx, `
		select slug, product, array(select a.from_slug from module_alias a where a.into_slug = module.slug)
		from module where `+confirmable+" and "+which, args...)
	modules, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct {
		Slug, Product string
		Aliases       []string
	}])
	if err != nil || len(modules) == 0 {
		return false, err
	}
	at, err := placeOf(ctx, tx)
	if err != nil {
		return false, err
	}
	var counts, registers pgx.Batch
	all, measured, confirmed := []string{}, []string{}, []string{} // nil would be null
	for _, m := range modules {
		slug := m.Slug
		all = append(all, slug)
		var was bool
		counts.Queue(isMeasured, slug).QueryRow(func(row pgx.Row) error {
			err := row.Scan(&was)
			if was {
				measured = append(measured, slug)
			}
			return err
		})
		counts.Queue(firstContributors, slug, label(at), sampled).Query(func(rows pgx.Rows) error {
			var arrival figure.Arrival
			var first []figure.Arrival
			to := []any{(*zeronull.Timestamptz)(&arrival.At), (*label)(&arrival.Network)}
			_, err := pgx.ForEachRow(rows, to, func() error {
				first = append(first, arrival)
				return nil
			})
			if catalogue.Unidentified(m.Product) {
				return err
			}
			if independent, _ := figure.Independent(first); independent > 1 {
				confirmed = append(confirmed, slug)
			} else if was {
				registers.Queue(isConfirming, append(m.Aliases, slug)).QueryRow(func(row pgx.Row) error {
					var is bool
					err := row.Scan(&is)
					if is {
						confirmed = append(confirmed, slug)
					}
					return err
				})
			}
			return err
		})
	}
	if err := tx.SendBatch(ctx, &counts).Close(); err != nil {
		return false, err
	}
	if err := tx.SendBatch(ctx, &registers).Close(); err != nil {
		return false, err
	}
	const now = "(slug = any($2) or vouched_by <> '' and slug = any($3))"
	tag, err := tx.Exec(ctx, "update module set confirmed = "+now+" where slug = any($1) and confirmed <> "+now,
		all, confirmed, measured)
	return tag.RowsAffected() > 0, err
}

// ConfirmModule has an operator vouch for a module. The next fold lists it, if it has an accepted result. Doing it
// again changes nothing, and neither does confirming a module of the catalogue. An unknown module is problem.NotFound,
// an ambiguous one problem.BadRequest.
func (s *Store) ConfirmModule(ctx context.Context, slug, reason string, by submission.Authority) error {
	return s.vouchModule(ctx, "confirm_module", slug, reason, by)
}

// UnconfirmModule takes an operator's word for a module back. The next fold lists it no longer, unless something else
// confirms it. Doing it again changes nothing, nor does it where no operator vouched. An unknown module is
// problem.NotFound.
func (s *Store) UnconfirmModule(ctx context.Context, slug, reason string, by submission.Authority) error {
	return s.vouchModule(ctx, "unconfirm_module", slug, reason, by)
}

func (s *Store) vouchModule(ctx context.Context, function, slug, reason string, by submission.Authority) error {
	return s.withLongTx(ctx, func(tx pgx.Tx) error {
		who, value := as(by)
		var outcome string
		vouch := "select " + function + "(" + who + ", named => $2, why => $3)"
		if err := tx.QueryRow(ctx, vouch, value, slug, reason).Scan(&outcome); err != nil {
			return err
		}
		switch outcome {
		case "no operator":
			return notOperator()
		case "unknown":
			return unknownModule(slug)
		case "ambiguous":
			return problem.New(problem.BadRequest, "What is known of the results of %s fits several modules, so it can't "+
				"be listed. Nothing was changed. Name each of its results, or merge it into the module that all are of.", slug)
		}
		return nil
	})
}

// UnlistedModules lists at most limit modules that have accepted results and wait to be confirmed, by slug, beginning
// after the slug after. A module that an operator has vouched for waits only for the next fold.
func (s *Store) UnlistedModules(ctx context.Context, after string, limit int) (
	waiting []submission.UnlistedModule, err error) {
	err = s.WithTx(ctx, readOnly, func(tx pgx.Tx) error {
		waiting = nil
		newest, err := mapOf[string, string](ctx, tx, `
			select u.module_slug, max(u.newest) from unit u join module m on m.slug = u.module_slug
			where `+unlisted+` and m.vouched_by = '' and u.module_slug > $1
			group by u.module_slug order by u.module_slug limit $2`, after, limit)
		if err != nil {
			return err
		}
		rows, _ := tx.Query(ctx, selectModules+" where slug = any($1) order by slug", slices.Collect(maps.Keys(newest)))
		found, err := pgx.CollectRows(rows, shownModule.scan)
		for _, m := range found {
			waiting = append(waiting, submission.UnlistedModule{Module: m, Newest: newest[m.Slug]})
		}
		return err
	})
	return waiting, err
}

// VouchedModules lists at most limit modules for which an operator vouches, by slug.
func (s *Store) VouchedModules(ctx context.Context, limit int) (vouched []submission.VouchedModule, err error) {
	rows, _ := s.pool.Query(ctx, `
		select slug, vouched_by, vouched_reason from module
		where vouched_by like 'operator %' order by slug limit $1`, limit)
	vouched, err = pgx.CollectRows(rows, pgx.RowToStructByPos[submission.VouchedModule])
	return vouched, wrap(err)
}

// AmbiguousResults lists at most limit accepted results that wait until somebody names their module, the last received
// first.
func (s *Store) AmbiguousResults(ctx context.Context, limit int) ([]submission.Submission, error) {
	rows, _ := s.pool.Query(ctx, selectSubmissions+` where state = 'accepted' and module_slug in (
			select m.slug from module m where m.known_from = $2
				and not exists (select 1 from module_alias a where a.from_slug = m.slug))
		order by received_at desc, id desc limit $1`, limit, catalogue.KnownFromAmbiguous)
	list, err := pgx.CollectRows(rows, storedColumns.scan)
	return list, wrap(err)
}

// Known returns what the server knows already of the contributor with a secret and of the module slug.
func (s *Store) Known(ctx context.Context, secret [secretBytes]byte, slug string) (known submission.Known, err error) {
	var id contributorID
	err = s.pool.QueryRow(ctx, knownTo, secret[:], slug).Scan(&id, &known.Contributor, &known.Listed)
	if err == nil && !known.Listed {
		err = s.pool.QueryRow(ctx, `
			select exists (select 1 from submission where module_slug = $1 and contributor = $2)`, slug, id).Scan(&known.Named)
	}
	return known, wrap(err)
}

const knownTo = `
	select sender.id, exists (select 1 from contributor c where c.secret_sha256 = sender.id),
		exists (select 1 from module_name n join module m on m.slug = n.module_slug
			where n.slug = $2 and m.orphaned_at is null and not (` + unlisted + `))
	from contributor_of($1) as sender`

// shownModule are the columns of a module as it is read.
var shownModule columns[catalogue.Module] = func(m *catalogue.Module) []column {
	return append(moduleColumns(m), column{unlisted, &m.Unlisted})
}
