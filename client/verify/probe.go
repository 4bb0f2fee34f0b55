package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"syscall"
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

// Probe finds the real size of a device by writing to a few places of it, and destroys what is there.
//
// It writes single blocks all over the claimed size, from the last to the first, and then a stretch at the beginning,
// also from its end to its start; it flushes and reads back. The blocks are nowhere farther apart than the stretch is
// long. So on a device that takes addresses modulo any real size, some block beyond that size falls into the stretch
// and is overwritten; and what really exists is written after everything that could fall onto it, and stays right. The
// stretch also drives the blocks out of a cache in the module that would answer for memory that isn't there; only a cache
// that isn't a chunk of 4 MiB smaller than the real memory can hide the end of it.
type Probe struct {
	Device    Device
	SizeBytes int64          // claimed
	Progress  func(Progress) // called about once a second; may be nil

	run     uint64
	stretch int64          // blocks
	refused map[int64]bool // chunks of the stretch, by their first block, that the device didn't take
	buffer  []byte
	want    []byte
	found   Capacity
}

// Capacity is what a probe found.
type Capacity struct {
	ClaimedBytes int64
	RealBytes    int64 // from the beginning on, exact to 4 KiB; the claimed size if nothing contradicts it
	Kind         Kind
	Blocks       int64 // were looked at
	BadBlocks    int64
}

// Kind is a kind of module.
type Kind string

// The kinds of modules.
const (
	Genuine Kind = "genuine"
	Limited Kind = "limited" // what is written beyond the real size is lost
	Wrapped Kind = "wrapped" // what is written beyond the real size overwrites what is before
	Chained Kind = "chained" // some regions are real, and some are not
	Refused Kind = "refused" // what is beyond the real size can't be written or read
	Failing Kind = "failing" // single blocks are bad, as on a module that wears out
)

// place is a block that was looked at.
type place struct {
	block int64
	state State
}

// Do probes the device. When the context ends, the error is its cause, and nothing is known.
func (p *Probe) Do(ctx context.Context) (Capacity, error) {
	blocks := p.SizeBytes / blockBytes
	if blocks < 16 {
		return Capacity{}, fmt.Errorf("a device of %d bytes is too small to be probed", p.SizeBytes)
	}
	memory, release, err := aligned(2 * chunkBlocks * blockBytes)
	if err != nil {
		return Capacity{}, err
	}
	defer release()
	p.buffer, p.want = memory[:len(memory)/2], memory[len(memory)/2:]
	p.run = NewRun()
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

// StretchBytes is the length of the stretch on a device of so many bytes: enough to be more than the cache of a module
// that is sold by its size, and little enough to be written in a minute or two.
func StretchBytes(sizeBytes int64) int64 {
	const least, most = 4 << 20, 512 << 20
	return min(max(sizeBytes/128, least), most, sizeBytes/4) / blockBytes * blockBytes
}

// spread chooses the blocks beyond the stretch that are looked at, in order: one at least in every length of it, both
// sides of every power of two, where a counterfeiter's controller is likely to end, 64 at random, and the last.
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

// search narrows down where the first bad block is, by rounds of many blocks at once: each costs a stretch, which takes
// longer than the blocks do.
func (p *Probe) search(ctx context.Context, places []place) (firstBad int64, err error) {
	const ways = 400
	good := int64(-1)
	for {
		i := slices.IndexFunc(places, func(at place) bool { return at.state != Good })
		bad := firstBad
		if i >= 0 {
			bad = places[i].block
		} else {
			i = len(places)
		}
		if i > 0 {
			good = places[i-1].block
		}
		if firstBad = bad; bad-good <= 1 {
			return firstBad, nil
		}
		between := make([]int64, 0, ways)
		for n := int64(1); n <= ways; n++ {
			if block := good + (bad-good)*n/(ways+1); block > good && block < bad {
				between = append(between, block)
			}
		}
		if places, err = p.round(ctx, slices.Compact(between)); err != nil {
			return 0, err
		}
	}
}

// round writes the blocks, in falling order, and the stretch, and reads the blocks back.
func (p *Probe) round(ctx context.Context, blocks []int64) ([]place, error) {
	places := make([]place, len(blocks))
	one := p.buffer[:blockBytes]
	clock := newClock(p.Progress, "blocks")
	for i, block := range slices.Backward(blocks) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		Build(one, p.run, block*blockSectors)
		places[i].block = block
		if _, err := p.Device.WriteAt(one, block*blockBytes); gone(err) {
			return nil, fmt.Errorf("the device has gone: %w", err)
		} else if err != nil {
			places[i].state = Unwritten
		}
		clock.show(int64(len(blocks)-i), int64(len(blocks)))
	}
	if err := p.writeStretch(ctx); err != nil {
		return nil, err
	}
	clock = newClock(p.Progress, "check")
	for i, block := range blocks {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if places[i].state != Unwritten {
			state, err := p.read(block, 1)
			if err != nil {
				return nil, err
			}
			places[i].state = state[0].state
		} else {
			p.found.Blocks++
			p.found.BadBlocks++
		}
		clock.show(int64(i+1), int64(len(blocks)))
	}
	return places, nil
}

