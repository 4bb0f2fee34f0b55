package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// In tests, changes may take as long as the machine needs.
func init() { changeTimeout = time.Hour }

// TallyFrom makes folds update the summaries of modules that have this many units.
func TallyFrom(units int) { tallyFrom = units }

// NamesBatch sets how many results one transaction compares with new rules.
func NamesBatch(results int) { namesBatch = results }

// ContributorsAtMost has a fold look at so many contributors who say what units are, or whose results are held back.
func ContributorsAtMost(n int) { saidLimit, mostHeld = n, n }

// SelectProfiled is the statement whose plan is tested.
var SelectProfiled = selectProfiled

// Spread makes uploads be stored as on Citus.
func (s *Store) Spread() { s.spread = true }

// CompareAllNetworks is the first step of a fold that rebuilds all units.
func CompareAllNetworks(ctx context.Context, s *Store) error { return s.compareAllNetworks(ctx) }

// SelectArrivals and FirstOfNetwork are statements whose plans are tested.
var (
	SelectArrivals = selectArrivals + arrivalsOf + inArrivalOrder
	FirstOfNetwork = firstOfNetwork
)

// QuarantineCopies is the step of a fold that a benchmark measures.
func QuarantineCopies(ctx context.Context, tx pgx.Tx, ids ...string) error {
	return quarantineCopies(ctx, tx, &changes{ids: ids})
}

// SelectOwners is the search whose plan is shown.
const SelectOwners = selectOwners
