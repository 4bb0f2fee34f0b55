package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"flashdex/api/problem"
	"flashdex/api/submission"

	"github.com/jackc/pgx/v5"
)

// networkDays is for how many days the server remembers which networks a result came from.
const networkDays = 3

// forgetNetworks deletes the networks that AddSubmission stored more than networkDays ago.
func (s *Store) forgetNetworks(ctx context.Context) error {
	_, err := s.pool.Exec(ctx, "delete from submission_network where at < $1", networksSince())
	return wrap(err)
}

func networksSince() time.Time { return time.Now().UTC().AddDate(0, 0, -networkDays) }

// picked returns the condition for the results that a selection picks for a verdict, and its arguments. Accepting
// leaves out results that an operator rejected, unless the selection lists them by id.
func (s *Store) picked(ctx context.Context, which submission.Selection, verdict string) (
	condition string, args []any, err error) {
	switch {
	case verdict == submission.Rejected:
		condition = "state in ('accepted', 'quarantined')"
	case which.IDs != nil:
		condition = "state in ('quarantined', 'rejected')"
	default:
		condition = "state in ('quarantined', 'rejected') and state = 'quarantined'" // for the index
	}
	add := func(text string, arg any) {
		args = append(args, arg)
		condition += " and " + fmt.Sprintf(text, "$"+strconv.Itoa(2+len(args)))
	}
	if which.IDs != nil {
		add("id = any(%s::uuid[])", which.IDs)
	}
	if which.Rule != "" {
		add("state_rule = %s", which.Rule)
	}
	if !which.Since.IsZero() {
		add("received_at >= %s", which.Since)
	}
	if !which.Until.IsZero() {
		add("received_at < %s", which.Until)
	}
	if which.ContributorOf != "" {
		var contributor contributorID
		const of = "select contributor from submission where id = $1 and state <> 'deleted'"
		err := s.pool.QueryRow(ctx, of, which.ContributorOf).Scan(&contributor)
		if errors.Is(err, pgx.ErrNoRows) {
			return "", nil, problem.New(problem.NotFound,
				"There is no result %s, so nobody knows whose it is. Nothing was changed.", which.ContributorOf)
		} else if err != nil {
			return "", nil, err
		}
		add("contributor = %s", contributor)
	}
	if which.NetworkOf != "" {
		rows, _ := s.pool.Query(ctx, `
			select o.submission_id::text from submission_network n
			join submission_network o on o.networks[$2] = n.networks[$2] and o.at >= $3
			where n.submission_id = $1 and n.at >= $3`,
			which.NetworkOf, 1+slices.Index(submission.NetworkSizes, which.NetworkSize), networksSince())
		ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err == nil && len(ids) == 0 {
			err = problem.New(problem.NotFound, "It isn't known from which network the result %s came: that is kept for "+
				"%d days, and lost when the database crashes. Nothing was changed.", which.NetworkOf, networkDays)
		}
		if err != nil {
			return "", nil, err
		}
		add("id = any(%s)", ids)
	}
	if len(args) == 0 {
		return "", nil, problem.New(problem.BadRequest, "That would be a decision about every result. Nothing was changed: "+
			"name a rule, a time, or a result whose contributor or network they came from.")
	}
	return condition, args, nil
}
