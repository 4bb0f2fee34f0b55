package verify

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

var long = flag.Bool("long", false, "probe 10,000 simulated fakes and 30,000 honest cards, which takes half an hour")

// layout is a way to claim more memory than there is.
type layout struct {
	name string
	// make adds it to a device of so many blocks. It returns whether so much is missing or shared that the kind must be
	// a fake's.
	make func(s *simulated, blocks int64, random *rand.Rand) (sure bool)
}

var answers = []func(*simulated, int64, []byte){nil, allOnes, lastTransfer, earlierRun, formerFiles}

// someReal draws a real size between 1/64 and 15/16 of the claimed one; every third is a power of two.
func someReal(blocks int64, random *rand.Rand) int64 {
	real := int64(float64(blocks) * math.Exp2(-6*random.Float64()) * 15 / 16)
	if random.IntN(3) == 0 {
		real = 1 << int(math.Log2(float64(real)))
	}
	return max(real, 1024)
}

func scattered(block int64, seed uint64) int64 { return int64(scramble(uint64(block)^seed) >> 1) }

var layouts = []layout{
	{"limited", func(s *simulated, blocks int64, random *rand.Rand) bool {
		s.where, s.answer = limited(someReal(blocks, random)), answers[random.IntN(len(answers))]
		return true
	}},
	{"wraparound", func(s *simulated, blocks int64, random *rand.Rand) bool {
		s.where = wrapped(someReal(blocks, random))
		return true
	}},
	{"wraparound above a beginning that is real", func(s *simulated, blocks int64, random *rand.Rand) bool {
		real := someReal(blocks, random)
		base := random.Int64N(real - 100)
		s.where = func(block int64) (int64, bool) {
			if block >= real {
				block = base + (block-base)%(real-base)
			}
			return block, true
		}
		return true
	}},
	{"mirrored addresses", func(s *simulated, blocks int64, random *rand.Rand) bool {
		real := someReal(blocks, random)
		s.where = func(block int64) (int64, bool) {
			if block %= 2 * real; block >= real {
				block = 2*real - 1 - block
			}
			return block, true
		}
		return true
	}},
	{"hashed addresses", func(s *simulated, blocks int64, random *rand.Rand) bool {
		real, seed := someReal(blocks, random), random.Uint64()
		s.where = func(block int64) (int64, bool) { return scattered(block, seed) % real, true }
		return true
	}},
	{"hashed addresses beyond the real size", func(s *simulated, blocks int64, random *rand.Rand) bool {
		real, seed := someReal(blocks, random), random.Uint64()
		s.where = func(block int64) (int64, bool) {
			if block >= real {
				block = scattered(block, seed) % real
			}
			return block, true
		}
		return true
	}},
	{"an address line that is missing", func(s *simulated, blocks int64, random *rand.Rand) bool {
		line := int64(1) << random.IntN(int(math.Log2(float64(blocks-1)))+1)
		s.where = func(block int64) (int64, bool) { return block &^ line, true }
		return true
	}},
	{"cached head", func(s *simulated, blocks int64, random *rand.Rand) bool {
		real := someReal(blocks, random)
		s.where = [](func(int64) (int64, bool)){limited(real), wrapped(real)}[random.IntN(2)]
		stretch := StretchBytes(s.claims) / blockBytes
		if random.IntN(2) == 0 {
			s.headBlocks = 1 + random.IntN(int(stretch))
		} else {
			s.cacheBlocks = 1 + random.IntN(int(min(stretch, real/chunkBlocks*chunkBlocks)))
		}
		return true
	}},
	{"late write loss", func(s *simulated, blocks int64, random *rand.Rand) bool {
		// The probe writes a little more than the two stretches.
		s.aliveBlocks = 1 + random.IntN(int(2*StretchBytes(s.claims)/blockBytes))
		return false
	}},
	{"read-only tail", func(s *simulated, blocks int64, random *rand.Rand) bool {
		tail := 1 + int64(float64(blocks)*0.9*math.Pow(random.Float64(), 4))
		s.where, s.answer = limited(blocks-tail), answers[random.IntN(len(answers))]
		return tail >= blocks/16
	}},
	{"regions of silent zeros", func(s *simulated, blocks int64, random *rand.Rand) bool {
		regions := 16 << random.IntN(4) // no shorter than half a stretch
		missing := map[int64]bool{}
		for range 1 + random.IntN(regions) {
			missing[random.Int64N(int64(regions))] = true
		}
		size := (blocks + int64(regions) - 1) / int64(regions)
		s.where = func(block int64) (int64, bool) { return block, !missing[block/size] }
		return len(missing) >= regions/4
	}},
	{"slow lies", func(s *simulated, blocks int64, random *rand.Rand) bool {
		// The missing memory takes seconds to answer. It answers with the last transfer, or with another part.
		s.where, s.answer = limited(someReal(blocks, random)), func(s *simulated, block int64, data []byte) {
			s.cost.Took += 2e9
			answers[2+block%3](s, block, data)
		}
		return true
	}},
	{"flipped bits", func(s *simulated, blocks int64, random *rand.Rand) bool {
		real, oneIn := someReal(blocks, random), 1+random.Int64N(20)
		s.flips = func(block int64, data []byte) {
			if block >= real && block%oneIn == 0 {
				data[block%blockBytes] ^= 1 << (block % 8)
			}
		}
		return false
	}},
}

