package measure

import (
	"errors"
	"os"
	"syscall"

	"flashdex/client/direct"
)

// ringFiles is how many files a ring has at most. A recorder deletes the oldest for each new one.
const ringFiles = 8

// ring holds the files of a recorder, which writes one file after the other. Once there are ringFiles of them, each new
// file replaces the oldest. The files have no names, so they go when the client ends, however it ends.
type ring struct {
	dir       string
	fileBytes int64
	files     []*os.File
}

// at returns the file, and the position in it, that a position in the stream belongs to.
func (r *ring) at(streamBytes int64) (*os.File, int64, error) {
	if streamBytes%r.fileBytes == 0 {
		if len(r.files) == ringFiles {
			if err := r.files[0].Close(); err != nil {
				return nil, 0, err
			}
			r.files = r.files[1:]
		}
		file, err := direct.UnnamedFile(r.dir, syscall.O_DIRECT)
		if err != nil {
			return nil, 0, err
		}
		r.files = append(r.files, file)
	}
	return r.files[len(r.files)-1], streamBytes % r.fileBytes, nil
}

// sync makes the module take everything that was written. Direct I/O wrote the data of older files, but not all of the
// file system's records of them.
func (r *ring) sync() error {
	var errs []error
	for _, file := range r.files {
		errs = append(errs, file.Sync())
	}
	return errors.Join(errs...)
}

func (r *ring) close() {
	for _, file := range r.files {
		file.Close()
	}
}