// writeStretch writes the stretch in falling order and flushes.
func (p *Probe) writeStretch(ctx context.Context) error {
	// What fails to be flushed is missing when it is read.
	if err := p.Device.Sync(); gone(err) {
		return fmt.Errorf("the device has gone: %w", err)
	}
	clock := newClock(p.Progress, "stretch")
	for end := p.stretch; end > 0; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		start := (end - 1) / chunkBlocks * chunkBlocks
		chunk := p.buffer[:(end-start)*blockBytes]
		Build(chunk, p.run, start*blockSectors)
		if _, err := p.Device.WriteAt(chunk, start*blockBytes); gone(err) {
			return fmt.Errorf("the device has gone: %w", err)
		} else if err != nil {
			p.refused[start] = true
		}
		end = start
		clock.show(p.stretch-end, p.stretch)
	}
	if err := p.Device.Sync(); gone(err) {
		return fmt.Errorf("the device has gone: %w", err)
	}
	return nil
}

func (p *Probe) readStretch(ctx context.Context) ([]place, error) {
	places := make([]place, 0, p.stretch)
	clock := newClock(p.Progress, "check")
	for start := int64(0); start < p.stretch; start += chunkBlocks {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		chunk, err := p.read(start, min(chunkBlocks, p.stretch-start))
		if err != nil {
			return nil, err
		}
		for _, at := range chunk {
			if at.state != Good && p.refused[start] {
				at.state = Unwritten
			}
			places = append(places, at)
		}
		clock.show(min(start+chunkBlocks, p.stretch), p.stretch)
	}
	return places, nil
}

// read reads so many blocks from block on and says of each what it is: the state of its first bad sector, if it has one.
func (p *Probe) read(block, count int64) ([]place, error) {
	data := p.buffer[:count*blockBytes]
	_, err := p.Device.ReadAt(data, block*blockBytes)
	if gone(err) {
		return nil, fmt.Errorf("the device has gone: %w", err)
	}
	places := make([]place, count)
	for i := range places {
		at := &places[i]
		at.block = block + int64(i)
		part := data[i*blockBytes:][:blockBytes]
		var tally Tally
		if err != nil {
			at.state = Unreadable
		} else if bad := tally.examine(part, p.want[:blockBytes], p.run, at.block*blockSectors); bad >= 0 {
			at.state, _ = Classify(part[(bad-at.block*blockSectors)*SectorBytes:][:SectorBytes], p.run, bad)
		}
		p.found.Blocks++
		if at.state != Good {
			p.found.BadBlocks++
		}
	}
	return places, nil
}

// gone says whether an error means that there is no device any more.
func gone(err error) bool {
	return errors.Is(err, syscall.ENODEV) || errors.Is(err, syscall.ENXIO) || errors.Is(err, syscall.ENOMEDIUM)
}

// judge says what kind of module answers so. The places are in order.
func judge(places []place) Kind {
	var seen [states]int
	goodAbove := false // something bad
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
