package store

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"flashdex/api/submission"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
)

// Review adds to results what an operator needs for a decision: figures, facts of the contributor, objections.
func (s *Store) Review(ctx context.Context, subs []submission.Submission) ([]submission.Reviewed, error) {
	var ids []string
	for _, sub := range subs {
		ids = append(ids, sub.ID)
	}
	open, err := mapOf[string, int](ctx, s.pool, `
		select submission_id::text, count(*) from objection
		where submission_id = any($1::uuid[]) and closed_at is null group by submission_id`, ids)
	if err != nil {
		return nil, wrap(err)
	}
	tests, err := s.testsOf(ctx, ids)
	if err != nil {
		return nil, wrap(err)
	}
	var reviewed []submission.Reviewed
	for _, sub := range subs {
		facts, err := s.ContributorOf(ctx, sub.ID)
		if err != nil {
			return nil, err
		}
		sub.Tests = tests[sub.ID]
		reviewed = append(reviewed, submission.Reviewed{Submission: sub, Contributor: facts, Objections: open[sub.ID]})
	}
	return reviewed, nil
}

// testsOf returns the figures of results.
func (s *Store) testsOf(ctx context.Context, ids []string) (tests map[string][]result.Figures, err error) {
	err = s.WithTx(ctx, readOnly, func(tx pgx.Tx) error {
		tests, err = measurements(ctx, tx, "where submission_id = any($1::uuid[])", ids)
		return err
	})
	return tests, err
}

// countedResults limits how many of a contributor's results their facts are counted from.
const countedResults = 1000

// ContributorOf returns the facts of the contributor of a result; zero if the result doesn't exist.
func (s *Store) ContributorOf(ctx context.Context, id string) (facts submission.ContributorFacts, err error) {
	var contributor contributorID
	const of = "select contributor from submission where id = $1 and state <> 'deleted'"
	if err := s.pool.QueryRow(ctx, of, id).Scan(&contributor); errors.Is(err, pgx.ErrNoRows) {
		return facts, nil
	} else if err != nil {
		return facts, wrap(err)
	}
	const since = "select first_seen, confirmed_by like 'operator %' from contributor where secret_sha256 = $1"
	if err := s.pool.QueryRow(ctx, since, contributor).Scan(&facts.Since, &facts.Vouched); err != nil {
		return facts, wrap(err)
	}
	err = s.pool.QueryRow(ctx, `
		select count(distinct (module_slug, coalesce(unit_tag, ''))), count(distinct module_slug) from (
			select module_slug, unit_tag from submission where contributor = $1 and state = 'accepted' limit $2) as looked_at`,
		contributor, countedResults).Scan(&facts.Units, &facts.Modules)
	return facts, wrap(err)
}

// Limits of a comparison of the last results with each other.
const (
	maxRecent   = 2000
	maxDescribe = 128 << 10 // bytes of a document that is read for its kernel; our largest example has 87 KB
)

// Recent lists the last results whose networks are known, the newest first.
func (s *Store) Recent(ctx context.Context) ([]submission.Recent, error) {
	rows, _ := s.pool.Query(ctx, `
		select submission_id::text, at, networks from submission_network where at >= $1 order by at desc limit $2`,
		networksSince(), maxRecent)
	var ids []string
	known := map[string]*submission.Recent{}
	var id string
	var at time.Time
	var networks [][]byte
	if _, err := pgx.ForEachRow(rows, []any{&id, &at, &networks}, func() error {
		r := &submission.Recent{Result: id, ReceivedAt: at}
		for _, label := range networks {
			r.Networks = append(r.Networks, string(label))
		}
		ids, known[id] = append(ids, id), r
		return nil
	}); err != nil {
		return nil, wrap(err)
	}
	if err := s.describeRecent(ctx, ids, known); err != nil {
		return nil, wrap(err)
	}
	var recent []submission.Recent
	for _, id := range ids {
		if known[id].Contributor != "" {
			recent = append(recent, *known[id])
		}
	}
	return recent, nil
}

func (s *Store) describeRecent(ctx context.Context, ids []string, known map[string]*submission.Recent) error {
	rows, _ := s.pool.Query(ctx, `
		select id::text, state, module_slug, contributor, client, host_board, bus_mode,
			case when length(document) <= $2 then document end
		from submission where id = any($1::uuid[]) and state <> 'deleted'`, ids, maxDescribe)
	var id string
	var r submission.Recent
	var contributor, document []byte
	var contributors [][]byte
	if _, err := pgx.ForEachRow(rows, []any{
		&id, &r.State, &r.Module, &contributor, &r.Client, &r.Host, &r.Bus, &document,
	}, func() error {
		to := known[id]
		to.State, to.Module, to.Client, to.Host, to.Bus = r.State, r.Module, r.Client, r.Host, r.Bus
		to.Contributor, to.Kernel = string(contributor), kernelOf(document)
		contributors = append(contributors, []byte(to.Contributor))
		return nil
	}); err != nil {
		return err
	}
	rows, _ = s.pool.Query(ctx, "select secret_sha256, first_seen from contributor where secret_sha256 = any($1)",
		contributors)
	seen := map[string]time.Time{}
	var at time.Time
	if _, err := pgx.ForEachRow(rows, []any{&contributor, &at}, func() error {
		seen[string(contributor)] = at
		return nil
	}); err != nil {
		return err
	}
	for _, r := range known {
		r.FirstSeen = seen[r.Contributor]
	}
	return nil
}

// kernelOf returns the kernel that a stored document names; empty: none.
func kernelOf(document []byte) string {
	var of struct{ Host struct{ Kernel string } }
	_ = json.Unmarshal(document, &of) // a document of a version that is no longer read names none
	return of.Host.Kernel
}
