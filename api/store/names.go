package store

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/submission"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// A result's module follows from its document, from data/, from the rules of package catalogue, and from what several
// contributors agree on (agreement.go). So a fold names again every result that it takes out of the outbox, even if a
// server with other tables stored it. When tables or rules change, nameSome compares all results with them, and adds
// the results whose module changes to the outbox.
//
// Naming keeps what somebody decided: an operator, or a contributor who chose among the modules that the evidence
// allows.

// namesBatch limits how many results one transaction compares with new rules, which takes some seconds.
var namesBatch = 5000

// NameBy makes folds name results by a catalogue. Without one, results keep the modules that they came with.
func (s *Store) NameBy(c *catalogue.Catalogue) { s.catalogue = c }

// selectNames selects whether the results need naming again: other rules named them, or an older server has folded
// since. It also selects the id up to which results were compared; empty: all were.
const selectNames = `
	select names_version <> $1 or fitted <> folded, coalesce(names_upto::text, '') from publication where name = 'site'`

// nameSome compares the next batch of results with the rules, if these have changed. The next call continues after it.
func (s *Store) nameSome(ctx context.Context) error {
	if s.catalogue == nil {
		return nil
	}
	var changed bool
	var last string
	err := s.pool.QueryRow(ctx, selectNames, s.catalogue.Version()).Scan(&changed, &last)
	if err != nil || !changed && last == "" {
		return wrap(err)
	}
	return s.withLongTx(ctx, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, selectNames+" for update", s.catalogue.Version()).Scan(&changed, &last)
		if err != nil || !changed && last == "" { // another process was first
			return err
		}
		if changed {
			last = lowestID
		}
		all, err := s.readNamed(ctx, tx, "s.id > $1 order by s.id limit $2", last, namesBatch)
		if err != nil {
			return err
		}
		agreed, err := agreements(ctx, tx, registersOf(all))
		if err != nil {
			return err
		}
		var differ []string
		for _, n := range all {
			if now := s.nameNow(n, agreed[n.registersNow]); n.claimChanged() || now.differs(n) {
				differ = append(differ, n.id)
			}
		}
		var upto *string
		if len(all) == namesBatch {
			upto = &all[namesBatch-1].id
		}
		const add = `insert into outbox (submission_id, id, created_at)
			select id, gen_random_uuid(), clock_timestamp() from submission where id = any($1)`
		if _, err := tx.Exec(ctx, add, differ); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "update publication set names_version = $1, names_upto = $2 where name = 'site'",
			s.catalogue.Version(), upto)
		return err
	})
}

// named is a result with the evidence that named its module.
type named struct {
	share            // of today
	id, slug, by     string
	confirms, merged bool // merged: an operator said that its module is another name of this one
	left             bool // its module had lost all results to another one, see leadOn
	registers, said  string
	document         result.Document // without tests

	// By the rules of today:
	alone                 catalogue.Module // if no other contributor had said anything
	registersNow, saidNow string
}

var selectNamed = "select s.id::text, s.module_slug, " + currentSlug + `, s.contributor, s.named_by, s.confirms,
		coalesce(a.actor, '') like 'operator %', coalesce(a.actor, '') = '` + ruleNames + `', s.registers, s.said, s.document
	from submission s ` + joinAlias + " where s.state <> 'deleted' and "

// readNamed reads the results that a condition picks, and what their contributors say by the rules of today.
func (s *Store) readNamed(ctx context.Context, tx pgx.Tx, which string, args ...any) (all []named, err error) {
	rows, _ := tx.Query(ctx, selectNamed+which, args...)
	var n named
	var text []byte
	_, err = pgx.ForEachRow(rows, []any{&n.id, &n.slug, &n.module, &n.contributor, &n.by, &n.confirms, &n.merged,
		&n.left, &n.registers, &n.said, &text}, func() error {
		var d struct {
			result.Document
			Tests skipped `json:"tests"` // skips the document's tests, which are nearly all of it
		}
		if err := json.Unmarshal(text, &d); err != nil {
			return err // it was valid when it was stored
		}
		n.document = d.Document
		n.registersNow = catalogue.RegistersOf(&n.document)
		n.alone = s.catalogue.Of(&n.document, "")
		n.saidNow = s.saidOf(n)
		all = append(all, n)
		return nil
	})
	return all, err
}

// skipped is a member of a document that is not read.
type skipped struct{}

func (*skipped) UnmarshalJSON([]byte) error { return nil }

// saidOf returns which listed module a result's contributor says it is, regardless of what others say; empty: none.
func (s *Store) saidOf(n named) string {
	if n.registersNow == "" {
		return ""
	}
	m := n.alone
	if n.by == submission.NamedByContributor && allows(m, n.slug) {
		m, _ = s.catalogue.Module(n.slug)
		return m.Slug
	}
	if _, listed := s.catalogue.Module(m.Slug); listed &&
		slices.Contains([]string{catalogue.NamedByTyping, catalogue.NamedByPartNumber}, m.NamedBy) {
		return m.Slug
	}
	return ""
}

// allows reports whether the evidence that names m allows another choice.
func allows(m catalogue.Module, slug string) bool {
	return slug == m.Offered || slices.Contains(append(m.Candidates, m.Slug), slug)
}

// claimChanged reports whether today's rules read a different claim from the document than the stored one.
func (n named) claimChanged() bool { return n.registers != n.registersNow || n.said != n.saidNow }

