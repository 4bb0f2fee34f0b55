package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"flashdex/api/submission/copies"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
)

const forgetSamples = "delete from sample where submission_id = $1 and sha256 = any($2)"

// claimSamples keeps two results with the same samples apart on Citus. Before an upload is stored, it claims the hashes
// of its samples, which are on other nodes. claimSamples returns the newly claimed hashes, and whether another result
// has one of the hashes. If the upload fails midway, its claims stay until the same id is tried again.
func claimSamples(ctx context.Context, conn *pgxpool.Conn, u *upload) (claimed [][]byte, copied bool, err error) {
	rows, _ := conn.Query(ctx, `
		insert into sample (sha256, submission_id) select s, $1::uuid from unnest($2::bytea[]) s
		on conflict do nothing returning sha256`, u.sub.ID, u.samples)
	if claimed, err = pgx.CollectRows(rows, pgx.RowTo[[]byte]); err != nil {
		return nil, false, err
	}
	rows, _ = conn.Query(ctx, `
		select submission_id::text from sample where sha256 = any($2) and submission_id <> $1 limit 1`,
		u.sub.ID, u.samples)
	others, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(others) == 0 {
		return claimed, false, err
	}
	u.outcome = "copy " + others[0]
	_, err = conn.Exec(ctx, forgetSamples, u.sub.ID, claimed)
	return nil, true, err
}

// queueSamples stores the hashes of a submission that was stored without them. If several results have the same
// samples, the first one that gets here keeps the hashes.
func queueSamples(batch *pgx.Batch, id string, hashes [][]byte) {
	batch.Queue(`
		insert into sample (sha256, submission_id) select s, $1::uuid from unnest($2::bytea[]) s
		on conflict do nothing`, id, hashes)
}

const (
	comparedAtOnce = 50 // submissions in memory
	mostCandidates = 48 // earlier submissions that each one is compared with
	mostOwners     = 8  // submissions that a key leads to
)

// quarantineCopies quarantines submissions that repeat the samples of an earlier one with small changes. A submission's
// first fold compares it with all submissions compared before. Folds are serial, so of any two submissions the second
// is compared with the first. A submission that an operator has decided on stays as it is.
func quarantineCopies(ctx context.Context, tx pgx.Tx, c *changes) error {
	rows, _ := tx.Query(ctx, `
		select s.id::text from submission s where s.id = any($1) and s.state <> 'deleted'
			and not exists (select 1 from sketch k where k.submission_id = s.id)
		order by s.received_at, s.id`, c.ids)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	for some := range slices.Chunk(ids, comparedAtOnce) {
		if err == nil {
			err = quarantineSomeCopies(ctx, tx, some)
		}
	}
	return err
}

// suspect is a submission to compare with earlier ones.
type suspect struct {
	samples      *copies.Samples
	keys, probes []int64
	candidates   []string // earlier submissions, beginning with the ones that share the most keys
	copies       int      // index of the first candidate that it copies; len(candidates): it copies none
	reason       string   // why it is held back
}

