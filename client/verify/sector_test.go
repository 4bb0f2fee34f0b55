package verify

import (
	"bytes"
	"compress/flate"
	"math/rand/v2"
	"testing"
	"testing/quick"
)

func TestClassify(t *testing.T) {
	t.Parallel()
	check := func(run uint64, number, other int64, at uint16, with byte) bool {
		number, other, i := number>>1&(1<<52-1), other>>1&(1<<52-1), int(at)%SectorBytes
		sector := make([]byte, SectorBytes)
		is := func(want State) bool {
			state := Classify(sector, run, number)
			if state != want {
				t.Errorf("%d, want %d", state, want)
			}
			return state == want
		}
		Build(sector, run, number)
		ok := is(Good)
		sector[i] ^= with | 1
		ok = is(Damaged) && ok
		if other != number {
			Build(sector, run, other)
			ok = is(Elsewhere) && ok
			sector[i] ^= with | 1
			ok = is(Foreign) && ok
		}
		Build(sector, run+1, number)
		ok = is(Old) && ok
		for j := range sector {
			sector[j] = with
		}
		ok = is(Blank) && ok
		random := rand.New(rand.NewPCG(run, uint64(number)))
		for j := range sector {
			sector[j] = byte(random.Uint32())
		}
		return is(Foreign) && ok
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 2000}); err != nil {
		t.Error(err)
	}
}

func TestExamineFindsTheFirstBadSector(t *testing.T) {
	t.Parallel()
	p, want := make([]byte, 64<<10), make([]byte, 64<<10)
	Build(p, 7, 1000)
	var tally Tally
	if bad := tally.examine(p, want, 7, 1000); bad != -1 || tally[Good] != 128 || tally.Bad() != 0 {
		t.Errorf("%d, %v", bad, tally)
	}
	tally = Tally{}
	clear(p[5*SectorBytes : 7*SectorBytes])
	p[9*SectorBytes+77]++
	if bad := tally.examine(p, want, 7, 1000); bad != 1005 || tally[Good] != 125 || tally[Blank] != 2 ||
		tally[Damaged] != 1 {
		t.Errorf("%d, %v", bad, tally)
	}
}

// A module that compresses must save no more than the headers.
func TestSectorsDoNotCompress(t *testing.T) {
	t.Parallel()
	p := make([]byte, 1<<20)
	Build(p, rand.Uint64(), 1<<30)
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(p); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if packed.Len() < len(p)*93/100 {
		t.Errorf("%d bytes were packed into %d", len(p), packed.Len())
	}
}

func BenchmarkBuild(b *testing.B) {
	p := make([]byte, 1<<20)
	b.SetBytes(int64(len(p)))
	for i := 0; b.Loop(); i++ {
		Build(p, 1, int64(i)<<11)
	}
}

func BenchmarkExamine(b *testing.B) {
	p, want := make([]byte, 1<<20), make([]byte, 1<<20)
	Build(p, 1, 0)
	b.SetBytes(int64(len(p)))
	for b.Loop() {
		var tally Tally
		tally.examine(p, want, 1, 0)
	}
}
