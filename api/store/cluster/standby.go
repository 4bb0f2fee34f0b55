package cluster

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5"
)

// Standby starts a copy of a running cluster in c.Dir, and makes it first if there is none. The copy follows the
// cluster by streaming replication under the name standby, and can be read. It needs Postgres' own pg_basebackup.
func (cl *Cluster) Standby(ctx context.Context, c Config) (*Cluster, error) {
	account, binaries, dataDir, err := placeOf(c)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(dataDir, "PG_VERSION")); errors.Is(err, os.ErrNotExist) {
		err := account.run(ctx, filepath.Join(binaries, "pg_basebackup"), "-D", dataDir, "-R", "-X", "stream", "-c", "fast",
			"-d", "host="+cl.socketDir+" user="+role+" application_name=standby")
		if err != nil {
			return nil, err
		}
	}
	return start(ctx, c, account, binaries, dataDir)
}

// Promote makes a standby a primary, and returns when it is one.
func (cl *Cluster) Promote(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, cl.DatabaseURL("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var promoted bool
	if err := conn.QueryRow(ctx, "select pg_promote()").Scan(&promoted); err != nil {
		return err
	} else if !promoted {
		return errors.New("cluster: the standby was not promoted within a minute")
	}
	return nil
}

// FailoverURL is the connection string of the cluster's own database, on whichever of these is the primary.
func (cl *Cluster) FailoverURL(other *Cluster) string {
	return cl.url(role, cl.socketDir+","+other.socketDir) + "&target_session_attrs=read-write"
}
