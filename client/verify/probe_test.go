package verify

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func probe(t *testing.T, device *simulated) Capacity {
	t.Helper()
	p := Probe{Device: device, SizeBytes: device.claims}
	found, err := p.Do(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// As soon as the check fails, nothing more is written, wherever the probe is.
func TestProbeWritesNothingAfterAFailedCheck(t *testing.T) {
	t.Parallel()
	const claims = 64 << 20
	changed := errors.New("changed")
	for ended, after := false, 0; !ended; after += 11 {
		device := newSimulated(claims, limited(5000))
		p := Probe{Device: device, SizeBytes: claims, Check: func() error {
			if device.writes >= after {
				return changed
			}
			return nil
		}}
		_, err := p.Do(context.Background())
		if ended = err == nil; !ended && (!errors.Is(err, changed) || device.writes != after) {
			t.Fatalf("%d writes although the check failed after %d: %v", device.writes, after, err)
		}
		if ended && after < 100 {
			t.Fatalf("the probe ended after %d writes", device.writes)
		}
	}
}

// slowErrors is a device that takes long for each read and write that fails.
type slowErrors struct {
	*simulated
	each time.Duration
}

func (s slowErrors) ReadAt(p []byte, offset int64) (int, error) {
	n, err := s.simulated.ReadAt(p, offset)
	if err != nil {
		time.Sleep(s.each)
	}
	return n, err
}

func (s slowErrors) WriteAt(p []byte, offset int64) (int, error) {
	n, err := s.simulated.WriteAt(p, offset)
	if err != nil {
		time.Sleep(s.each)
	}
	return n, err
}

// A module that fails slowly ends the probe after ten minutes of errors, wherever the probe is then. Nothing is said
// about its size.
func TestProbeEndsWhereErrorsAreSlow(t *testing.T) {
	t.Parallel()
	const claims, each = 1 << 30, 30 * time.Second
	blocks := int64(claims / blockBytes)
	for what, of := range map[string]struct {
		each   time.Duration
		change func(*simulated)
	}{
		"writes fail":   {each, func(s *simulated) { s.where, s.lost = limited(blocks/4), syscall.EIO }},
		"reads fail":    {each, func(s *simulated) { s.bad = []badRegion{{blocks / 4, blocks, readFails}} }},
		"in the search": {each / 5, func(s *simulated) { s.bad = []badRegion{{blocks*31/32 + 99, blocks, readFails}} }},
	} {
		synctest.Test(t, func(t *testing.T) {
			device := newSimulated(claims, limited(blocks))
			of.change(device)
			began := time.Now()
			p := Probe{Device: slowErrors{device, of.each}, SizeBytes: claims}
			found, err := p.Do(t.Context())
			took := time.Since(began)
			if err != nil || found.Kind != Stopped || found.SaysCapacity() || took < patience || took > patience+of.each {
				t.Errorf("%s: %+v, %v after %s", what, found, err, took)
			}
		})
	}
	// Errors that come at once don't end the probe, however many there are.
	device := newSimulated(claims, limited(blocks/4))
	if device.lost = syscall.EIO; probe(t, device).Kind != Refused {
		t.Error("a device that refuses at once isn't told as one")
	}
}

// slowLies is a device that takes long for each read of memory that isn't there, and then answers without an error.
type slowLies struct {
	*simulated
	each time.Duration
}

func (s slowLies) ReadAt(p []byte, offset int64) (int, error) {
	if _, isReal := s.where(offset / blockBytes); !isReal {
		time.Sleep(s.each)
	}
	return s.simulated.ReadAt(p, offset)
}

// A module that hangs before each answer ends the probe as one that fails does, but not one that is just slow.
func TestProbeEndsWhereAnswersAreSlow(t *testing.T) {
	t.Parallel()
	const claims = 1 << 30
	for each, want := range map[time.Duration]Kind{5 * time.Second: Stopped, time.Second: Limited} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			p := Probe{Device: slowLies{newSimulated(claims, limited(claims/4/blockBytes)), each}, SizeBytes: claims}
			found, err := p.Do(t.Context())
			took := time.Since(began)
			if err != nil || found.Kind != want || want == Stopped && took > 2*patience {
				t.Errorf("%s each: %+v, %v after %s", each, found, err, took)
			}
		})
	}
}

