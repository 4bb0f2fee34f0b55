package store

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"flashdex/api/figure"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
)

// ChartData reads the documents of the few runs that charts draw, one module at a time.
func (r results) ChartData(ctx context.Context, slugs []string,
	do func(slug string, drawn []figure.ChartData) error) error {
	for some := range slices.Chunk(slugs, modulesBatch) {
		if err := r.charts(ctx, some, nil, math.MaxInt, do); err != nil {
			return err
		}
	}
	return nil
}

// ChartData returns what the charts of one module show, named by its current slug.
func (s *Store) ChartData(ctx context.Context, slug string) ([]figure.ChartData, error) {
	all, err := s.charts(ctx, []string{slug}, nil, math.MaxInt)
	return all[slug], err
}

// Typical returns what the charts of several modules show by some methods, by slug. It reads one run for each method,
// from the unit nearest to the median.
func (s *Store) Typical(ctx context.Context, slugs, methods []string) (map[string][]figure.ChartData, error) {
	return s.charts(ctx, slugs, methods, 1)
}

func (s *Store) charts(ctx context.Context, slugs, methods []string, runs int) (
	of map[string][]figure.ChartData, err error) {
	err = s.WithTx(ctx, readOnly, func(tx pgx.Tx) error {
		of = map[string][]figure.ChartData{}
		return results{tx}.charts(ctx, slugs, methods, runs, func(slug string, drawn []figure.ChartData) error {
			of[slug] = drawn
			return nil
		})
	})
	return of, err
}

var (
	// At most $2 units of each module of $1 by each method, or only by the methods $3. Contributors' ids are hashes, so
	// the first in their order are as good as a random sample.
	selectDrawnUnits = `
	select s.module_slug, s.method,
		coalesce((s.summary -> 'figures' -> '` + figure.RandWriteIOPS + `' ->> 'value')::float8, 'NaN'),
		u.contributor, u.tag, u.host_class, u.bus_mb_per_s, u.figures, u.price_amount, u.price_currency, u.price_on
	from module_summary s cross join lateral (
		select * from unit u where u.module_slug = s.module_slug and u.method = s.method and u.best and u.runs > 0
		order by u.contributor, u.tag, u.host_class limit $2) u
	where s.module_slug = any($1) and ($3::text[] is null or s.method = any($3)) and s.host_class = '' and s.variant = ''
	order by s.module_slug, s.method, u.contributor, u.tag, u.host_class`

	// The newest run of a unit that counts; none, if the run is being deleted.
	selectDrawnRun = `
	select ` + sampledColumns.list("") + `
	from submission s join module_name n on n.slug = s.module_slug
	where s.contributor = $1 and n.module_slug = $2 and s.method = $3 and coalesce(s.unit_tag, '') = $4
		and ($5 = '' or s.host_class = $5) and s.bus_mb_per_s = $6 and s.state = 'accepted' and ` + counts("s") + `
	order by s.received_at desc, s.id desc limit 1`
)

// drawnUnits are units of a module by one method.
type drawnUnits struct {
	slug   string
	median float64 // of the 4K random write rate, IOPS
	figure.ChartData
	contributors []contributorID // of the units
	drawn        int             // runs
}

// charts reads the units of the modules by the given methods (nil: all methods), then a limited number of runs of each
// module and method. It calls do for one module after the other.
func (r results) charts(ctx context.Context, slugs, methods []string, runs int,
	do func(slug string, drawn []figure.ChartData) error) error {
	all, err := r.drawnUnits(ctx, slugs, methods)
	if err != nil {
		return err
	}
	var batch pgx.Batch
	for i := range all {
		of := &all[i]
		picked := figure.ChartedUnits(of.Units, of.median)
		of.drawn = min(runs, len(picked))
		for _, at := range picked[:of.drawn] {
			u := of.Units[at]
			batch.Queue(selectDrawnRun, of.contributors[at], of.slug, of.Method, u.Tag, u.HostClass, u.BusMBPerS)
		}
	}
	answers := r.tx.SendBatch(ctx, &batch)
	defer answers.Close()
	byModule := groups[string, figure.ChartData]{done: do}
	for _, of := range all {
		for range of.drawn {
			rows, _ := answers.Query()
			found, err := pgx.CollectRows(rows, sampledColumns.scan)
			if err != nil {
				return err
			}
			for _, run := range found { // one or none
				of.Runs = append(of.Runs, run.SampledRun)
			}
		}
		if err := byModule.add(of.slug, of.ChartData); err != nil {
			return err
		}
	}
	return byModule.finish(answers.Close())
}

