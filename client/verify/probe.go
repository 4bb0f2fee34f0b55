package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"flashdex/client/direct"
)

// Device is a whole block device, opened past the page cache, or a simulated one. Sync flushes its volatile cache.
type Device interface {
	io.ReaderAt
	io.WriterAt
	Sync() error
}

const (
	blockBytes   = 4 << 10
	blockSectors = blockBytes / SectorBytes
	chunkBlocks  = 4 << 20 / blockBytes // of one write or read of the stretch
)

// Probe finds the real size of a device by writing to a few places of it. It destroys the data there.
//
// It writes from the last address to the first: a stretch at the end, single blocks all over the claimed size, and a
// stretch at the beginning. It flushes, and reads all of it back. Where an address beyond the real memory falls onto a
// lower one, the lower one is written later. So memory that really exists reads back right.
//
// The distance between the blocks is at most half the length of a stretch. So whatever the real size is, two places
// meet if a device takes addresses modulo that size, counts them back from there, or lets them fall onto a window above
// the beginning. If it scatters them over its memory, some of the stretches' blocks meet. Some caches hold what was
// written last; the stretch at the beginning drives everything else out of these. Others hold what was written first;
// the stretch at the end fills these. A cache can hide the end of the real memory only if it is less than a chunk of 4
// MiB smaller than that memory.
type Probe struct {
	Device    Device
	SizeBytes int64          // claimed
	Progress  func(Progress) // called about once a second; may be nil
	Check     func() error   // called before each write and read, may end the probe with its error; may be nil

	run     uint64
	blocks  int64 // of the claimed size
	stretch int64 // blocks, of each of both
	waiting waiting
	refused map[int64]bool // whether the device refused the last write that began at a block
	buffer  []byte
	want    []byte
	found   Capacity
}

// Capacity is the outcome of a probe.
type Capacity struct {
	ClaimedBytes int64
	RealBytes    int64 // from the beginning on; the claimed size if nothing contradicts it
	Kind         Kind
	Blocks       int64 // that were read back
	BadBlocks    int64
	LostBlocks   int64 // of the bad ones, without a trace of what was written: lost or unreadable
}

// Loses reports whether more is lost than single bad blocks explain.
func (c Capacity) Loses() bool { return c.LostBlocks > 0 && 20*c.LostBlocks >= c.Blocks }

// SaysCapacity reports whether the finding is one about the capacity. A module that refuses, or has single bad blocks,
// may be worn.
func (c Capacity) SaysCapacity() bool {
	return c.Kind != Failing && c.Kind != Refused && c.Kind != Stopped
}

// Kind is a kind of module.
type Kind string

// The kinds of modules. Capacity.RealBytes is exact to 4 KiB for Limited, Wrapped and Refused, and for Chained if data
// are lost. If addresses share memory irregularly, it ends at the first address that does. For Failing, it ends at the
// first bad block that was tested. For Stopped, it isn't known.
const (
	Genuine Kind = "genuine"
	Limited Kind = "limited" // writes beyond the real size are lost
	Wrapped Kind = "wrapped" // writes beyond the real size overwrite the beginning
	Chained Kind = "chained" // some regions are real and some are not, or addresses share memory in another way
	Refused Kind = "refused" // reads or writes beyond the real size fail
	Failing Kind = "failing" // blocks are bad, as on a module that wears out, but in no way that tells of less capacity
	Stopped Kind = "stopped" // it failed or hung so long that the probe ended before it knew; the real size isn't known
)

// place is a block that was read back.
type place struct {
	block int64
	state State
	apart int64 // sectors to the address whose data came back, if the state is Elsewhere
}