// naming is which module a result is of by the rules of today.
type naming struct {
	module   catalogue.Module // zero: it stays where it is
	by       string
	confirms bool
}

// nameNow names a result by today's rules and the contributors' agreements. It keeps what somebody decided.
func (s *Store) nameNow(n named, agreed string) naming {
	stays := naming{by: n.by, confirms: n.confirms}
	if n.merged || n.by == submission.NamedByOperator {
		return stays
	}
	m := n.alone
	if agreed != "" {
		m = s.catalogue.Of(&n.document, agreed)
	}
	switch {
	case n.by == submission.NamedByContributor && allows(m, n.slug):
		return stays
	case m.Slug == n.slug || m.Slug == n.module && !n.left:
		return naming{by: m.NamedBy, confirms: m.Confirmed}
	}
	return naming{m, m.NamedBy, m.Confirmed}
}

// differs reports whether a result's name differs from the stored one.
func (now naming) differs(n named) bool {
	return now.module.Slug != "" || now.by != n.by || now.confirms != n.confirms
}

// registersOf lists the registers of results.
func registersOf(all []named) (registers []string) {
	for _, n := range all {
		registers = append(registers, n.registersNow)
	}
	slices.Sort(registers)
	return slices.Compact(registers)
}

// nameAnew names the results in c by today's rules. It adds the shares that results left and joined to c.
func (s *Store) nameAnew(ctx context.Context, tx pgx.Tx, c *changes) error {
	if s.catalogue == nil {
		return nil
	}
	// A server with other rules may have compared all results since nameSome. If so, all are compared again.
	const own = "update publication set names_version = '' where name = 'site' and names_version <> $1"
	if _, err := tx.Exec(ctx, own, s.catalogue.Version()); err != nil {
		return err
	}
	all, err := s.readNamed(ctx, tx, "s.id = any($1)", c.ids)
	if err != nil {
		return err
	}
	var claims pgx.Batch
	for _, n := range all {
		if n.claimChanged() {
			claims.Queue("update submission set registers = $2, said = $3 where id = $1 and state <> 'deleted'",
				n.id, n.registersNow, n.saidNow)
		}
	}
	if err := tx.SendBatch(ctx, &claims).Close(); err != nil {
		return err
	}
	// Deleted results count too, and so do contributors who began or ceased to count: both may change an agreement.
	rows, _ := tx.Query(ctx, `select distinct registers from submission
		where (id = any($1) or contributor = any($2)) and registers <> ''`, c.ids, c.senders)
	registers, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	agreed, err := agree(ctx, tx, c, registers)
	if err != nil {
		return err
	}
	return s.move(ctx, tx, c, all, agreed)
}

// updateName names a result, unless somebody else named it meanwhile. It logs the change if the result moves.
const updateName = `
	with named as (
		update submission s set module_slug = $4, named_by = $5, confirms = $6
		where s.id = $1 and s.module_slug = $2 and s.named_by = $3 and s.state <> 'deleted' returning s.id, s.state)
	insert into submission_event (submission_id, id, at, to_state, reason, actor)
	select n.id, $7, greatest($8, max(e.at) + interval '1 microsecond'), n.state, $9, '` + ruleNames + `'
	from named n join submission_event e on e.submission_id = n.id where $2 <> $4 group by n.id, n.state`

// move applies today's names to results.
func (s *Store) move(ctx context.Context, tx pgx.Tx, c *changes, all []named, agreed map[string]string) error {
	var modules, names pgx.Batch
	seen, means := map[string]bool{}, map[string]string{}
	moved := map[[2]string]bool{} // from a slug to a slug
	for _, n := range all {
		now := s.nameNow(n, agreed[n.registersNow])
		m, moves := now.module, now.module.Slug != ""
		if n.left && !moves {
			queueBack(&modules, n.slug)
			c.add(share{n.slug, n.contributor})
		}
		if !now.differs(n) {
			continue
		}
		if !moves {
			m.Slug = n.slug
		} else if !seen[m.Slug] {
			seen[m.Slug] = true
			modules.Queue(insertModule.sql+showModuleAgain, insertModule.with(moduleColumns(&m)...)...)
			if m.FromContributors() {
				queueBack(&modules, m.Slug)
			}
			modules.Queue("select module_slug from module_name where slug = $1", m.Slug).QueryRow(func(row pgx.Row) error {
				var slug string
				err := row.Scan(&slug)
				means[m.Slug] = slug
				return err
			})
		}
		reason := "named anew: " + m.Name()
		if words := submission.EvidenceOf(now.by).Words; words != "" {
			reason = "named anew by the " + words + ": " + m.Name()
		}
		names.Queue(updateName, n.id, n.slug, n.by, m.Slug, now.by, now.confirms, result.NewID(), time.Now().UTC(), reason).
			Exec(func(done pgconn.CommandTag) error {
				if moves && done.RowsAffected() > 0 {
					c.add(n.share)
					c.add(share{means[m.Slug], n.contributor})
					c.slugs = append(c.slugs, n.slug, m.Slug)
					moved[[2]string{n.slug, m.Slug}] = true
				}
				return nil
			})
	}
	if err := tx.SendBatch(ctx, &modules).Close(); err != nil {
		return err
	}
	if err := tx.SendBatch(ctx, &names).Close(); err != nil {
		return err
	}
	return leadOn(ctx, tx, moved)
}
