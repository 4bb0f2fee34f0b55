package measure

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"syscall"
	"time"

	"flashdex/result"
)

// poolBytes of random data are made ahead of random writes. Every operation stamps its number into each sector of its
// block, so that no two sectors of a test are alike, and no processor is too slow to keep the module busy.
const (
	poolBytes   = 4 << 20
	sectorBytes = 512
)

func (r *Run) randWrite(ctx context.Context, a *area) (result.Test, error) {
	rule := r.Plan.RandWrite(a.bytes / randomBytes)
	rule.MaxNS = r.randWriteLimit().Nanoseconds()
	sync := map[string]int{"dsync": syscall.O_DSYNC, "sync": syscall.O_SYNC}[r.Plan.Sync]
	file, err := a.direct(syscall.O_RDWR | sync)
	if err != nil {
		return result.Test{}, err
	}
	defer file.Close()
	pool, free, err := aligned(poolBytes)
	if err != nil {
		return result.Test{}, err
	}
	defer free()
	newRandom().Read(pool) // never fails
	fd := int(file.Fd())
	t := result.Test{Name: result.RandWrite, Sync: r.Plan.Sync}
	err = r.random(ctx, &t, a, rule, fd, func(op int64) []byte {
		payload := pool[op*randomBytes%poolBytes:][:randomBytes]
		for at := 0; at < randomBytes; at += sectorBytes {
			binary.LittleEndian.PutUint64(payload[at:], uint64(op))
		}
		return payload
	}, rawWrite)
	return t, err
}

func (r *Run) randRead(ctx context.Context, a *area) (result.Test, error) {
	file, err := a.direct(syscall.O_RDONLY)
	if err != nil {
		return result.Test{}, err
	}
	defer file.Close()
	block, free, err := aligned(randomBytes)
	if err != nil {
		return result.Test{}, err
	}
	defer free()
	fd := int(file.Fd())
	t := result.Test{Name: result.RandRead, Sync: "none"}
	err = r.random(ctx, &t, a, r.Plan.RandRead(a.bytes/randomBytes), fd, func(int64) []byte { return block }, rawRead)
	return t, err
}

// random fills t by going over the blocks of the area in a random order, each once, until rule has seen enough. Only
// transfer is timed; prepare makes ready what it gets.
func (r *Run) random(ctx context.Context, t *result.Test, a *area, rule result.Rule, fd int, prepare func(op int64) []byte, transfer func(fd int, block []byte) (int, error)) error {
	t.BlockBytes, t.QueueDepth, t.Direct, t.Engine, t.AreaBytes = randomBytes, 1, true, ownName, a.bytes
	t.TimeLimitNS = rule.MaxNS
	order := mathrand.New(newRandom()).Perm(int(a.bytes / randomBytes))
	sampler, latency := result.NewSampler(rule), result.NewHistogram()
	counters, err := r.Target.Disk.Counters()
	if err != nil {
		return err
	}
	var series result.Series
	var second result.Interval
	secondStart := time.Now()
	for op := int64(0); t.Ended == ""; op++ {
		block := prepare(op)
		if err := seek(fd, a.start+int64(order[op])*randomBytes); err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
		before := time.Now()
		n, err := transfer(fd, block)
		after := time.Now()
		if err == nil && n != randomBytes {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return fmt.Errorf("%s: operation %d moved %d of %d bytes: %w", t.Name, op+1, n, randomBytes, err)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		ns := after.Sub(before).Nanoseconds()
		if sampler.Warm() {
			latency.Add(ns)
		}
		t.Ended = sampler.Add(ns)
		second.Ops++
		second.Bytes += randomBytes
		second.MaxNS = max(second.MaxNS, ns)
		if span := time.Since(secondStart); span >= time.Second || t.Ended != "" {
			second.NS = span.Nanoseconds()
			secondStart = secondStart.Add(span)
			series.Add(second)
			second = result.Interval{}
			r.reportRandom(t, op+1, rule, sampler)
		}
	}
	t.Intervals = series.Intervals
	t.WarmupOps, t.WarmupNS = sampler.Warmup()
	t.Ops = sampler.Ops()
	t.Bytes = t.Ops * randomBytes
	t.Batches = sampler.Batches()
	t.Latency = latency.Buckets()
	for _, b := range t.Batches {
		t.DurationNS += b.NS
	}
	t.OverheadNS = -t.DurationNS - t.WarmupNS
	for _, i := range t.Intervals {
		t.OverheadNS += i.NS
	}
	if t.DeviceBytes, err = r.confirm(t.Name, (t.Ops+t.WarmupOps)*randomBytes, counters); err != nil {
		return err
	}
	if t.Ops == 0 {
		return fmt.Errorf("%s has no result: its first %d operations took %d s, which is all the time there was; "+
			"the module is broken, or slower than can be measured", t.Name, t.WarmupOps, t.WarmupNS/1e9)
	}
	return nil
}

func (r *Run) reportRandom(t *result.Test, ops int64, rule result.Rule, s *result.Sampler) {
	elapsed, limit := time.Duration(s.ElapsedNS()), time.Duration(rule.MaxNS)
	share := float64(ops) / float64(max(rule.TotalOps, 1))
	r.report(Progress{
		Test: t.Name, Elapsed: elapsed, Share: share, Ops: ops, Bytes: ops * randomBytes,
		Left: r.left(t.Name, limit-elapsed), Done: t.Ended != "",
	})
}
