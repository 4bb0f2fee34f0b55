package store

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
)

// TokenKeys returns the keys that run tokens may be signed with, at least one. The first signs new ones.
func (s *Store) TokenKeys(ctx context.Context) (keys [][32]byte, err error) {
	rows, _ := s.pool.Query(ctx, "select token_keys()")
	keys, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (key [32]byte, err error) {
		var bytes []byte
		err = row.Scan(&bytes)
		copy(key[:], bytes)
		return key, err
	})
	if err == nil && len(keys) == 0 {
		err = errors.New("store: there is no key for run tokens; make one with: select new_token_key()")
	}
	return keys, wrap(err)
}
