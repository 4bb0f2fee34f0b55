package store

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"flashdex/api/figure"
	"flashdex/api/submission"
	"flashdex/api/submission/plausible"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Rule deviates holds back results that are far from what the other contributors measured on the same module. A fold
// that touches a module looks at all of its results again, in whatever order they came. It holds back the results that
// deviate now, and releases the ones that no longer do. If the values fall into two groups, it holds back nothing, and
// the module's page says so.
//
// Each contributor counts with one value: the median of everything they measured, held back or not. So a fold's
// decisions don't depend on the previous fold's, and another fold changes nothing. If there are very many contributors,
// only a sample of them is compared, the same sample in each fold.

// mostHeld limits of how many contributors of a module a fold looks again at what is held back: twice as many, from a
// place that nobody knows.
var mostHeld = 1000 // a variable for tests

// comparedNames names the compared figures in a reason.
var comparedNames = map[string]string{
	figure.RandWriteIOPS: "4K random write", figure.RandReadIOPS: "4K random read",
}

// judged is a submission that is accepted or that the rule holds back.
type judged struct {
	run
	state string
}

var judgedColumns columns[judged] = func(j *judged) []column {
	return append(runColumns(&j.run), column{"s.state", &j.state})
}

// The statement must contain the rule's name as a constant. Otherwise Postgres doesn't see that an index fits.
const heldBack = "s.state = 'quarantined' and s.state_rule = 'deviates'"

var (
	selectHeld = fromPlace("select distinct " + currentSlug + ", s.contributor from submission s " + joinAlias +
		" where s.module_slug = $1 and " + heldBack + " and s.contributor %s $2 order by s.contributor limit $3")
	selectJudged = prepare("select " + judgedColumns.list("") + " from " + shareColumns.unnest() +
		" as share (" + shareColumns.list("") + `) join submission s on s.contributor = of_contributor ` + joinAlias + `
		where ` + currentSlug + " = of_module and (s.state = 'accepted' or " + heldBack + ") and s.figures is not null" +
		inOrder)
)

// judgeDeviating applies the rule to the modules in c, and adds to c the shares with a result that it held back or
// released.
func judgeDeviating(ctx context.Context, tx pgx.Tx, c *changes) error {
	at, err := placeOf(ctx, tx)
	if err != nil {
		return err
	}
	shares, methods, err := at.toJudge(ctx, tx, c)
	if err != nil || len(methods) == 0 {
		return err
	}
	samples, err := at.samples(ctx, tx, methods)
	if err != nil {
		return err
	}
	runs, err := readJudged(ctx, tx, shares)
	if err != nil {
		return err
	}
	// Contributors of the sample whose results were not read yet.
	var far []share
	for module := range methods {
		far = append(far, deviatingIn(module, peersOf(at, samples[module], runs[module]), runs[module])...)
	}
	more, err := readJudged(ctx, tx, far)
	if err != nil {
		return err
	}
	var batch pgx.Batch
	for module := range methods {
		peers := peersOf(at, samples[module], runs[module])
		for _, of := range []map[contributorID][]judged{runs[module], more[module]} {
			for _, theirs := range of {
				for _, j := range theirs {
					queueVerdict(&batch, j, verdictOn(j, peers[j.Method]), c)
				}
			}
		}
	}
	return tx.SendBatch(ctx, &batch).Close()
}

// toJudge returns the shares whose results are to be judged one by one: shares in c, and shares with a result that is
// held back. It leaves out modules with too few contributors for a comparison. methods lists the methods by which
// others measured each module.
func (at place) toJudge(ctx context.Context, tx pgx.Tx, c *changes) (
	shares []share, methods map[string][]string, err error) {
	all := map[share]bool{}
	var held pgx.Batch
	names, err := mapOf[string, string](ctx, tx,
		"select slug, module_slug from module_name where module_slug = any($1)", c.modules)
	if err != nil {
		return nil, nil, err
	}
	for name := range names { // each of them may be on another node
		held.Queue(selectHeld, name, label(at), mostHeld).Query(func(rows pgx.Rows) error {
			var of share
			_, err := pgx.ForEachRow(rows, []any{&of.module, &of.contributor}, func() error {
				all[of] = true
				return nil
			})
			return err
		})
	}
	if err := tx.SendBatch(ctx, &held).Close(); err != nil {
		return nil, nil, err
	}
	methods = map[string][]string{}
	many := map[string]int{} // an upper bound on a module's contributors
	for of := range all {
		methods[of.module] = nil
	}
	for _, of := range c.shares {
		many[of.module]++
	}
	rows, _ := tx.Query(ctx, `select module_slug, method, contributors from module_summary
		where module_slug = any($1) and host_class = '' and variant = ''`, c.modules)
	var module, method string
	var contributors int
	measured := map[string][]string{}
	if _, err := pgx.ForEachRow(rows, []any{&module, &method, &contributors}, func() error {
		measured[module] = append(measured[module], method)
		many[module] += contributors
		return nil
	}); err != nil {
		return nil, nil, err
	}
	for module, n := range many {
		if _, is := methods[module]; is || n > plausible.MinOthers {
			methods[module] = measured[module]
		}
	}
	for _, of := range c.shares {
		if _, is := methods[of.module]; is {
			all[of] = true
		}
	}
	return slices.Collect(maps.Keys(all)), methods, nil
}

