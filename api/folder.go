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

// Dated snapshots of the data set never change, but a snapshot with a deleted result is withdrawn. So every publisher
// must have all snapshots. The database records which data folder holds them, and nobody publishes into another.

// folderName is the file with a data folder's name. It is beside the snapshots, so that it moves with them.
const folderName = "folder"

// folder returns the data folder's name, and gives a new folder a random one.
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
	// If several processes start at once, the first one names it.
	if err := os.Link(temporary, path); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	name, err = os.ReadFile(path)
	return string(name), err
}

// claim records that this data folder holds the database's publications. If another folder does, claim fails unless
// anyway is true.
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
		return fmt.Errorf("the publications and snapshots of this database are kept in another data folder than %s, "+
			"so nothing was published: all workers share one folder, on a network file system if they run on several "+
			"machines. Mount that folder here. If it is lost for good, run \"api adopt\" to continue in this one, "+
			"without the dated snapshots that only the other one holds", f.DataDir)
	}
	return nil
}

// foreign returns a warning if another data folder holds the database's publications. It is empty if this one does or
// if nobody has published yet. foreign writes nothing.
func (f publicationFlags) foreign(ctx context.Context, db *store.Store) (warning string, err error) {
	kept, err := db.KeptIn(ctx)
	if err != nil || kept == "" {
		return "", err
	}
	folder, err := os.ReadFile(filepath.Join(f.dataset(), folderName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) || string(folder) == kept {
		return "", err
	}
	return fmt.Sprintf("the pages in %s belong to another database: the publications of this one are kept in another "+
		"data folder. Mount that folder here. Uploads are accepted, and nothing is lost", f.DataDir), nil
}

// adoptCmd is for a data folder that was lost.
type adoptCmd struct {
	database
	DataDir string `default:"var" type:"path" help:"Data folder that continues."`
}

func (c adoptCmd) Run(ctx context.Context) error {
	return c.with(ctx, func(db *store.Store) error { return publicationFlags{DataDir: c.DataDir}.claim(ctx, db, true) })
}
