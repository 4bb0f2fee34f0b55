package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"flashdex/api/store"
	"flashdex/result"
)

// Dated snapshots never change, and one that holds a result which was taken back is withdrawn. Whoever publishes must have them all, so the
// database knows which data folder they are in, and nobody publishes into another.

// folderName is the file that names a data folder. It goes where the snapshots go.
const folderName = "folder"

// folder names the data folder, at random when it is new.
func (f publicationFlags) folder() (string, error) {
	path := filepath.Join(f.dataset(), folderName)
	name, err := os.ReadFile(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return string(name), err
	}
	if err := os.MkdirAll(f.dataset(), 0o755); err != nil {
		return "", err
	}
	fresh := result.NewID()
	temporary := path + "." + fresh
	if err := os.WriteFile(temporary, []byte(fresh), 0o644); err != nil {
		return "", err
	}
	defer os.Remove(temporary)
	// Of several that start at once, one names it.
	if err := os.Link(temporary, path); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	name, err = os.ReadFile(path)
	return string(name), err
}

// claim makes the data folder the one that the database's publications are kept in. That another one is, is an error unless anyway is true.
func (f publicationFlags) claim(ctx context.Context, db *store.Store, anyway bool) error {
	folder, err := f.folder()
	if err != nil {
		return err
	}
	kept, err := db.KeepIn(ctx, folder, anyway)
	if err != nil {
		return err
	}
	if kept != folder {
		return fmt.Errorf("the publications and snapshots of this database are kept in another data folder than %s, so nothing was published: all workers share one, on a network file system if they are on several machines. "+
			"Mount that one here. If it is lost for good, \"api adopt\" has this one take its place, without the dated snapshots that only the other holds", f.DataDir)
	}
	return nil
}

// foreign says in one sentence that the data folder is not the one that the database's publications are kept in; empty if it is, or nobody has
// published yet. It writes nothing.
func (f publicationFlags) foreign(ctx context.Context, db *store.Store) (warning string, err error) {
	kept, err := db.KeptIn(ctx)
	if err != nil || kept == "" {
		return "", err
	}
	folder, err := os.ReadFile(filepath.Join(f.dataset(), folderName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) || string(folder) == kept {
		return "", err
	}
	return fmt.Sprintf("the pages in %s are not those of this database, whose publications are kept in another data folder: mount that one here. Uploads are taken, and nothing is lost", f.DataDir), nil
}

// adoptCmd is for when the data folder was lost.
type adoptCmd struct {
	database
	DataDir string `default:"var" env:"FLASHDEX_DATA_DIR" type:"path" help:"The folder."`
}

func (c adoptCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(db *store.Store) error { return publicationFlags{DataDir: c.DataDir}.claim(ctx, db, true) })
}
