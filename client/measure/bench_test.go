package measure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"flashdex/result"
)

// The benchmark's cards differ only in their random writes. In all else they are like a cheap card of class 10.
const (
	cardWriteMBPerS = 10
	cardReadMBPerS  = 18
	cardReadIOPS    = 1000
	cardLineIOPS    = 200 // linear writes of 4 KiB or less, each on the card before the next
	iozoneBytes     = result.ReferenceAreaBytes
)

// BenchmarkProfiles reports how long each profile takes and how much it writes on cards of different IOPS, beside
// iozone. It runs the real rules on simulated latencies; a write has a coefficient of variation of 0.35.
func BenchmarkProfiles(b *testing.B) {
	for _, iops := range []float64{1, 20, 1000} {
		for _, plan := range []Plan{Quick(1 << 30), Standard(1 << 30), Reference(1 << 30)} {
			b.Run(fmt.Sprintf("%g-IOPS/%s", iops, plan.Profile), func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, uint64(iops)))
				var took time.Duration
				var written int64
				for range b.N {
					took, written = simulate(b, plan, iops, r)
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(took.Seconds(), "s")
				b.ReportMetric(float64(written)/1e6, "MB-written")
				b.ReportMetric(iozoneBytes/4096/iops+iozoneBytes/1e6/cardWriteMBPerS, "s-iozone")
				b.ReportMetric(2*iozoneBytes/1e6, "MB-iozone")
			})
		}
	}
}

// The profiles take as long as docs/method.md says, in the order of their names. quick and standard take no longer than
// they promise.
func TestSimulatedProfiles(t *testing.T) {
	t.Parallel()
	for _, iops := range []float64{0.05, 1, 20, 1000, 5000} {
		r := rand.New(rand.NewPCG(1, 1))
		var before int64
		for _, plan := range []Plan{Quick(1 << 30), Standard(1 << 30), Reference(1 << 30)} {
			took, written := simulate(t, plan, iops, r)
			if late := time.Duration(4e9 / min(iops, cardReadIOPS)); plan.Whole > 0 && took > plan.Whole+late {
				t.Errorf("%s at %g IOPS takes %s, and promises %s", plan.Profile, iops, took, plan.Whole)
			}
			if written <= before || written > plan.WriteBytes() {
				t.Errorf("%s at %g IOPS writes %d bytes, and promises %d", plan.Profile, iops, written, plan.WriteBytes())
			}
			before = written
		}
	}
}

// simulate returns how long the tests of a plan take on a card, and how much they write.
func simulate(tb testing.TB, p Plan, iops float64, r *rand.Rand) (took time.Duration, written int64) {
	tb.Helper()
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	linear := func(mbPerS float64, limit time.Duration) int64 {
		bytes := p.AreaBytes
		if limit > 0 {
			bytes = min(bytes, int64(limit.Seconds()*mbPerS*1e6))
		}
		took += seconds(float64(bytes) / 1e6 / mbPerS)
		return bytes
	}
	took = p.Look
	for _, test := range p.Tests {
		switch {
		case test.Limit > 0 && test.Test == result.SeqRead:
			linear(cardReadIOPS*printedBytes/1e6, test.Limit)
		case test.Limit > 0:
			written += linear(cardLineIOPS*printedBytes/1e6, test.Limit)
		case test.Sync != "":
			written += linear(cardLineIOPS*randomBytes/1e6, 0)
		case test.Test == result.SeqWrite:
			for range p.AreaPasses + 1 {
				written += linear(cardWriteMBPerS, p.SeqWrite)
			}
		case test.Test == result.SeqRewrite:
			written += linear(cardWriteMBPerS, p.SeqWrite)
		case test.Test == result.SeqRead:
			linear(cardReadMBPerS, p.SeqRead)
		case test.Test == result.RandRead:
			random(p.RandRead(p.AreaBytes/randomBytes), func() float64 { return 1. / cardReadIOPS }, &took)
		case test.Test == result.RandWrite:
			rule := p.RandWrite(p.AreaBytes / randomBytes)
			rule.MaxNS = p.randWriteLimit(took).Nanoseconds()
			const cv = 0.35
			s := math.Sqrt(math.Log(1 + cv*cv))
			written += randomBytes * random(rule, func() float64 { return math.Exp(s*r.NormFloat64()-s*s/2) / iops }, &took)
		default:
			tb.Fatalf("simulate doesn't know the step %+v of %s", test, p.Profile)
		}
	}
	return took, written
}

// random returns how many operations a rule asks for, and adds their time to took.
func random(rule result.Rule, latency func() float64, took *time.Duration) int64 {
	sampler := result.NewSampler(rule)
	for ops := int64(1); ; ops++ {
		ns := int64(latency() * 1e9)
		*took += time.Duration(ns)
		if sampler.Add(ns) != "" {
			return ops
		}
	}
}
