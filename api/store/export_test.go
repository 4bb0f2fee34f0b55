package store

import "time"

// Tests hold changes for as long as the machine takes.
func init() { changeTimeout = time.Hour }

// TallyFrom has the summaries of modules with so many units brought up to date rather than made anew.
func TallyFrom(units int) { tallyFrom = units }

// SelectProfiled is the statement whose plan is tested.
var SelectProfiled = selectProfiled

// Spread has uploads stored as on Citus.
func (s *Store) Spread() { s.spread = true }