// Do probes the device. When the context ends, the error is its cause, and the result is empty.
func (p *Probe) Do(ctx context.Context) (Capacity, error) {
	p.blocks = p.SizeBytes / blockBytes
	if p.blocks < 16 {
		return Capacity{}, fmt.Errorf("a device of %d bytes is too small to be probed", p.SizeBytes)
	}
	memory, release, err := direct.Memory(2 * chunkBlocks * blockBytes)
	if err != nil {
		return Capacity{}, err
	}
	defer release()
	p.buffer, p.want = memory[:len(memory)/2], memory[len(memory)/2:]
	p.run = rand.Uint64()
	p.stretch = StretchBytes(p.SizeBytes) / blockBytes
	p.refused = map[int64]bool{}
	p.found = Capacity{ClaimedBytes: p.SizeBytes, RealBytes: p.SizeBytes, Kind: Genuine}

	places, err := p.first(ctx)
	if errors.Is(err, errStopped) {
		p.found.Kind = Stopped
		return p.found, nil
	} else if err != nil {
		return Capacity{}, err
	}
	p.found.Kind = p.judge(places)
	switch p.found.Kind {
	case Genuine:
		return p.found, nil
	case Failing:
		p.found.RealBytes = places[slices.IndexFunc(places, isBad)].block * blockBytes
		return p.found, nil
	}
	bad, err := p.search(ctx, places)
	if errors.Is(err, errStopped) {
		p.found.Kind = Stopped
		return p.found, nil
	} else if err != nil {
		return Capacity{}, err
	}
	if shared, regular := sharing(places, bad); !regular {
		p.found.Kind, bad = Chained, min(bad, shared)
	}
	p.found.RealBytes = bad * blockBytes
	return p.found, nil
}

func isBad(at place) bool { return at.state != Good }

// StretchBytes returns the length of each of the two stretches on a device of that size. It is more than the cache of a
// typical module. It is enough blocks for some to meet if the device scatters addresses over memory. It is little
// enough to be written in a minute or two.
//
// If n blocks fall anywhere onto m, n²/2m pairs meet. The least length, 2·2048 blocks, is for a device of 1 GiB. Even
// if nearly all of its memory exists, 32 pairs meet, so that none meets on one device in 10^14.
func StretchBytes(sizeBytes int64) int64 {
	const least, most = 8 << 20, 512 << 20
	return min(max(sizeBytes/128, least), most, sizeBytes/8) / blockBytes * blockBytes
}

// spread chooses the blocks to test between the stretches, in ascending order. It takes one block for every half length
// of a stretch and for every 512th of all. It takes the blocks on both sides of every power of two, since counterfeit
// controllers are likely to end there, and 64 at random.
func spread(blocks, stretch int64, random *rand.Rand) (chosen []int64) {
	for block := stretch; block < blocks; block += max(min(stretch/2, blocks/512), 1) {
		chosen = append(chosen, block)
	}
	for power := int64(1); power < blocks; power *= 2 {
		chosen = append(chosen, power-1, power)
	}
	for range 64 {
		chosen = append(chosen, random.Int64N(blocks))
	}
	chosen = slices.DeleteFunc(chosen, func(block int64) bool { return block < stretch || block >= blocks-stretch })
	slices.Sort(chosen)
	return slices.Compact(chosen)
}

// search finds the first bad block. It tests many blocks in each round, since writing the round's stretch takes longer
// than they do.
func (p *Probe) search(ctx context.Context, places []place) (firstBad int64, err error) {
	const ways = 400
	good := int64(-1)
	for {
		i := slices.IndexFunc(places, isBad)
		if i >= 0 {
			firstBad = places[i].block
		} else {
			i = len(places)
		}
		if i > 0 {
			good = places[i-1].block
		}
		if firstBad-good <= 1 {
			return firstBad, nil
		}
		between := make([]int64, 0, ways)
		for n := range int64(ways) {
			if block := good + (firstBad-good)*(n+1)/(ways+1); block > good {
				between = append(between, block)
			}
		}
		between = slices.Compact(between)
		if err := p.writeAll(ctx, between); err != nil {
			return 0, err
		}
		if places, err = p.readBlocks(ctx, nil, between); err != nil {
			return 0, err
		}
	}
}

// first writes both stretches and the blocks between them, and reads all of it back, in ascending order.
func (p *Probe) first(ctx context.Context) (places []place, err error) {
	blocks := spread(p.blocks, p.stretch, rand.New(rand.NewPCG(p.run, 0)))
	if err := p.writeStretch(ctx, p.blocks-p.stretch); err != nil {
		return nil, err
	}
	if err := p.writeAll(ctx, blocks); err != nil {
		return nil, err
	}
	if places, err = p.readStretch(ctx, places, 0); err != nil {
		return nil, err
	}
	if places, err = p.readBlocks(ctx, places, blocks); err != nil {
		return nil, err
	}
	if places, err = p.readStretch(ctx, places, p.blocks-p.stretch); err != nil {
		return nil, err
	}
	return places, p.confirm(ctx, places)
}

