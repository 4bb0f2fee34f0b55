package store

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/model"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// A calibration holds what all modules share: see package model. It stays frozen until the next one, so a module's
// figures depend only on its own shares, whether a fold recomputes one module or all. Fold makes new calibrations once
// a day.

// inForce returns the calibrations that figures are computed with. A version never changes, so it is read once.
func (s *Store) inForce(ctx context.Context, q querier) (*figure.Calibrations, error) {
	var version int
	const select_ = "select calibration from publication where name = 'site'"
	if err := q.QueryRow(ctx, select_).Scan(&version); err != nil {
		return nil, err
	}
	if known := s.calibrations.Load(); known != nil && known.Version == version {
		return known, nil
	}
	read := &figure.Calibrations{Version: version}
	rows, _ := q.Query(ctx, "select method, figure, calibration from calibration where version = $1", version)
	var of figure.CalibrationKey
	var text []byte
	if _, err := pgx.ForEachRow(rows, []any{&of.Method, &of.Figure, &text}, func() error {
		calibration := new(model.Calibration)
		read.Add(of, calibration)
		return json.Unmarshal(text, calibration)
	}); err != nil {
		return nil, err
	}
	s.calibrations.Store(read)
	return read, nil
}

// notCalibratedToday reports whether the calibrations are older than a day, or from a day that hasn't come yet because
// a clock was set back.
const notCalibratedToday = `
	select calibrated_at is null or calibrated_at not between now() - interval '1 day' and now() from publication
	where name = 'site'`

// aMonthOld reports whether a version of the calibrations was made a month ago or earlier.
const aMonthOld = "select exists (select from calibration where version = $1 and made_at <= now() - interval '1 month')"

// recalibrate makes calibrations anew from the stored shares, once a day. They replace the ones in force if any
// differs, or after a month, because small changes add up. It then computes all figures again, without reading a unit.
// It returns the new generation, or known if nothing changed.
func (s *Store) recalibrate(ctx context.Context, known int64) (generation int64, err error) {
	var due bool
	if err := s.pool.QueryRow(ctx, notCalibratedToday).Scan(&due); err != nil || !due {
		return known, wrap(err)
	}
	return s.change(ctx, func(tx pgx.Tx) (changed bool, err error) {
		if err := tx.QueryRow(ctx, notCalibratedToday).Scan(&due); err != nil || !due {
			return false, err
		}
		if _, err := tx.Exec(ctx, "update publication set calibrated_at = now() where name = 'site'"); err != nil {
			return false, err
		}
		old, err := s.inForce(ctx, tx)
		if err != nil {
			return false, err
		}
		published, err := publishedShares(ctx, tx, nil)
		if err != nil {
			return false, err
		}
		next, err := calibrated(ctx, tx, old, published)
		if err != nil {
			return false, err
		}
		var aged bool
		if err := tx.QueryRow(ctx, aMonthOld, old.Version).Scan(&aged); err != nil || !aged && !next.Differ(old) {
			return false, err
		}
		if err := storeCalibrations(ctx, tx, next); err != nil {
			return false, err
		}
		return true, refit(ctx, tx, fitter{Calibrations: next, published: published})
	})
}

func storeCalibrations(ctx context.Context, tx pgx.Tx, next *figure.Calibrations) error {
	var batch pgx.Batch
	for of, calibration := range next.All() {
		text, err := json.Marshal(calibration)
		if err != nil {
			return err
		}
		batch.Queue("insert into calibration (version, method, figure, made_at, calibration) values ($1, $2, $3, now(), $4)",
			next.Version, of.Method, of.Figure, text)
	}
	batch.Queue("update publication set calibration = $1 where name = 'site'", next.Version)
	return tx.SendBatch(ctx, &batch).Close()
}

// calibrated computes the calibrations of all methods and figures, from the stored shares and the shares of published
// figures.
func calibrated(ctx context.Context, tx pgx.Tx, old *figure.Calibrations, published map[string]figure.Shares) (
	*figure.Calibrations, error) {
	next := &figure.Calibrations{Version: old.Version + 1}
	by, err := contributors(ctx, tx)
	if err != nil {
		return nil, err
	}
	mix, err := standardMix(ctx, tx, old, by)
	if err != nil {
		return nil, err
	}
	for i, key := range figure.FigureKeys {
		if !figure.Modelled(key) {
			continue
		}
		// By method and module. One figure at a time, because the shares of all figures would take ten times the
		// memory.
		all := map[string]map[string][]figure.KindShare{figure.PublishedMethod: {}}
		for slug, shares := range published {
			if len(shares[key]) > 0 {
				all[figure.PublishedMethod][slug] = slices.Clone(shares[key])
			}
		}
		rows, _ := tx.Query(ctx, "select method, module_slug, shares[$1] from module_summary "+wholeModules+`
			and shares[$1] is not null and module_slug not in (select slug from module where known_from = $2)`,
			i+1, catalogue.KnownFromAmbiguous)
		var method, slug string
		var text []byte
		if _, err := pgx.ForEachRow(rows, []any{&method, &slug, &text}, func() error {
			shares, err := figure.UnpackShares(text)
			if all[method] == nil {
				all[method] = map[string][]figure.KindShare{}
			}
			all[method][slug] = append(shares, all[method][slug]...)
			return err
		}); err != nil {
			return nil, err
		}
		for method, modules := range all {
			var inOrder [][]figure.KindShare
			for _, slug := range slices.Sorted(maps.Keys(modules)) {
				inOrder = append(inOrder, modules[slug])
			}
			if len(inOrder) > 0 {
				of := figure.CalibrationKey{Method: method, Figure: key}
				next.Add(of, figure.Calibrated(key, inOrder, by, mix))
			}
		}
	}
	return next, nil
}