// someSize draws a claimed size from 64 MiB to 2 GiB.
func someSize(random *rand.Rand) int64 {
	return int64(math.Exp2(26+5*random.Float64())) / SectorBytes * SectorBytes
}

// number is how many devices a test probes: all of them with -long, else a part.
func number(all int) int {
	if *long {
		return all
	}
	return all / 50
}

// isFake reports whether the words about a kind call it the sign of a fake.
func isFake(kind Kind) bool { return kind == Limited || kind == Wrapped || kind == Chained }

// reuse empties a device's stores for the next one.
func reuse(s *simulated, claims int64) *simulated {
	s.memory.reset()
	s.cache.reset()
	s.head.reset()
	next := newSimulated(claims, honest)
	next.memory, next.cache, next.head = s.memory, s.cache, s.head
	return next
}

// each calls try for every seed below all, 1,000 in each subtest.
func each(t *testing.T, all int, try func(t *testing.T, random *rand.Rand, seed int)) {
	const together = 1000
	for from := 0; from < all; from += together {
		t.Run(fmt.Sprint("from ", from), func(t *testing.T) {
			for seed := from; seed < min(from+together, all); seed++ {
				try(t, rand.New(rand.NewPCG(uint64(seed), 25)), seed)
			}
		})
	}
}

// Of 10,000 random fakes, at least 99.9 % are found. Some must be called fakes; at least 99.9 % of these are.
func TestProbeFindsRandomLayouts(t *testing.T) {
	t.Parallel()
	device := &simulated{}
	tried, missed, sures, unnamed := 0, 0, 0, 0
	kinds := map[string]map[Kind]int{}
	each(t, number(10_000), func(t *testing.T, random *rand.Rand, seed int) {
		l := layouts[seed%len(layouts)]
		device = reuse(device, someSize(random))
		sure := l.make(device, device.claims/blockBytes, random)
		found := probe(t, device)
		if kinds[l.name] == nil {
			kinds[l.name] = map[Kind]int{}
		}
		kinds[l.name][found.Kind]++
		tried++
		if found.Kind == Genuine {
			missed++
			t.Logf("seed %d: %s was not found in %d bytes", seed, l.name, device.claims)
		}
		if sure {
			sures++
			if !isFake(found.Kind) {
				unnamed++
				t.Logf("seed %d: %s was called %+v", seed, l.name, found)
			}
		}
	})
	for name, found := range kinds {
		t.Log(name, found)
	}
	t.Logf("%d of %d fakes were missed; %d of %d were not called fakes", missed, tried, unnamed, sures)
	if 1000*missed > tried || 1000*unnamed > sures {
		t.Error("that is more than one in a thousand")
	}
}

// Of 30,000 honest cards with bad blocks, caches and slow blocks, at most 0.01 % are called fakes.
func TestProbeClearsHonestCards(t *testing.T) {
	t.Parallel()
	device := &simulated{}
	tried, alarms := 0, 0
	kinds := map[Kind]int{}
	each(t, number(30_000), func(t *testing.T, random *rand.Rand, seed int) {
		device = reuse(device, someSize(random))
		blocks := device.claims / blockBytes
		if random.IntN(2) == 0 {
			device.cacheBlocks = random.IntN(2048)
		}
		// These are up to 20 parts of the memory, of at most 1 MiB each, and at most 2 % of it. NAND may lose that much
		// over its life.
		for range random.IntN(21) {
			length := 1 + random.Int64N(min(256, blocks/1000))
			from := random.Int64N(blocks - length + 1)
			device.bad = append(device.bad, badRegion{from, from + length, badness(random.IntN(int(badnesses)))})
		}
		found := probe(t, device)
		kinds[found.Kind]++
		tried++
		if found.Kind != Genuine && found.Kind != Failing {
			alarms++
			t.Logf("seed %d: %+v, of bad regions %+v", seed, found, device.bad)
		}
	})
	t.Logf("%v: %d of %d honest cards were called fakes", kinds, alarms, tried)
	if 10_000*alarms > tried {
		t.Error("that is more than one in ten thousand")
	}
}

// A probe of a card of 1 TB that writes 10 MB/s at random and 90 MB/s in a row takes minutes, also if it is a fake.
func TestProbeOf1TBTakesMinutes(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("needs a GiB of memory and a minute; runs with -long")
	}
	const claims, blocks = 1_000_000_000_000, 1_000_000_000_000 / blockBytes
	for name, where := range map[string]func(int64) (int64, bool){
		"genuine": honest, "limited to 8 GB": limited(8e9 / blockBytes), "wrapped at 32 GB": wrapped(32e9 / blockBytes),
	} {
		device := newSimulated(claims, where)
		p := Probe{Device: device, SizeBytes: claims}
		found, err := p.Do(context.Background())
		if err != nil || (found.Kind == Genuine) != (name == "genuine") {
			t.Errorf("%s: %+v, %v", name, found, err)
		}
		t.Logf("%s: %+v", name, device.cost)
		if c := device.cost; c.Requests > 20_000 || c.WrittenBytes+c.ReadBytes > 5e9 || c.Took.Minutes() > 2 {
			t.Errorf("%s: %+v", name, c)
		}
	}
}