func (r results) drawnUnits(ctx context.Context, slugs, methods []string) (all []drawnUnits, err error) {
	rows, _ := r.tx.Query(ctx, selectDrawnUnits, slugs, figure.MaxChartedUnits, methods)
	var of drawnUnits
	var u figure.Unit
	var by contributorID
	to := []any{&of.slug, &of.Method, &of.median, &by, &u.Tag, &u.HostClass, &u.BusMBPerS, &u.Values,
		&u.Price.Amount, &u.Price.Currency, &u.Price.On}
	_, err = pgx.ForEachRow(rows, to, func() error {
		if n := len(all); n == 0 || all[n-1].slug != of.slug || all[n-1].Method != of.Method {
			all = append(all, of)
		}
		last := &all[len(all)-1]
		u.Values = figure.Padded(u.Values)
		last.Units, last.contributors = append(last.Units, u), append(last.contributors, by)
		return nil
	})
	return all, err
}

// selectProfiled selects at most $2 runs of each of the modules $1 by each of figure.ProfiledMethods. It takes the
// newest run of every contributor, then a second run of every contributor, and so on, other units first. In each turn,
// runs of senders who are heard come first, so that nobody pushes others off with new secrets. Of starts it selects
// more, because only the documents tell configurations apart: the newest 2·$2 runs of each of the $2 units measured
// last. It leaves out runs that something may have spoiled, which have a second reason not to be ranked. The condition
// on most methods matches the index's. MethodEndure1 isn't in the index, so its runs are looked for only in modules
// that have a summary by it.
var selectProfiled = `
	with found as (
		select n.module_slug, s.id, s.method, s.received_at, s.contributor, s.unit_tag, ` + heard("s") + ` as heard
		from module_name n join submission s on s.module_slug = n.slug
		where n.module_slug = any($1) and s.state = 'accepted' and cardinality(s.not_ranked) = 1 and s.method in ('` +
	strings.Join(slices.DeleteFunc(slices.Clone(figure.ProfiledMethods), func(method string) bool {
		return method == result.MethodEndure1
	}), "', '") + `')
		union all
		select n.module_slug, s.id, s.method, s.received_at, s.contributor, s.unit_tag, ` + heard("s") + `
		from module_summary m join module_name n on n.module_slug = m.module_slug
			join submission s on s.module_slug = n.slug
		where m.module_slug = any($1) and m.method = '` + result.MethodEndure1 + `' and m.host_class = '' and m.variant = ''
			and s.state = 'accepted' and cardinality(s.not_ranked) = 1 and s.method = '` + result.MethodEndure1 + `'),
	run as (
		select module_slug, id, method, received_at, contributor, heard, row_number() over (
			partition by module_slug, method, contributor, unit_tag order by received_at desc, id desc) as of_unit,
			max(received_at) over (partition by module_slug, method, contributor, unit_tag) as unit_at,
			bool_or(heard) over (partition by module_slug, method, contributor, unit_tag) as unit_heard
		from found),
	turned as (
		select *, row_number() over (
			partition by module_slug, method, contributor order by heard desc, of_unit, received_at desc, id desc) as turn
		from run),
	picked as (
		select module_slug, id, of_unit, row_number() over (
			partition by module_slug, method order by turn, heard desc, received_at desc, id desc) as place,
			dense_rank() over (partition by module_slug, method order by unit_heard desc, unit_at desc) as unit
		from turned)
	select p.module_slug, ` + sampledColumns.list("") + `
	from picked p join submission s on s.id = p.id
	where p.place <= $2 or s.method = '` + result.MethodStartup1 + `' and p.unit <= $2 and p.of_unit <= 2 * $2
	order by p.module_slug, s.method, p.place`

// sampledColumns read a run from submissions s.
var sampledColumns columns[figure.ProfiledRun] = func(r *figure.ProfiledRun) []column {
	return []column{
		{"s.method", &r.Method}, {"s.id", &r.ID}, {"s.received_at", &r.ReceivedAt}, {"s.host_board", &r.Host},
		{"md5(concat(s.contributor, '/', s.unit_tag))", &r.Unit}, {"s.document", (*sampledDocument)(r)},
		{"s.bus_mb_per_s", &r.BusMBPerS}, {heard("s"), &r.Counts},
	}
}

// sampledDocument reads the samples of a run from its document.
type sampledDocument figure.ProfiledRun

