package cluster

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	embeddedpostgres "github.com/fergusstrange/embedded-postgres"
)

const oldestMajor = 15

// findBinaries returns the directory with postgres and initdb: the system's newest if it is recent enough, else those
// that were or are fetched into the account's directory.
func findBinaries(a account, log func(string)) (string, error) {
	candidates, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // Debian's; not on the PATH
	slices.Sort(candidates)
	slices.Reverse(candidates)
	if program, err := exec.LookPath("postgres"); err == nil {
		candidates = append(candidates, filepath.Dir(program))
	}
	fetched := filepath.Join(a.dir, "binaries")
	candidates = append(candidates, filepath.Join(fetched, "bin"))
	for _, dir := range candidates {
		if major, err := majorVersion(dir); err == nil && major >= oldestMajor {
			if _, err := os.Stat(filepath.Join(dir, "initdb")); err == nil {
				return dir, nil
			}
		}
	}
	log("fetching Postgres, because this system has no Postgres 15 or later (about 15 MB)")
	if err := fetch(fetched, a); err != nil {
		return "", fmt.Errorf("there is no Postgres and it could not be fetched: connect to the network, or install it (on Debian: apt install postgresql), and try again. The cause: %w", err)
	}
	return filepath.Join(fetched, "bin"), nil
}

// fetch has embedded-postgres download its binaries into dir. The library can only do so as a part of starting a
// server, which it refuses to do for root after the download; so what counts is what lies in dir afterwards.
func fetch(dir string, a account) (err error) {
	scratch, err := os.MkdirTemp("", "flashdex-fetch-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	port, err := freePort()
	if err != nil {
		return err
	}
	partial := dir + ".new"
	if err := os.RemoveAll(partial); err != nil {
		return err
	}
	server := embeddedpostgres.NewDatabase(embeddedpostgres.DefaultConfig().
		Version(embeddedpostgres.V15).Port(port).Logger(io.Discard).StartTimeout(time.Minute).
		BinariesPath(partial).CachePath(filepath.Join(scratch, "cache")).RuntimePath(filepath.Join(scratch, "run")))
	startErr := server.Start()
	if startErr == nil {
		if err := server.Stop(); err != nil {
			return err
		}
	}
	if _, err := os.Stat(filepath.Join(partial, "bin", "postgres")); err != nil {
		return startErr
	}
	if err := a.readable(partial); err != nil {
		return err
	}
	return os.Rename(partial, dir)
}

func (a account) readable(dir string) error { return os.Chmod(dir, 0o755) }

func freePort() (uint32, error) {
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return uint32(listener.Addr().(*net.TCPAddr).Port), nil
}
