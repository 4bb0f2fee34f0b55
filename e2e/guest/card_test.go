package guest

import (
	"cmp"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const (
	// cardBlockBytes is the unit that the model charges for. QEMU's SD card writes a block in eight pieces, which are
	// charged once.
	cardBlockBytes = 4096
	// allocationUnitBytes is the unit that a card keeps open, or merges, as a whole.
	allocationUnitBytes = 4 << 20
)

// cardModel gives the cost of operations. A block right after the last one costs its share of the linear speed. Any
// other block is a random one. It costs Hit in one of the Open allocation units that were written last, otherwise
// Merge. One in every GCEvery random writes costs GC more. The zero cardModel costs nothing.
type cardModel struct {
	Open       int
	Hashed     bool // each unit can be open only in the one of Open places that its number hashes to
	Hit, Merge time.Duration
	GCEvery    int64 // 0 for never
	GC         time.Duration
	StallEvery int64           // blocks, in a line or not; 0 for never
	Stalls     []time.Duration // how much longer such a block takes, one after the other
	UnitBytes  int64           // that it keeps open, or merges, as a whole; 0: allocationUnitBytes
	Alone      bool            // a request of a block or less is random, even right after the last one
	PageBytes  int64           // 0: none
	Cross      time.Duration   // of such a request that crosses a boundary of pages

	Cache  int           // how many random blocks it takes in the time of a hit; 0: none
	Drains time.Duration // rest in which it makes room for one of them
	Fresh  int64         // how many blocks, in a line or not, it takes before the first merge; 0: none

	LosesBytes int64 // right after a discarded range; 0: none

	ReadLatency time.Duration // of a read that doesn't follow the one before
	Slots       int           // requests that it does at once, each in the time of a random one; 0: one, as above
	WriteMBPerS float64       // linear, 10^6 bytes per second; 0 for no limit
	ReadMBPerS  float64
}

// steadyCard returns a card whose random writes all take equally long, and whose linear writes run at 40 MB/s.
func steadyCard(iops float64) cardModel {
	return cardModel{Merge: time.Duration(float64(time.Second) / iops), WriteMBPerS: 40, ReadMBPerS: 40}
}

// cardWrite is one block that was written.
type cardWrite struct {
	Block      int64
	Sequential bool // it followed the block before
	Cost       time.Duration
	Done       time.Duration // since the card was made; of its last piece
}

// fakeCard is a flash module of known speed. It is an NBD server that keeps its data in a file and makes every write
// take the time of a simple model of a cheap card. Its log lists every write and the time when it was done. Tests
// compare the log with figures measured through QEMU. Its methods may be called while it serves.
type fakeCard struct {
	model cardModel
	file  *os.File
	bytes int64
	start time.Time

	holds    atomic.Pointer[hold] // the next write, unless it is nil
	discards atomic.Int64         // that it was asked for

	mu       sync.Mutex
	writes   []cardWrite
	open     []int64 // allocation units, the most recently written one last
	random   int64   // writes so far
	nextRead int64   // offset that continues the last read
	owed     time.Duration
	stalls   int
	cached   float64 // blocks
}

// newCard returns a card with the content and size of file.
func newCard(file *os.File, model cardModel) (*fakeCard, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return &fakeCard{model: model, file: file, bytes: info.Size(), start: time.Now(), nextRead: -1}, nil
}

// insertCard puts a card of the given size in service until the test ends, and returns the address of its socket. Its
// image is in the folder temp, or in the usual one if temp is empty. fill, unless it is nil, may first write to the
// image.
func insertCard(
	t testing.TB, temp string, bytes int64, model cardModel, fill func(image string),
) (card *fakeCard, address string) {
	t.Helper()
	// t.TempDir contains the test's name. A socket's path must be short, and an option of QEMU has no comma.
	dir, err := os.MkdirTemp(temp, "card-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	image := filepath.Join(dir, "image")
	file, err := os.Create(image)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	if err := file.Truncate(bytes); err != nil {
		t.Fatal(err)
	}
	if fill != nil {
		fill(image)
	}
	// The file has no name from here on, so nothing can leave it behind.
	if err := os.Remove(image); err != nil {
		t.Fatal(err)
	}
	if card, err = newCard(file, model); err != nil {
		t.Fatal(err)
	}
	address = filepath.Join(dir, "socket")
	listener, err := net.Listen("unix", address)
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- card.Serve(listener) }()
	t.Cleanup(func() {
		listener.Close()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return card, address
}

// Writes returns the log so far.
func (c *fakeCard) Writes() []cardWrite {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.writes)
}

// hold is a write that waits.
type hold struct{ came, goes chan struct{} }

// hold waits for the next write to the card. The write is done, but not answered before release.
func (c *fakeCard) hold() (release func()) {
	h := &hold{make(chan struct{}), make(chan struct{})}
	c.holds.Store(h)
	<-h.came
	return sync.OnceFunc(func() { close(h.goes) })
}

func (c *fakeCard) write(data []byte, offset int64) error {
	defer func() {
		if h := c.holds.Swap(nil); h != nil {
			close(h.came)
			<-h.goes
		}
	}()
	if _, err := c.file.WriteAt(data, offset); err != nil {
		return err
	}
	if len(data) == 0 {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.model.Slots > 1 {
		w := cardWrite{Block: offset / cardBlockBytes, Cost: c.model.Hit, Done: time.Since(c.start)}
		c.writes = append(c.writes, w)
		c.outside(c.model.Hit + transfer(len(data)-cardBlockBytes, c.model.WriteMBPerS))
		return nil
	}
	alone := c.model.Alone && len(data) <= cardBlockBytes
	if page := c.model.PageBytes; alone && page > 0 && offset/page < (offset+int64(len(data))-1)/page {
		c.pay(c.model.Cross)
	}
	for block := offset / cardBlockBytes; block <= (offset+int64(len(data))-1)/cardBlockBytes; block++ {
		first := alone && block == offset/cardBlockBytes
		if last := len(c.writes) - 1; first || last < 0 || c.writes[last].Block != block {
			w := c.charge(block, first)
			if every := c.model.StallEvery; every > 0 && int64(len(c.writes))%every == every-1 {
				w.Cost += c.model.Stalls[c.stalls%len(c.model.Stalls)]
				c.stalls++
			}
			c.writes = append(c.writes, w)
			c.pay(c.writes[len(c.writes)-1].Cost)
		}
		c.writes[len(c.writes)-1].Done = time.Since(c.start)
	}
	return nil
}

// charge returns the cost of writing block after the writes before it, or at random.
func (c *fakeCard) charge(block int64, random bool) cardWrite {
	if last := len(c.writes) - 1; !random && last >= 0 && c.writes[last].Block+1 == block {
		return cardWrite{Block: block, Sequential: true, Cost: transfer(cardBlockBytes, c.model.WriteMBPerS)}
	}
	w := cardWrite{Block: block, Cost: c.model.Merge}
	unit := block * cardBlockBytes / cmp.Or(c.model.UnitBytes, allocationUnitBytes)
	if at := slices.Index(c.open, unit); at >= 0 {
		w.Cost = c.model.Hit
		c.open = slices.Delete(c.open, at, at+1)
	}
	if c.model.Cache > 0 {
		w.Cost = c.intoCache()
	}
	if int64(len(c.writes)) < c.model.Fresh {
		w.Cost = c.model.Hit
	}
	if c.model.Hashed {
		place := func(unit int64) uint64 { return uint64(unit) * 0x9e3779b97f4a7c15 >> 40 % uint64(c.model.Open) }
		c.open = slices.DeleteFunc(c.open, func(other int64) bool { return place(other) == place(unit) })
	}
	c.open = append(c.open, unit)
	c.open = c.open[max(0, len(c.open)-c.model.Open):]
	if c.random++; c.model.GCEvery > 0 && c.random%c.model.GCEvery == 0 {
		w.Cost += c.model.GC
	}
	return w
}

// intoCache returns the cost of a random block of a card with a cache.
func (c *fakeCard) intoCache() time.Duration {
	if last := len(c.writes) - 1; last >= 0 {
		rest := time.Since(c.start) - c.writes[last].Done
		c.cached = max(c.cached-float64(rest)/float64(c.model.Drains), 0)
	}
	if c.cached+1 > float64(c.model.Cache) {
		return c.model.Merge
	}
	c.cached++
	return c.model.Hit
}

func (c *fakeCard) read(data []byte, offset int64) error {
	if _, err := c.file.ReadAt(data, offset); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.model.Slots > 1 {
		c.outside(c.model.ReadLatency + transfer(len(data)-cardBlockBytes, c.model.ReadMBPerS))
		return nil
	}
	// The pieces of one block, and a read that continues the last one, are no new access.
	if offset/cardBlockBytes != c.nextRead/cardBlockBytes && offset != c.nextRead {
		c.pay(c.model.ReadLatency)
	}
	c.nextRead = offset + int64(len(data))
	c.pay(transfer(len(data), c.model.ReadMBPerS))
	return nil
}

// discard keeps the data, as a card may. It loses as much of the data after them as the model says.
func (c *fakeCard) discard(offset, bytes int64) error {
	c.discards.Add(1)
	end := offset + bytes
	_, err := c.file.WriteAt(make([]byte, max(min(c.model.LosesBytes, c.bytes-end), 0)), end)
	return err
}

// outside waits while other requests go on.
func (c *fakeCard) outside(cost time.Duration) {
	c.mu.Unlock()
	time.Sleep(cost)
	c.mu.Lock()
}

func transfer(bytes int, mbPerS float64) time.Duration {
	if mbPerS == 0 {
		return 0
	}
	return time.Duration(float64(bytes) / mbPerS * 1e3)
}

// pay waits. A sleep is never exact. So pay subtracts its excess from the next sleep, and adds up times that are too
// short to sleep, so that the mean is the model's.
func (c *fakeCard) pay(cost time.Duration) {
	c.owed += cost
	if c.owed < 500*time.Microsecond {
		return
	}
	before := time.Now()
	time.Sleep(c.owed)
	c.owed -= time.Since(before)
}
