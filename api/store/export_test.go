package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Tests hold changes for as long as the machine takes.
func init() { changeTimeout = time.Hour }

// TallyFrom has the summaries of modules with so many units brought up to date rather than made anew.
func TallyFrom(units int) { tallyFrom = units }

// NamesBatch has so many results compared with new rules in one transaction.
func NamesBatch(results int) { namesBatch = results }

// ContributorsAtMost has a fold look at so many contributors who say what units are, or whose results are held back.
func ContributorsAtMost(n int) { saidLimit, mostHeld = n, n }

// SelectProfiled is the statement whose plan is tested.
var SelectProfiled = selectProfiled

// Spread has uploads stored as on Citus.
func (s *Store) Spread() { s.spread = true }

// CompareAllNetworks is what a fold that makes all units anew does first.
func CompareAllNetworks(ctx context.Context, s *Store) error { return s.compareAllNetworks(ctx) }

// SelectArrivals and FirstOfNetwork are statements whose plans are tested.
var (
	SelectArrivals = selectArrivals + arrivalsOf + inArrivalOrder
	FirstOfNetwork = firstOfNetwork
)

// QuarantineCopies is the step of a fold whose time is measured.
func QuarantineCopies(ctx context.Context, tx pgx.Tx, ids ...string) error {
	return quarantineCopies(ctx, tx, &changes{ids: ids})
}

// SelectOwners is the search whose plan is shown.
const SelectOwners = selectOwners
