package store

import (
	"context"

	"flashdex/api/catalogue"
	"flashdex/api/problem"
	"flashdex/api/submission"

	"github.com/jackc/pgx/v5"
)

// A result changes its module when its contributor chooses one, or when an operator names it. The next fold makes the
// figures of both modules anew.

// callChoose has a contributor choose the module of a result.
var callChoose = prepare("select choose_module(secret => @secret, result => @result, why => @why, " +
	join("%[1]s => @%[1]s", moduleColumns(new(catalogue.Module))) + ")")

// ChooseModule has the contributor of a result choose its module. The caller must have checked that the evidence allows
// this module. Choosing it again changes nothing. An unknown id is problem.NotFound, another contributor's result
// problem.NotYours, a deleted one problem.Deleted. What an operator has decided is problem.Decided.
func (s *Store) ChooseModule(ctx context.Context, secret [secretBytes]byte, id string, module catalogue.Module) error {
	ctx, cancel := changing(ctx)
	defer cancel()
	key, why := secret[:], "named by its contributor: "+module.Name()
	args := callChoose.with(append(moduleColumns(&module), column{"secret", &key}, column{"result", &id},
		column{"why", &why})...)
	return s.WithTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		var outcome string
		if err := tx.QueryRow(ctx, callChoose.sql, args...).Scan(&outcome); err != nil {
			return err
		}
		switch outcome {
		case "retired":
			return secretRetired()
		case "not yours":
			return problem.New(problem.NotYours, "The result %s was uploaded with another secret, "+
				"and only that one can name its module. Nothing was changed.", id)
		case "decided":
			return problem.New(problem.Decided, "An operator of this site has named the module of %s. Nothing was changed. "+
				"If the name is wrong, write to the operators.", id)
		}
		return notNamed(outcome, id)
	})
}

// NameResult has an operator name the module of a result, by any slug of a listed module. Doing it again changes
// nothing. An unknown id or module is problem.NotFound, a deleted result problem.Deleted. A module that isn't listed,
// or a stack in place of a module, is problem.BadRequest.
func (s *Store) NameResult(ctx context.Context, id, slug, reason string, by submission.Authority) error {
	ctx, cancel := changing(ctx)
	defer cancel()
	return s.WithTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		who, value := as(by)
		name := "select name_result(" + who + ", result => $2, named => $3, why => $4)"
		var outcome string
		if err := tx.QueryRow(ctx, name, value, id, slug, reason).Scan(&outcome); err != nil {
			return err
		}
		switch outcome {
		case "no operator":
			return notOperator()
		case "unknown module":
			return unknownModule(slug)
		case "unlisted":
			return problem.New(problem.BadRequest, "The module %s isn't listed, so no result can be named after it. Nothing "+
				"was changed. Name a listed module, or confirm this one first.", slug)
		case "stack":
			return problem.New(problem.BadRequest,
				"A stack of modules can't be named after a module, nor a module after a stack. Nothing was changed.")
		}
		return notNamed(outcome, id)
	})
}

// notNamed returns why the module of a result was not named; nil: it was named, now or before.
func notNamed(outcome, id string) error {
	switch outcome {
	case "unknown":
		return unknownResult(id, "name")
	case "deleted":
		return problem.New(problem.Deleted, "The result %s was deleted. There is nothing left to name.", id)
	}
	return nil
}