// Every real size of every kind of fake is found, to the block, even if a cache answers for the last writes.
func TestProbeFindsTheRealSize(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	for range 10 {
		claims := 32<<20 + random.Int64N(2<<30)
		blocks := claims / blockBytes
		stretch := StretchBytes(claims) / blockBytes
		// At least 4 MiB are real, and at least a stretch is not.
		real := 1024 + random.Int64N(blocks-stretch-1024)
		if random.IntN(4) == 0 {
			for real = 1024; real*2 < blocks-stretch && random.IntN(4) > 0; {
				real *= 2
			}
		}
		// The whole chunks that are written after them drive the blocks that aren't real out of the cache. These chunks
		// are all real.
		cacheBlocks := random.IntN(int(min(stretch, real/chunkBlocks*chunkBlocks)))
		for name, c := range map[string]struct {
			device *simulated
			real   int64
			kind   Kind
		}{
			"genuine": {newSimulated(claims, honest), blocks, Genuine},
			"limited": {newSimulated(claims, limited(real)), real, Limited},
			"refused": {newSimulated(claims, limited(real)), real, Refused},
			"wrapped": {newSimulated(claims, wrapped(real)), real, Wrapped},
			// Addresses count modulo a larger size, and only a part of that exists.
			"wrapped and limited": {newSimulated(claims, func(block int64) (int64, bool) {
				at := block % (2 * real)
				return at, at < real
			}), real, Chained},
		} {
			if name == "refused" {
				c.device.lost = syscall.EIO
			} else {
				c.device.cacheBlocks = cacheBlocks
			}
			t.Run(fmt.Sprintf("%s, seed %d", name, seed), func(t *testing.T) {
				found := probe(t, c.device)
				if name == "genuine" {
					c.real = claims / blockBytes
					found.RealBytes = found.RealBytes / blockBytes * blockBytes
				}
				kindFits := found.Kind == c.kind || name == "wrapped and limited" && found.Kind == Limited &&
					2*real >= blocks-stretch/2
				if found.RealBytes != c.real*blockBytes || !kindFits {
					t.Errorf("of %d blocks with a stretch of %d, %d are real, %d in the cache: found %+v (%d blocks)",
						blocks, stretch, c.real, c.device.cacheBlocks, found, found.RealBytes/blockBytes)
				}
			})
		}
	}
}

// The regions are a sixteenth each. Some are real and some aren't; the first always is.
func TestProbeFindsChainedRegions(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	const claims = 1 << 30
	const region = claims / blockBytes / 16
	for range 40 {
		there, first := make([]bool, 16), 16
		for i := range there {
			there[i] = i == 0 || random.IntN(2) == 0
			if !there[i] {
				first = min(first, i)
			}
		}
		there[15] = there[15] || first < 15
		if first == 16 {
			continue
		}
		found := probe(t, newSimulated(claims, func(block int64) (int64, bool) { return block, there[block/region] }))
		want := Chained
		if first == 15 {
			want = Limited
		}
		if found.Kind != want || found.RealBytes != int64(first)*region*blockBytes {
			t.Errorf("%v: found %+v", there, found)
		}
	}
}

// A single unreadable or changed block among good ones is no fake.
func TestProbeOfAFailingModule(t *testing.T) {
	t.Parallel()
	device := newSimulated(1<<30, honest)
	failing := &damaging{simulated: device, block: 1 << 17}
	p := Probe{Device: failing, SizeBytes: device.claims}
	if found, err := p.Do(context.Background()); err != nil || found.Kind != Failing ||
		found.RealBytes != 1<<17*blockBytes {
		t.Errorf("%+v, %v", found, err)
	}
}

// damaging changes one bit of one block.
type damaging struct {
	*simulated
	block int64
}

func (d *damaging) ReadAt(p []byte, offset int64) (int, error) {
	n, err := d.simulated.ReadAt(p, offset)
	if offset == d.block*blockBytes {
		p[3000] ^= 1
	}
	return n, err
}

// vanishing is a device that is pulled out after some writes.
type vanishing struct {
	*simulated
	writes int
}

func (v *vanishing) WriteAt(p []byte, offset int64) (int, error) {
	if v.writes--; v.writes < 0 {
		return 0, syscall.ENODEV
	}
	return v.simulated.WriteAt(p, offset)
}

func TestProbeEndsEarly(t *testing.T) {
	t.Parallel()
	for writes := 0; writes < 520; writes += 1 + writes/10 {
		p := Probe{Device: &vanishing{newSimulated(64<<20, honest), writes}, SizeBytes: 64 << 20}
		if _, err := p.Do(context.Background()); err != nil && !strings.Contains(err.Error(), "has gone") || err == nil &&
			writes < 430 {
			t.Errorf("after %d writes: %v", writes, err)
		}
	}
	enough := errors.New("enough")
	for _, phase := range []string{"blocks", "stretch", "check"} {
		ctx, cancel := context.WithCancelCause(context.Background())
		p := Probe{Device: newSimulated(64<<20, honest), SizeBytes: 64 << 20, Progress: func(now Progress) {
			if now.Phase == phase {
				cancel(enough)
			}
		}}
		if found, err := p.Do(ctx); !errors.Is(err, enough) {
			t.Errorf("stopped in %s: %+v, %v", phase, found, err)
		}
	}
	if _, err := (&Probe{Device: newSimulated(4096, honest), SizeBytes: 4096}).Do(context.Background()); err == nil {
		t.Error("a device of one block was probed")
	}
}

// The distance between blocks is never more than half a stretch. Otherwise, addresses that meet could fall between
// them.
func TestSpreadLeavesNoGap(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		size := 64<<10 + random.Int64N(1<<(20+random.IntN(22)))
		blocks, stretch := size/blockBytes, StretchBytes(size)/blockBytes
		last, most := stretch-1, max(min(stretch/2, blocks/512), 1)
		for _, block := range append(spread(blocks, stretch, random), blocks-stretch) {
			if block <= last || block-last > most+1 || block > blocks-stretch {
				t.Fatalf("%d blocks, stretch %d: %d follows %d", blocks, stretch, block, last)
			}
			last = block
		}
	}
}