// ScanBytes implements pgtype.BytesScanner.
func (r *sampledDocument) ScanBytes(document []byte) error {
	var stored struct {
		Host     result.Host
		Identity result.Identity
		Target   result.Target
		Tests    []result.Test
		Spoilers []string
	}
	if err := json.Unmarshal(document, &stored); err != nil {
		return fmt.Errorf("the stored document of %s: %w", r.ID, err)
	}
	r.Board, r.Target, r.Tests = figure.BoardOf(stored.Host), stored.Target, stored.Tests
	r.Queue = figure.QueueEvidenceOf(stored.Identity, stored.Host, stored.Spoilers)
	if usb := stored.Identity.USB; usb != nil {
		r.Reader = usb.VendorID + ":" + usb.ProductID
	}
	return nil
}

func (r results) Profiled(ctx context.Context, slugs []string,
	do func(slug string, runs []figure.ProfiledRun) error) error {
	for some := range slices.Chunk(slugs, modulesBatch) {
		of, err := profiled(ctx, r.tx, some, figure.MaxProfiledRuns)
		if err != nil {
			return err
		}
		for _, slug := range some {
			if len(of[slug]) == 0 {
				continue
			}
			if err := do(slug, of[slug]); err != nil {
				return err
			}
		}
	}
	return nil
}

// Profiled returns the runs of a few modules by figure.ProfiledMethods, by slug. runs limits how many it returns for
// each module and method.
func (s *Store) Profiled(ctx context.Context, slugs []string, runs int) (map[string][]figure.ProfiledRun, error) {
	of, err := profiled(ctx, s.pool, slugs, runs)
	return of, wrap(err)
}

func profiled(ctx context.Context, q querier, slugs []string, runs int) (map[string][]figure.ProfiledRun, error) {
	rows, _ := q.Query(ctx, selectProfiled, slugs, runs)
	of, err := sampledColumns.byKey(rows)
	for slug := range of {
		of[slug] = figure.WholeUnits(of[slug], runs)
	}
	return of, err
}

// Limits on the lives of a module, so that a flood of them isn't read as a whole: how many contributors, and how many
// runs of each contributor.
const (
	maxLives      = 100
	maxLifePieces = 20
)

// selectLives selects runs by MethodEndure1 of the modules $1, from senders who are heard. Of each contributor it
// selects the unit that was sent first, and of this unit the oldest $3 runs. If there are more than $2 contributors, it
// keeps those who came first, because nobody can make up an early run later. A tag and a variant identify a unit.
var selectLives = `
	with found as (
		select n.module_slug, s.id, s.received_at, s.contributor, coalesce(s.unit_tag, '') as tag
		from module_summary m join module_name n on n.module_slug = m.module_slug
			join submission s on s.module_slug = n.slug
		where m.module_slug = any($1) and m.method = '` + result.MethodEndure1 + `' and m.host_class = '' and m.variant = ''
			and s.state = 'accepted' and cardinality(s.not_ranked) = 1 and s.method = '` + result.MethodEndure1 + `'
			and ` + heard("s") + `),
	begun as (
		select *, min(received_at) over (partition by module_slug, contributor) as begun_at,
			first_value(tag) over (partition by module_slug, contributor order by received_at, id) as first_tag
		from found),
	piece as (
		select module_slug, id, begun_at, contributor, received_at,
			dense_rank() over (partition by module_slug order by begun_at, contributor) as life,
			row_number() over (partition by module_slug, contributor order by received_at, id) as piece
		from begun where tag = first_tag)
	select p.module_slug, ` + livedColumns.list("") + `
	from piece p join submission s on s.id = p.id where p.life <= $2 and p.piece <= $3
	order by p.module_slug, p.life, p.piece`

// livedColumns read a run by MethodEndure1 from submissions s.
var livedColumns columns[figure.LivedRun] = func(r *figure.LivedRun) []column {
	return []column{
		{"s.id", &r.ID}, {"md5(concat(s.contributor, '/', s.unit_tag))", &r.Unit},
		{"s.unit_tag is not null and s.unit_tag <> '' and s.variant <> ''", &r.Told}, {"s.document", (*lifeDocument)(r)},
	}
}

// lifeDocument reads a life from a run's document, and keeps nothing else of it.
type lifeDocument figure.LivedRun

// ScanBytes implements pgtype.BytesScanner.
func (r *lifeDocument) ScanBytes(document []byte) error {
	var stored struct{ Tests []result.Test }
	if err := json.Unmarshal(document, &stored); err != nil {
		return fmt.Errorf("the stored document of %s: %w", r.ID, err)
	}
	r.Life, _ = result.LifeOf(stored.Tests)
	return nil
}

func (r results) Lives(ctx context.Context, slugs []string) (map[string][]figure.LivedRun, error) {
	rows, _ := r.tx.Query(ctx, selectLives, slugs, maxLives, maxLifePieces)
	return livedColumns.byKey(rows)
}
