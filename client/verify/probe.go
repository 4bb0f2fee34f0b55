package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"syscall"

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

// Probe finds the real size of a device by writing to a few places of it, and destroys the data there.
//
// It writes single blocks all over the claimed size, from the last to the first, and then a stretch at the beginning,
// also from its end to its start. It flushes and reads all of it back. The distance between the blocks is at most the
// length of the stretch. So if a device takes addresses modulo its real size, whatever that is, the stretch overwrites
// some block beyond that size. Memory that really exists is written after everything that could overwrite it, and stays
// right. The stretch also drives the blocks out of a cache in the module that would answer for missing memory. Only a
// cache less than a chunk of 4 MiB smaller than the real memory can hide its end.
type Probe struct {
	Device    Device
	SizeBytes int64          // claimed
	Progress  func(Progress) // called about once a second; may be nil
	Check     func() error   // called before each write and read, may end the probe with its error; may be nil

	run     uint64
	stretch int64          // blocks
	refused map[int64]bool // whether the device refused the last write that began at a block
	buffer  []byte
	want    []byte
	found   Capacity
}

// Capacity is the outcome of a probe.
type Capacity struct {
	ClaimedBytes int64
	RealBytes    int64 // from the beginning on, exact to 4 KiB; the claimed size if nothing contradicts it
	Kind         Kind
	Blocks       int64 // that were read back
	BadBlocks    int64
}

// Kind is a kind of module.
type Kind string

// The kinds of modules.
const (
	Genuine Kind = "genuine"
	Limited Kind = "limited" // writes beyond the real size are lost
	Wrapped Kind = "wrapped" // writes beyond the real size overwrite the beginning
	Chained Kind = "chained" // some regions are real, and some are not
	Refused Kind = "refused" // reads or writes beyond the real size fail
	Failing Kind = "failing" // single blocks are bad, as on a module that wears out
)

// place is a block that was read back.
type place struct {
	block int64
	state State
}