// confirm reads a block again if it came back with another address's data. Before each, it reads a good block far away.
// Some readers answer for a bad block with what they transferred last, and that is now the good block. Once 64 are
// confirmed, the rest are believed.
func (p *Probe) confirm(ctx context.Context, places []place) (err error) {
	confirmed, found := 0, p.found
	defer func() { p.found = found }() // each place counts once
	for i, at := range places {
		if at.state != Elsewhere || confirmed == 64 {
			continue
		}
		far := i
		for step := range len(places) / 2 {
			far = (i + len(places)/2 + step) % len(places)
			if places[far].state == Good && !p.refused[places[far].block] { // a refused block isn't read
				break
			}
		}
		again := make([]place, 0, 2)
		for _, block := range []int64{places[far].block, at.block} {
			if again, err = p.read(ctx, again, block, 1); err != nil {
				return err
			}
		}
		if again[1] == at {
			confirmed++
		} else {
			places[i].state = Foreign
		}
	}
	return nil
}

// writeAll writes the blocks in descending order, and then the stretch at the beginning.
func (p *Probe) writeAll(ctx context.Context, blocks []int64) error {
	clock := newClock(p.Progress, "blocks")
	for i, block := range slices.Backward(blocks) {
		if err := p.write(ctx, block, 1); err != nil {
			return err
		}
		clock.show(int64(len(blocks)-i), int64(len(blocks)))
	}
	return p.writeStretch(ctx, 0)
}

func (p *Probe) readBlocks(ctx context.Context, places []place, blocks []int64) (_ []place, err error) {
	clock := newClock(p.Progress, "check")
	for i, block := range blocks {
		if places, err = p.read(ctx, places, block, 1); err != nil {
			return nil, err
		}
		clock.show(int64(i+1), int64(len(blocks)))
	}
	return places, nil
}

// writeStretch writes a stretch that begins at a block, in descending order, between flushes. A failed flush shows when
// the data are read.
func (p *Probe) writeStretch(ctx context.Context, from int64) error {
	if err := gone(p.Device.Sync()); err != nil {
		return err
	}
	clock := newClock(p.Progress, "stretch")
	for end := p.stretch; end > 0; {
		start := (end - 1) / chunkBlocks * chunkBlocks
		if err := p.write(ctx, from+start, end-start); err != nil {
			return err
		}
		end = start
		clock.show(p.stretch-end, p.stretch)
	}
	return gone(p.Device.Sync())
}

func (p *Probe) readStretch(ctx context.Context, places []place, from int64) (_ []place, err error) {
	clock := newClock(p.Progress, "check")
	for start := int64(0); start < p.stretch; start += chunkBlocks {
		end := min(start+chunkBlocks, p.stretch)
		if places, err = p.read(ctx, places, from+start, end-start); err != nil {
			return nil, err
		}
		clock.show(end, p.stretch)
	}
	return places, nil
}

// proceed returns an error if the probe must end.
func (p *Probe) proceed(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if p.Check != nil {
		return p.Check()
	}
	return nil
}

// write writes blocks, and notes if the device refuses them.
func (p *Probe) write(ctx context.Context, block, count int64) error {
	if err := p.proceed(ctx); err != nil {
		return err
	}
	data := p.buffer[:count*blockBytes]
	Build(data, p.run, block*blockSectors)
	began := time.Now()
	_, err := p.Device.WriteAt(data, block*blockBytes)
	p.refused[block] = err != nil
	return p.goOn(len(data), time.Since(began), err)
}

// goOn returns an error if the probe must end after a read or write that took so long and gave err.
func (p *Probe) goOn(bytes int, took time.Duration, err error) error {
	if gone(err) != nil {
		return gone(err)
	}
	return p.waiting.add(bytes, took, err)
}

