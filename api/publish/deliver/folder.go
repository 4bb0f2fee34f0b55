package deliver

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// folder is a place on this machine.
type folder string

func (f folder) at(name string) string { return filepath.Join(string(f), filepath.FromSlash(name)) }

// Read implements Place.
func (f folder) Read(_ context.Context, name string) ([]byte, error) { return os.ReadFile(f.at(name)) }

// Put implements Place.
func (f folder) Put(ctx context.Context, from string, names []string) error {
	for _, name := range names {
		if err := errors.Join(ctx.Err(), f.copy(folder(from).at(name), f.at(name))); err != nil {
			return err
		}
	}
	return nil
}

// copy writes a file beside the target and renames it.
func (f folder) copy(from, to string) (err error) {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	fresh := to + ".new"
	out, err := os.OpenFile(fresh, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Close()); err != nil {
		return errors.Join(err, os.Remove(fresh))
	}
	return os.Rename(fresh, to)
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