// readJudged reads all results of shares that are accepted or held back, by module and contributor.
func readJudged(ctx context.Context, tx pgx.Tx, shares []share) (map[string]map[contributorID][]judged, error) {
	of := map[string]map[contributorID][]judged{}
	if len(shares) == 0 {
		return of, nil
	}
	for _, s := range shares { // contributors without results need an entry, too
		if of[s.module] == nil {
			of[s.module] = map[contributorID][]judged{}
		}
		of[s.module][s.contributor] = nil
	}
	rows, _ := tx.Query(ctx, selectJudged.sql, selectJudged.with(shareColumns.arrays(shares)...)...)
	return of, judgedColumns.each(rows, func(j judged) error {
		j.Values, j.Errors = figure.Padded(j.Values), figure.Padded(j.Errors)
		of[j.module][j.contributor] = append(of[j.module][j.contributor], j)
		return nil
	})
}

// peersOf returns the contributors' values of a module, by method. It recomputes the values of contributors whose
// results were read, and takes the other values from the sample. The result is limited to the sample's contributors.
func peersOf(at place, sample map[string][]measuredBy, read map[contributorID][]judged) map[string][]measuredBy {
	peers := map[string][]measuredBy{}
	for method, all := range sample {
		for _, c := range all {
			if _, is := read[c.contributor]; !is {
				peers[method] = append(peers[method], c)
			}
		}
	}
	var units []unit
	for contributor, theirs := range read {
		runs := make([]figure.Run, len(theirs))
		for i, j := range theirs {
			runs[i] = j.Run
		}
		for _, u := range figure.UnitsOf(runs) {
			units = append(units, unit{share{contributor: contributor}, u})
		}
	}
	for method, all := range byContributor(units) {
		peers[method] = append(peers[method], all...)
	}
	for method, all := range peers {
		slices.SortFunc(all, func(a, b measuredBy) int { return cmp.Compare(a.contributor, b.contributor) })
		peers[method] = at.sample(all)
	}
	return peers
}

// many is how many contributors it takes until one more or less hardly moves their median and its deviation.
const many = 50

// deviatingIn returns the shares of a sample whose own value deviates. It skips shares that were read.
func deviatingIn(module string, peers map[string][]measuredBy, read map[contributorID][]judged) (far []share) {
	for _, all := range peers {
		near := make([][2]float64, len(figure.Compared))
		for i := range figure.Compared {
			low, median, high, ok := plausible.Passing(valuesOf(all, i))
			if ok && len(all) > many {
				near[i] = [2]float64{math.Sqrt(low * median), math.Sqrt(high * median)}
			}
		}
		for _, c := range all {
			_, is := read[c.contributor]
			surelyNear := func(i int) bool { return c.Values[i] >= near[i][0] && c.Values[i] <= near[i][1] }
			if is || surelyNear(0) && surelyNear(1) {
				continue
			}
			if reasons := deviations(c.contributor, c.Values, all); len(reasons) > 0 {
				far = append(far, share{module, c.contributor})
			}
		}
	}
	return far
}

func valuesOf(all []measuredBy, i int) []float64 {
	values := make([]float64, len(all))
	for at, c := range all {
		values[at] = c.Values[i]
	}
	return values
}

// verdictOn returns the reason to hold a result back; empty: there is none. A result that doesn't count needs no
// verdict.
func verdictOn(j judged, peers []measuredBy) string {
	if !j.Ranked {
		return ""
	}
	values := make([]float64, len(figure.Compared))
	for i, key := range figure.Compared {
		values[i] = j.Values[slices.Index(figure.FigureKeys, key)]
	}
	return strings.Join(deviations(j.contributor, values, peers), " ")
}

// deviations returns a reason for each figure in which a contributor's value is far from all other contributors'
// values.
func deviations(contributor contributorID, values []float64, peers []measuredBy) (reasons []string) {
	others := contributedOf(slices.DeleteFunc(slices.Clone(peers), func(c measuredBy) bool {
		return c.contributor == contributor
	}))
	for i, key := range figure.Compared {
		found, deviates := figure.Deviates(values[i], others, i)
		if !deviates {
			continue
		}
		if _, two := figure.Divide(contributedOf(peers), i); !two {
			reasons = append(reasons, comparedNames[key]+": "+found.Reason)
		}
	}
	return reasons
}

// queueVerdict holds a result back or releases it, unless it is already in the right state.
func queueVerdict(batch *pgx.Batch, j judged, reason string, c *changes) {
	to := submission.Quarantined
	if reason == "" {
		to = submission.Accepted
	}
	if to == j.state || j.state == submission.Quarantined && !j.Ranked {
		return
	}
	queueRuling(batch, j.ID, "deviates", to == submission.Quarantined,
		cmp.Or(reason, "Other contributors measured the like since.")).Exec(func(done pgconn.CommandTag) error {
		if done.RowsAffected() > 0 {
			c.add(j.share)
		}
		return nil
	})
}
