// Package fakecard is a flash module whose speed is known. It is an NBD server that keeps its data in a file and lets
// every write take the time of a simple model of a cheap card. Its log lists every write with the time when it was
// done. Tests compare figures measured through QEMU with it.
package fakecard

import (
	"os"
	"slices"
	"sync"
	"time"
)

const (
	// BlockBytes is the unit that the model charges for. QEMU's SD card writes a block in eight pieces; they cost once.
	BlockBytes = 4096
	// AllocationUnitBytes is the unit that a card keeps open, or merges, as a whole.
	AllocationUnitBytes = 4 << 20
)

// Model gives the cost of operations. A block that follows the one before costs its share of the linear speed. Any
// other is a random block: it costs Hit in one of the Open allocation units that were written last, otherwise Merge.
// One in every GCEvery random writes costs GC more. The zero Model costs nothing.
type Model struct {
	Open       int
	Hit, Merge time.Duration
	GCEvery    int64 // 0 for never
	GC         time.Duration

	ReadLatency time.Duration // of a read that doesn't follow the one before
	WriteMBPerS float64       // linear, 10^6 bytes per second; 0 for no limit
	ReadMBPerS  float64
}

// Steady returns a card whose random writes all take equally long, and whose linear writes run at 40 MB/s.
func Steady(iops float64) Model {
	return Model{Merge: time.Duration(float64(time.Second) / iops), WriteMBPerS: 40, ReadMBPerS: 40}
}

// Write is one block that was written.
type Write struct {
	Block      int64
	Sequential bool // it followed the block before
	Cost       time.Duration
	Done       time.Duration // since the card was made; of its last piece
}

// Card is a module in service. Its methods may be called while it serves.
type Card struct {
	model Model
	file  *os.File
	bytes int64
	start time.Time

	mu       sync.Mutex
	writes   []Write
	open     []int64 // allocation units, the one written last at the end
	random   int64   // writes so far
	nextRead int64   // offset that continues the last read
	owed     time.Duration
}

// New returns a card with the content and size of file.
func New(file *os.File, model Model) (*Card, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return &Card{model: model, file: file, bytes: info.Size(), start: time.Now(), nextRead: -1}, nil
}

// Writes returns the log so far.
func (c *Card) Writes() []Write {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.writes)
}

func (c *Card) write(data []byte, offset int64) error {
	if _, err := c.file.WriteAt(data, offset); err != nil {
		return err
	}
	if len(data) == 0 {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for block := offset / BlockBytes; block <= (offset+int64(len(data))-1)/BlockBytes; block++ {
		if last := len(c.writes) - 1; last < 0 || c.writes[last].Block != block {
			c.writes = append(c.writes, c.charge(block))
			c.pay(c.writes[len(c.writes)-1].Cost)
		}
		c.writes[len(c.writes)-1].Done = time.Since(c.start)
	}
	return nil
}

// charge returns the cost of writing block after the writes before it.
func (c *Card) charge(block int64) Write {
	if last := len(c.writes) - 1; last >= 0 && c.writes[last].Block+1 == block {
		return Write{Block: block, Sequential: true, Cost: transfer(BlockBytes, c.model.WriteMBPerS)}
	}
	w := Write{Block: block, Cost: c.model.Merge}
	unit := block * BlockBytes / AllocationUnitBytes
	if at := slices.Index(c.open, unit); at >= 0 {
		w.Cost = c.model.Hit
		c.open = slices.Delete(c.open, at, at+1)
	}
	c.open = append(c.open, unit)
	c.open = c.open[max(0, len(c.open)-c.model.Open):]
	if c.random++; c.model.GCEvery > 0 && c.random%c.model.GCEvery == 0 {
		w.Cost += c.model.GC
	}
	return w
}

func (c *Card) read(data []byte, offset int64) error {
	if _, err := c.file.ReadAt(data, offset); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	// The pieces of one block, and a read that continues the last one, are no new access.
	if offset/BlockBytes != c.nextRead/BlockBytes && offset != c.nextRead {
		c.pay(c.model.ReadLatency)
	}
	c.nextRead = offset + int64(len(data))
	c.pay(transfer(len(data), c.model.ReadMBPerS))
	return nil
}

func transfer(bytes int, mbPerS float64) time.Duration {
	if mbPerS == 0 {
		return 0
	}
	return time.Duration(float64(bytes) / mbPerS * 1e3)
}

// pay waits. A sleep is never exact: pay subtracts its excess from the next one, and adds times that are too short to
// sleep, so that the mean is the model's.
func (c *Card) pay(cost time.Duration) {
	c.owed += cost
	if c.owed < 500*time.Microsecond {
		return
	}
	before := time.Now()
	time.Sleep(c.owed)
	c.owed -= time.Since(before)
}
