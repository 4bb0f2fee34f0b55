package verify

import (
	"io"
	"math/rand/v2"
	"syscall"
	"time"
)

// simulated is a device of claimed bytes in memory. Blocks that were never written are zero.
type simulated struct {
	claims int64
	// where maps a block to the block that really stores it; ok is false if none does.
	where func(block int64) (at int64, ok bool)
	lost  error // of lost writes; nil if the device is silent
	// answer fills in the data of memory that doesn't exist; nil: zeros.
	answer func(s *simulated, block int64, data []byte)
	// flips changes the data that memory holds; nil: nothing.
	flips func(block int64, data []byte)

	cacheBlocks int // a volatile cache answers for the blocks that were written last, real or not
	headBlocks  int // a cache answers for the blocks that were written first, real or not
	aliveBlocks int // after so many blocks, all writes are lost; 0: none
	bad         []badRegion

	writes        int   // so far
	writtenBlocks int   // so far
	cost          cost  // so far
	last          int64 // the block of the last transfer

	memory, cache, head blockStore
	order               []int64 // of the blocks in the cache
}

// badRegion is a part of an honest module that no longer works.
type badRegion struct {
	from, to int64 // blocks
	how      badness
}

type badness int

const (
	readFails badness = iota
	writeFails
	flipsBits
	readsZero
	readsOnes
	keepsOld  // writes are lost
	readsLast // the last transfer comes back
	isSlow    // everything takes seconds
	badnesses
)

// cost is the load that a probe puts on a device.
type cost struct {
	Requests                int
	WrittenBytes, ReadBytes int64
	Took                    time.Duration // at 10 MB/s in requests of less than a MiB, and 90 MB/s in longer ones
}

func (c *cost) add(bytes int) {
	rate := 90e6
	if bytes < 1<<20 {
		rate = 10e6
	}
	c.Requests++
	c.Took += time.Duration(float64(bytes) / rate * 1e9)
}

// blockStore holds the blocks that were written.
type blockStore struct {
	at   map[int64]int
	data [][]byte
	free []int
}

func (b *blockStore) put(block int64, data []byte) {
	i, known := b.at[block]
	switch n := len(b.free); {
	case known:
	case n > 0:
		i, b.free = b.free[n-1], b.free[:n-1]
	default:
		const together = 64
		pages := make([]byte, together*blockBytes)
		for at := 0; at < len(pages); at += blockBytes {
			b.free = append(b.free, len(b.data))
			b.data = append(b.data, pages[at:at+blockBytes])
		}
		b.put(block, data)
		return
	}
	if b.at == nil {
		b.at = map[int64]int{}
	}
	b.at[block] = i
	copy(b.data[i], data)
}

func (b *blockStore) get(block int64, data []byte) bool {
	i, known := b.at[block]
	if known {
		copy(data, b.data[i])
	}
	return known
}

func (b *blockStore) drop(block int64) {
	if i, known := b.at[block]; known {
		b.free = append(b.free, i)
		delete(b.at, block)
	}
}

// reset makes an empty store that keeps its memory.
func (b *blockStore) reset() {
	for block := range b.at {
		b.drop(block)
	}
}

func newSimulated(claims int64, where func(int64) (int64, bool)) *simulated {
	return &simulated{claims: claims, where: where}
}

func (s *simulated) badAt(block int64) (badness, bool) {
	for _, region := range s.bad {
		if block >= region.from && block < region.to {
			return region.how, true
		}
	}
	return 0, false
}

func (s *simulated) WriteAt(p []byte, offset int64) (int, error) {
	s.writes++
	s.cost.add(len(p))
	s.cost.WrittenBytes += int64(len(p))
	for done := 0; done < len(p); done += blockBytes {
		block, data := (offset+int64(done))/blockBytes, p[done:][:blockBytes]
		s.last = block
		s.writtenBlocks++
		if s.cacheBlocks > 0 {
			s.cache.put(block, data)
			if s.order = append(s.order, block); len(s.order) > s.cacheBlocks {
				s.cache.drop(s.order[0])
				s.order = s.order[1:]
			}
		}
		if len(s.head.at) < s.headBlocks {
			s.head.put(block, data)
			continue
		}
		how, isBad := s.badAt(block)
		if isBad && how == writeFails {
			return done, syscall.EIO
		}
		at, ok := s.where(block)
		if !ok && s.lost != nil {
			return done, s.lost
		}
		isDead := s.aliveBlocks > 0 && s.writtenBlocks > s.aliveBlocks
		if ok && !isDead && !(isBad && how == keepsOld) {
			s.memory.put(at, data)
		}
	}
	return len(p), nil
}

func (s *simulated) ReadAt(p []byte, offset int64) (int, error) {
	if offset+int64(len(p)) > s.claims {
		return 0, io.EOF
	}
	s.cost.add(len(p))
	s.cost.ReadBytes += int64(len(p))
	for done := 0; done < len(p); done += blockBytes {
		block, data := (offset+int64(done))/blockBytes, p[done:][:blockBytes]
		if err := s.readBlock(block, data); err != nil {
			return done, err
		}
		s.last = block
	}
	return len(p), nil
}

func (s *simulated) readBlock(block int64, data []byte) error {
	if s.head.get(block, data) || s.cache.get(block, data) {
		return nil
	}
	clear(data)
	at, ok := s.where(block)
	switch {
	case ok:
		s.memory.get(at, data)
		if s.flips != nil {
			s.flips(block, data)
		}
	case s.lost != nil:
		return s.lost
	case s.answer != nil:
		s.answer(s, block, data)
	}
	how, isBad := s.badAt(block)
	switch {
	case !isBad:
	case how == isSlow:
		s.cost.Took += 3e9
	case how == readFails:
		return syscall.EIO
	case how == flipsBits:
		data[block*67%blockBytes] ^= 4
	case how == readsZero:
		clear(data)
	case how == readsOnes:
		fill(data, 0xff)
	case how == readsLast:
		lastTransfer(s, block, data)
	}
	return nil
}

func (s *simulated) Sync() error { return nil }

func fill(data []byte, with byte) {
	for i := range data {
		data[i] = with
	}
}

// lastTransfer and the next functions answer for memory that doesn't exist.
func lastTransfer(s *simulated, _ int64, data []byte) { // as what a reader has in its buffer
	clear(data)
	if at, ok := s.where(s.last); ok {
		s.memory.get(at, data)
	}
}
func allOnes(_ *simulated, _ int64, data []byte) { fill(data, 0xff) }
func earlierRun(_ *simulated, block int64, data []byte) {
	Build(data, 4711, block*blockSectors)
}
func formerFiles(_ *simulated, block int64, data []byte) {
	random := rand.New(rand.NewPCG(uint64(block), 0))
	for i := range data {
		data[i] = byte(random.Uint32())
	}
}

func honest(block int64) (int64, bool) { return block, true }

func limited(real int64) func(int64) (int64, bool) {
	return func(block int64) (int64, bool) { return block, block < real }
}

func wrapped(real int64) func(int64) (int64, bool) {
	return func(block int64) (int64, bool) { return block % real, true }
}
