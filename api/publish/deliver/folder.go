package deliver

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// folder is a place on this machine.
type folder string

func (f folder) at(name string) string { return filepath.Join(string(f), filepath.FromSlash(name)) }

// Read implements Place.
func (f folder) Read(_ context.Context, name string) ([]byte, error) { return os.ReadFile(f.at(name)) }

// Put implements Place. It writes each file beside the target and renames it.
func (f folder) Put(ctx context.Context, from string, names []string) error {
	for _, name := range names {
		to := f.at(name)
		text, err := os.ReadFile(folder(from).at(name))
		if err = errors.Join(ctx.Err(), err, os.MkdirAll(filepath.Dir(to), 0o755)); err != nil {
			return err
		}
		fresh := to + ".new"
		if err = os.WriteFile(fresh, text, 0o644); err == nil {
			err = os.Rename(fresh, to)
		}
		if err != nil {
			return errors.Join(err, os.RemoveAll(fresh))
		}
	}
	return nil
}

// Remove implements Place. It also removes folders that are empty then.
func (f folder) Remove(_ context.Context, names []string) error {
	for _, name := range names {
		if err := os.Remove(f.at(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for dir := filepath.Dir(filepath.FromSlash(name)); dir != "."; dir = filepath.Dir(dir) {
			if os.Remove(f.at(dir)) != nil { // it isn't empty
				break
			}
		}
	}
	return nil
}