// quarantineSomeCopies compares submissions in the order of ids. It reads what all of them need in a few queries,
// because a fold that asked for each submission alone would mostly wait.
func quarantineSomeCopies(ctx context.Context, tx pgx.Tx, ids []string) error {
	suspects := map[string]*suspect{}
	var probes []int64
	err := eachSamples(ctx, tx, ids, func(id string, samples *copies.Samples) {
		s := &suspect{samples: samples}
		s.keys, s.probes = samples.Keys()
		if len(s.keys) > 0 {
			suspects[id], probes = s, append(probes, s.probes...)
		}
	})
	if err != nil {
		return err
	}
	of, err := ownersOf(ctx, tx, probes)
	if err != nil {
		return err
	}
	var batch pgx.Batch
	suspectsOf := map[string][]*suspect{} // by candidate
	for _, id := range ids {
		s := suspects[id]
		if s == nil {
			continue
		}
		s.candidates = of.mostShared(s.probes)
		s.copies = len(s.candidates)
		for _, earlier := range s.candidates {
			suspectsOf[earlier] = append(suspectsOf[earlier], s)
		}
		queueKeys(&batch, of, id, s.keys)
	}
	err = eachSamples(ctx, tx, slices.Collect(maps.Keys(suspectsOf)), func(id string, earlier *copies.Samples) {
		for _, s := range suspectsOf[id] {
			s.compare(id, earlier)
		}
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if s := suspects[id]; s != nil && s.reason != "" {
			queueRuling(&batch, id, "near-copy", true, s.reason)
		}
	}
	return tx.SendBatch(ctx, &batch).Close()
}

// compare compares a suspect with a candidate, unless the suspect copies a candidate that shares more keys.
func (s *suspect) compare(id string, earlier *copies.Samples) {
	at := slices.Index(s.candidates[:s.copies], id)
	if at < 0 {
		return
	}
	if test, how := s.samples.Near(earlier); test != "" {
		s.copies, s.reason = at, fmt.Sprintf("The samples of %s are those of the earlier result /r/%s, changed a "+
			"little: the %s. Two measurements differ more, even of one module.", test, id, how)
	}
}

// eachSamples calls do with the samples of each of the submissions that are not deleted.
func eachSamples(ctx context.Context, tx pgx.Tx, ids []string, do func(id string, samples *copies.Samples)) error {
	rows, _ := tx.Query(ctx, "select id::text, document from submission where id = any($1) and state <> 'deleted'", ids)
	var id string
	var document pgtype.DriverBytes // not copied: Read keeps nothing of it
	_, err := pgx.ForEachRow(rows, []any{&id, &document}, func() error {
		samples, err := copies.Read(document)
		if err == nil {
			do(id, samples)
		}
		return err
	})
	return err
}

// owners lists by key the submissions that have it.
type owners map[int64][]string

const selectOwners = "select key, submission_id::text from sketch where key = any($1)"

func ownersOf(ctx context.Context, tx pgx.Tx, keys []int64) (owners, error) {
	of := owners{}
	rows, _ := tx.Query(ctx, selectOwners, keys)
	var key int64
	var id string
	_, err := pgx.ForEachRow(rows, []any{&key, &id}, func() error {
		of[key] = append(of[key], id)
		return nil
	})
	return of, err
}

// mostShared returns the submissions that have the most of some keys.
func (of owners) mostShared(keys []int64) []string {
	shared := map[string]int{}
	for _, key := range keys {
		for _, id := range of[key] {
			shared[id]++
		}
	}
	ids := slices.SortedFunc(maps.Keys(shared), func(a, b string) int {
		return cmp.Or(cmp.Compare(shared[b], shared[a]), cmp.Compare(a, b))
	})
	return ids[:min(len(ids), mostCandidates)]
}

// queueKeys lets searches find a submission by its keys. A key leads only to the first submissions that had it. A key
// that many share tells little, as with series that only rise, and later submissions can't displace the first ones.
func queueKeys(batch *pgx.Batch, of owners, id string, keys []int64) {
	var free []int64
	for _, key := range keys {
		if len(of[key]) < mostOwners {
			free, of[key] = append(free, key), append(of[key], id)
		}
	}
	batch.Queue(`
		insert into sketch (key, submission_id)
		select k, s.id from submission s, unnest($1::bigint[]) k where s.id = $2`, free, id)
}

// replaceKeys replaces the keys of submissions, by id, that were folded under older rules for keys. Submissions in the
// outbox get their keys when they are compared.
func replaceKeys(ctx context.Context, tx pgx.Tx, keysOf map[string][]int64) error {
	rows, _ := tx.Query(ctx, "select submission_id::text from outbox where submission_id = any($1)",
		slices.Collect(maps.Keys(keysOf)))
	waiting, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, id := range waiting {
		delete(keysOf, id)
	}
	ids := slices.Sorted(maps.Keys(keysOf))
	if _, err := tx.Exec(ctx, "delete from sketch where submission_id = any($1)", ids); err != nil {
		return err
	}
	of, err := ownersOf(ctx, tx, slices.Concat(slices.Collect(maps.Values(keysOf))...))
	if err != nil {
		return err
	}
	var batch pgx.Batch
	for _, id := range ids {
		queueKeys(&batch, of, id, keysOf[id])
	}
	return tx.SendBatch(ctx, &batch).Close()
}
