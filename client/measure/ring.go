package measure

import (
	"errors"
	"os"
	"syscall"

	"flashdex/client/direct"
)

// ringFiles is how many files a ring has at most. A recorder deletes the oldest for each new one.
const ringFiles = 8

// ring is what a recorder writes: one file after the other, with the oldest deleted when there are ringFiles. They have
// no names, so whatever ends the client deletes them.
type ring struct {
	dir       string
	fileBytes int64
	files     []*os.File
}

// at returns the file for what is so many bytes from the beginning of the stream, and the position in it.
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

// sync has the module take everything that was written. Older files were written out by direct I/O, but not all that
// the file system notes of them.
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