// Do probes the device. When the context ends, the error is its cause, and the result is empty.
func (p *Probe) Do(ctx context.Context) (Capacity, error) {
	blocks := p.SizeBytes / blockBytes
	if blocks < 16 {
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

	places, err := p.round(ctx, spread(blocks, p.stretch, rand.New(rand.NewPCG(p.run, 0))))
	if err != nil {
		return Capacity{}, err
	}
	inStretch, err := p.readStretch(ctx)
	if err != nil {
		return Capacity{}, err
	}
	places = append(inStretch, places...)
	if p.found.Kind = judge(places); p.found.Kind == Genuine {
		return p.found, nil
	}
	bad, err := p.search(ctx, places)
	if err != nil {
		return Capacity{}, err
	}
	p.found.RealBytes = bad * blockBytes
	return p.found, nil
}

// StretchBytes is the length of the stretch on a device of that size: more than the cache of a typical module, and
// little enough to be written in a minute or two.
func StretchBytes(sizeBytes int64) int64 {
	const least, most = 4 << 20, 512 << 20
	return min(max(sizeBytes/128, least), most, sizeBytes/4) / blockBytes * blockBytes
}

// spread chooses the blocks to test beyond the stretch, in ascending order: one for every length of the stretch, both
// sides of every power of two, where counterfeit controllers are likely to end, 64 at random, and the last.
func spread(blocks, stretch int64, random *rand.Rand) []int64 {
	chosen := []int64{blocks - 1}
	for block := stretch; block < blocks; block += stretch {
		chosen = append(chosen, block)
	}
	for power := int64(1); power < blocks; power *= 2 {
		chosen = append(chosen, power-1, power)
	}
	for range 64 {
		chosen = append(chosen, random.Int64N(blocks))
	}
	chosen = slices.DeleteFunc(chosen, func(block int64) bool { return block < stretch })
	slices.Sort(chosen)
	return slices.Compact(chosen)
}

// search finds the first bad block. It tests many blocks in each round, since the round's stretch takes longer.
func (p *Probe) search(ctx context.Context, places []place) (firstBad int64, err error) {
	const ways = 400
	good := int64(-1)
	for {
		i := slices.IndexFunc(places, func(at place) bool { return at.state != Good })
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
		if places, err = p.round(ctx, slices.Compact(between)); err != nil {
			return 0, err
		}
	}
}

// round writes the blocks in descending order, then the stretch, and reads the blocks back.
func (p *Probe) round(ctx context.Context, blocks []int64) (places []place, err error) {
	clock := newClock(p.Progress, "blocks")
	for i, block := range slices.Backward(blocks) {
		if err := p.write(ctx, block, 1); err != nil {
			return nil, err
		}
		clock.show(int64(len(blocks)-i), int64(len(blocks)))
	}
	if err := p.writeStretch(ctx); err != nil {
		return nil, err
	}
	clock = newClock(p.Progress, "check")
	for i, block := range blocks {
		if places, err = p.read(ctx, places, block, 1); err != nil {
			return nil, err
		}
		clock.show(int64(i+1), int64(len(blocks)))
	}
	return places, nil
}

// writeStretch writes the stretch in descending order, between flushes. A failed flush shows when the data are read.
func (p *Probe) writeStretch(ctx context.Context) error {
	if err := gone(p.Device.Sync()); err != nil {
		return err
	}
	clock := newClock(p.Progress, "stretch")
	for end := p.stretch; end > 0; {
		start := (end - 1) / chunkBlocks * chunkBlocks
		if err := p.write(ctx, start, end-start); err != nil {
			return err
		}
		end = start
		clock.show(p.stretch-end, p.stretch)
	}
	return gone(p.Device.Sync())
}

func (p *Probe) readStretch(ctx context.Context) (places []place, err error) {
	clock := newClock(p.Progress, "check")
	for start := int64(0); start < p.stretch; start += chunkBlocks {
		end := min(start+chunkBlocks, p.stretch)
		if places, err = p.read(ctx, places, start, end-start); err != nil {
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
	_, err := p.Device.WriteAt(data, block*blockBytes)
	p.refused[block] = err != nil
	return gone(err)
}

// read reads blocks and adds them to places. A block has the state of its first bad sector. Of blocks that the device
// refused together, some may have been written.
func (p *Probe) read(ctx context.Context, places []place, block, count int64) ([]place, error) {
	if err := p.proceed(ctx); err != nil {
		return nil, err
	}
	data, refused := p.buffer[:count*blockBytes], p.refused[block]
	var failed error
	if !refused || count > 1 {
		_, failed = p.Device.ReadAt(data, block*blockBytes)
	}
	for i := range count {
		at := place{block: block + i}
		part, first := data[i*blockBytes:][:blockBytes], at.block*blockSectors
		var tally Tally
		if failed != nil {
			at.state = Unreadable
		} else if bad := tally.examine(part, p.want[:blockBytes], p.run, first); bad >= 0 {
			at.state = Classify(part[(bad-first)*SectorBytes:][:SectorBytes], p.run, bad)
		}
		if refused && (at.state != Good || count == 1) {
			at.state = Unwritten
		}
		p.found.Blocks++
		if at.state != Good {
			p.found.BadBlocks++
		}
		places = append(places, at)
	}
	return places, gone(failed)
}

// gone returns an error if err means that the device is no longer there, and otherwise nil.
func gone(err error) error {
	if errors.Is(err, syscall.ENODEV) || errors.Is(err, syscall.ENXIO) || errors.Is(err, syscall.ENOMEDIUM) {
		return fmt.Errorf("the device has gone: %w", err)
	}
	return nil
}

// judge tells the kind of a module from its places, which are in ascending order.
func judge(places []place) Kind {
	var seen [states]int
	goodAbove := false // there is a good place above a bad one
	for i, at := range places {
		goodAbove = goodAbove || at.state == Good && seen[Good] < i
		seen[at.state]++
	}
	lost := seen[Old] + seen[Blank] + seen[Foreign]
	broken := seen[Damaged] + seen[Unreadable] + seen[Unwritten]
	switch {
	case seen[Elsewhere]+lost+broken == 0:
		return Genuine
	case seen[Elsewhere]+lost == 0 && (goodAbove || seen[Damaged] > 0):
		return Failing
	case seen[Elsewhere]+lost == 0:
		return Refused
	case seen[Elsewhere] > 0 && lost == 0:
		return Wrapped
	case seen[Elsewhere] > 0 || goodAbove:
		return Chained
	}
	return Limited
}
