package cluster

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"

	embeddedpostgres "github.com/fergusstrange/embedded-postgres"
)

const oldestMajor = 15

// findBinaries returns the directory with postgres and initdb, and their major version: the newest of the system's if
// it is new enough, otherwise the fetched ones in dir.
func findBinaries(dir string, log func(string)) (binaries, major string, err error) {
	candidates, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // Debian's; not on the PATH
	slices.Sort(candidates)
	slices.Reverse(candidates)
	if program, err := exec.LookPath("postgres"); err == nil {
		candidates = append(candidates, filepath.Dir(program))
	}
	fetched := filepath.Join(dir, "binaries")
	candidates = append(candidates, filepath.Join(fetched, "bin"))
	for _, dir := range candidates {
		version, _ := exec.Command(filepath.Join(dir, "postgres"), "--version").Output()
		var major int // postgres (PostgreSQL) 15.18 (Debian …)
		_, _ = fmt.Sscanf(string(version), "postgres (PostgreSQL) %d", &major)
		if _, err := os.Stat(filepath.Join(dir, "initdb")); err == nil && major >= oldestMajor {
			return dir, strconv.Itoa(major), nil
		}
	}
	log("fetching Postgres, because this system has no Postgres 15 or later (about 15 MB)")
	if err := fetch(fetched); err != nil {
		return "", "", fmt.Errorf("there is no Postgres, and it could not be fetched: connect to the network, or install "+
			"it (on Debian: apt install postgresql), and try again. The cause: %w", err)
	}
	return filepath.Join(fetched, "bin"), strconv.Itoa(oldestMajor), nil
}

// fetch downloads Postgres into dir with the library embedded-postgres. The library only downloads when it starts a
// server, and port 0 prevents the start. So only the files in dir tell whether the download succeeded.
func fetch(dir string) (err error) {
	scratch, err := os.MkdirTemp("", "flashdex-fetch-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	partial := dir + ".new"
	if err := os.RemoveAll(partial); err != nil {
		return err
	}
	startErr := embeddedpostgres.NewDatabase(embeddedpostgres.DefaultConfig().
		Version(embeddedpostgres.V15).Port(0).Logger(io.Discard).BinariesPath(partial).
		CachePath(filepath.Join(scratch, "cache")).RuntimePath(filepath.Join(scratch, "run"))).Start()
	if _, err := os.Stat(filepath.Join(partial, "bin", "postgres")); err != nil {
		return startErr
	}
	return errors.Join(os.Chmod(partial, 0o755), os.Rename(partial, dir))
}