// read reads blocks and adds them to places. A block has the state of its first bad sector. If the device refused to
// write several blocks together, it may still have written some of them.
func (p *Probe) read(ctx context.Context, places []place, block, count int64) ([]place, error) {
	if err := p.proceed(ctx); err != nil {
		return nil, err
	}
	data, refused := p.buffer[:count*blockBytes], p.refused[block]
	var failed error
	var readBytes int // before the failure
	began := time.Now()
	if !refused || count > 1 {
		readBytes, failed = p.Device.ReadAt(data, block*blockBytes)
	}
	took := time.Since(began)
	for i := range count {
		at := place{block: block + i}
		part, first := data[i*blockBytes:][:blockBytes], at.block*blockSectors
		var tally Tally
		if failed != nil && (i+1)*blockBytes > int64(readBytes) {
			at.state = Unreadable
		} else if bad := tally.examine(part, p.want[:blockBytes], p.run, first); bad >= 0 {
			sector := part[(bad-first)*SectorBytes:][:SectorBytes]
			if at.state = Classify(sector, p.run, bad); at.state == Elsewhere {
				at.apart = max(bad-Number(sector), Number(sector)-bad)
			}
		}
		if refused && (at.state != Good || count == 1) {
			at.state = Unwritten
		}
		p.found.Blocks++
		if at.state != Good {
			p.found.BadBlocks++
		}
		if at.state != Good && at.state != Damaged {
			p.found.LostBlocks++
		}
		places = append(places, at)
	}
	return places, p.goOn(len(data), took, failed)
}

// gone returns an error if err means that the device is no longer there, and otherwise nil.
func gone(err error) error {
	if direct.Gone(err) {
		return fmt.Errorf("the device has gone: %w", err)
	}
	return nil
}

// wide reports whether so many places have the meant states that single bad blocks can't explain it: one in twenty
// between the stretches, or half of all. Published texts about errors lost at most 0.6 %, and no fake of
// data/capacity_checks.csv has more than half of what it claims.
func (p *Probe) wide(places []place, meant func(State) bool) bool {
	var all, between, tested int
	for _, at := range places {
		isBetween := at.block >= p.stretch && at.block < p.blocks-p.stretch
		if isBetween {
			tested++
		}
		if meant(at.state) {
			all++
			if isBetween {
				between++
			}
		}
	}
	return between > 0 && 20*between >= tested || 2*all >= len(places)
}

// isLongTail reports whether all blocks from this one on are too many to be just a few bad blocks.
func (p *Probe) isLongTail(from int64) bool {
	return from <= p.blocks-p.stretch || from <= p.blocks-p.blocks/16
}

// judge tells the kind of a module from its places, which are in ascending order.
func (p *Probe) judge(places []place) Kind {
	var seen [states]int
	goodAbove := false // there is a good place above a bad one
	for i, at := range places {
		goodAbove = goodAbove || at.state == Good && seen[Good] < i
		seen[at.state]++
	}
	firstBad := slices.IndexFunc(places, isBad)
	longTail := firstBad >= 0 && !goodAbove && p.isLongTail(places[firstBad].block)
	isLost := func(state State) bool { return state == Old || state == Blank || state == Foreign }
	isRefused := func(state State) bool { return state != Good && state != Damaged }
	switch lost := seen[Old] + seen[Blank] + seen[Foreign]; {
	case seen[Good] == len(places):
		return Genuine
	case seen[Elsewhere] > 0 && lost == 0:
		return Wrapped
	case seen[Elsewhere] > 0:
		return Chained
	case p.wide(places, isLost) && goodAbove:
		return Chained
	case p.wide(places, isLost), lost > 0 && longTail:
		return Limited
	case seen[Damaged] == 0 && (p.wide(places, isRefused) && !goodAbove || longTail):
		return Refused
	}
	return Failing
}

// sharing reports whether all addresses that share memory are a multiple of realBlocks apart, as on a device that takes
// addresses modulo its real size. If not, it returns the lowest block that shares memory.
func sharing(places []place, realBlocks int64) (lowest int64, regular bool) {
	var apart int64 // the greatest common divisor of all distances, in sectors
	for _, at := range places {
		if at.state != Elsewhere {
			continue
		}
		lower := max(at.block-(at.apart+blockSectors-1)/blockSectors, 0)
		if apart == 0 {
			lowest = lower
		}
		lowest = min(lowest, lower)
		for a := at.apart; a != 0; {
			apart, a = a, apart%a
		}
	}
	// A real size in whole sectors may not be one in whole blocks.
	return lowest, apart == 0 || realBlocks > 1 && apart > (realBlocks-1)*blockSectors
}
