package snapshot

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"os"
	"path/filepath"

	"flashdex/api/dataset"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// output is a file that is hashed, and packed if its name ends in .gz or .zst, while it is written.
type output struct {
	io.Writer
	file   *os.File
	buffer *bufio.Writer
	packer io.WriteCloser // nil: it isn't packed
	hash   hash.Hash
}

func create(path string) (*output, error) {
	// A file that is already there may share its bytes with a dated snapshot.
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	o := &output{file: file, buffer: bufio.NewWriterSize(file, 256<<10), hash: sha256.New()}
	o.Writer = io.MultiWriter(o.buffer, o.hash)
	switch filepath.Ext(path) {
	case ".gz":
		// Level 2 is as quick as level 1 for samples, which are nearly all bytes, and packs better.
		o.packer, err = gzip.NewWriterLevel(o.Writer, 2)
	case ".zst":
		// With two workers, it packs one block while the next is written.
		o.packer, err = zstd.NewWriter(o.Writer, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(2),
			zstd.WithWindowSize(64<<10))
	}
	if o.packer != nil {
		o.Writer = o.packer
	}
	return o, err
}

// close closes the file and describes it.
func (o *output) close(description string) (dataset.File, error) {
	var err error
	if o.packer != nil {
		err = o.packer.Close()
	}
	err = errors.Join(err, o.buffer.Flush())
	info, errStat := o.file.Stat()
	if err = errors.Join(err, errStat, o.file.Close()); err != nil {
		return dataset.File{}, err
	}
	return dataset.File{
		Name: info.Name(), Bytes: info.Size(), SHA256: hex.EncodeToString(o.hash.Sum(nil)), Description: description,
	}, nil
}
