package measure

import (
	"context"
	"math/rand/v2"
	"os"
	"syscall"

	"flashdex/client/direct"
	"flashdex/result"
)

// own is the client's own engine, for machines whose dd is missing or doesn't do direct I/O.
type own struct {
	file   *os.File
	start  int64 // of the area in it
	write  bool
	memory []byte // a chunk to write, or one operation to read
	free   func()
	random *rand.ChaCha8
}

func (r *Run) newOwn(test string, a *area, chunkBytes int64) (engine, error) {
	file, err := a.direct(syscall.O_RDWR)
	if err != nil {
		return nil, err
	}
	o := &own{file: file, start: a.start, write: test == result.SeqWrite, random: newRandom()}
	size := int64(linearBytes)
	if o.write {
		size = chunkBytes
	}
	if o.memory, o.free, err = direct.Memory(size); err != nil {
		file.Close()
		return nil, err
	}
	return o, nil
}

// ownName is how results name the client as an engine.
const ownName = "flashdex"

func (o *own) name() (name, version string) { return ownName, "" }

func (o *own) close() {
	o.free()
	o.file.Close()
}

func (o *own) prepare(bytes int64) error {
	if o.write {
		o.random.Read(o.memory[:bytes]) // never fails
	}
	return nil
}

func (o *own) transfer(ctx context.Context, offset, bytes int64) error {
	for done := int64(0); done < bytes && ctx.Err() == nil; done += linearBytes {
		var err error
		if o.write {
			_, err = o.file.WriteAt(o.memory[done:done+linearBytes], o.start+offset+done)
		} else {
			_, err = o.file.ReadAt(o.memory, o.start+offset+done)
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}