// contributors counts the contributors who measured anything, in all and by kind of host.
func contributors(ctx context.Context, tx pgx.Tx) (by figure.Contributors, err error) {
	by.InKind, err = mapOf[string, int](ctx, tx, `
		select coalesce(nullif(host_kind, ''), host_class), count(distinct contributor) from unit
		where host_class <> '' and runs > 0 group by 1`)
	if err == nil {
		err = tx.QueryRow(ctx, "select count(distinct contributor) from unit where runs > 0").Scan(&by.All)
	}
	return by, err
}

// standardMix returns the mix of the year's first calibration, or a new one.
func standardMix(ctx context.Context, tx pgx.Tx, old *figure.Calibrations, by figure.Contributors) (
	mix map[string]float64, err error) {
	var thisYear bool
	err = tx.QueryRow(ctx, `
		select coalesce(date_trunc('year', min(made_at) at time zone 'UTC') = date_trunc('year', now() at time zone 'UTC'),
			false) from calibration where version = $1`, old.Version).Scan(&thisYear)
	if !thisYear {
		return figure.StandardMix(by.All, by.InKind), err
	}
	return figure.MixOf(old.Of(figure.PublishedMethod, figure.RandWriteIOPS).Classes), err
}

// fitter completes summaries by the calibrations in force.
type fitter struct {
	*figure.Calibrations
	published map[string]figure.Shares // by the slug of the module
	place
}

// fitter reads what is needed to complete the summaries of modules; nil: of all modules.
func (s *Store) fitter(ctx context.Context, tx pgx.Tx, modules []string) (f fitter, err error) {
	if f.Calibrations, err = s.inForce(ctx, tx); err == nil {
		f.published, err = publishedShares(ctx, tx, modules)
	}
	if err == nil {
		f.place, err = placeOf(ctx, tx)
	}
	return f, err
}

// fit completes a summary, if it sums up a whole module.
func (f fitter) fit(s *figure.Summary) {
	if !s.Whole() {
		return
	}
	var published figure.Shares
	if s.Method == figure.PublishedMethod {
		published = f.published[s.ModuleSlug]
	}
	s.Fit(f.Calibrations, published)
}

// currentPublished selects the slug that the module of a published figure has today.
const currentPublished = "coalesce(a.into_slug, p.module_slug)"

// publishedShares computes shares from the published figures of modules; nil: of all modules.
func publishedShares(ctx context.Context, tx pgx.Tx, modules []string) (map[string]figure.Shares, error) {
	rows, err := published(ctx, tx, currentPublished, "where $1::text[] is null or "+currentPublished+" = any($1)",
		modules)
	return figure.PublishedShares(rows), err
}

// refitBatch limits how many summaries refit holds in memory.
const refitBatch = 500

// refit computes the figures of all modules again from their shares.
func refit(ctx context.Context, tx pgx.Tx, f fitter) error {
	if _, err := tx.Exec(ctx, touch+touchAgain); err != nil {
		return err
	}
	var read columns[figure.Summary] = func(s *figure.Summary) []column {
		return append(summaryKey(s), column{"summary", (*summaryJSON)(s)}, column{"shares", (*sharesArray)(&s.Shares)})
	}
	update := prepare(`update module_summary set summary = @summary
		where module_slug = @module_slug and method = @method and host_class = @host_class and variant = @variant`)
	for slug, method := "", ""; ; {
		rows, _ := tx.Query(ctx, "select "+read.list("")+" from module_summary "+wholeModules+
			" and (module_slug, method) > ($1, $2) order by module_slug, method limit $3", slug, method, refitBatch)
		some, err := pgx.CollectRows(rows, read.scan)
		if err != nil {
			return err
		}
		var batch pgx.Batch
		for i := range some {
			f.fit(&some[i])
			batch.Queue(update.sql, update.with(summaryColumns(&some[i])...)...)
		}
		if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
			return err
		}
		if len(some) < refitBatch {
			return nil
		}
		last := some[len(some)-1]
		slug, method = last.ModuleSlug, last.Method
	}
}

// sharesArray is Shares as an array of JSON in the order of figure.FigureKeys; null: there are none. It implements
// pgtype.ArrayGetter and pgtype.ArraySetter.
type sharesArray figure.Shares

func (s *sharesArray) Dimensions() []pgtype.ArrayDimension {
	if *s == nil {
		return nil
	}
	return []pgtype.ArrayDimension{{Length: int32(len(figure.FigureKeys)), LowerBound: 1}}
}

func (s *sharesArray) Index(i int) any {
	return figure.PackShares((*s)[figure.FigureKeys[i]])
}

func (s *sharesArray) IndexType() any { return []byte{} }

func (s *sharesArray) SetDimensions(dimensions []pgtype.ArrayDimension) error {
	if *s = nil; dimensions != nil {
		*s = sharesArray{}
	}
	return nil
}

func (s *sharesArray) ScanIndex(i int) any { return &packedShares{*s, figure.FigureKeys[i]} }
func (s *sharesArray) ScanIndexType() any  { return new(packedShares) }

// packedShares scans the shares of one figure. It implements pgtype.BytesScanner.
type packedShares struct {
	to  sharesArray
	key string
}

func (p *packedShares) ScanBytes(text []byte) (err error) {
	if text != nil {
		p.to[p.key], err = figure.UnpackShares(text)
	}
	return err
}
