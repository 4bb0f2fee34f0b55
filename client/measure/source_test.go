package measure

import (
	"context"
	"math/rand/v2"
	"testing"

	"flashdex/client/device"
	"flashdex/client/looptest"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// witness is an engine that records its calls and whether its generator ran during a transfer.
type witness struct {
	engine
	random *rand.ChaCha8
	steps  *[]string
}

func (w witness) prepare(bytes int64) error {
	*w.steps = append(*w.steps, "make")
	return w.engine.prepare(bytes)
}

func (w witness) transfer(ctx context.Context, offset, bytes int64) error {
	before, _ := w.random.MarshalBinary()
	err := w.engine.transfer(ctx, offset, bytes)
	after, _ := w.random.MarshalBinary()
	if !cmp.Equal(before, after) {
		*w.steps = append(*w.steps, "make inside the timed part")
	}
	*w.steps = append(*w.steps, "write")
	return err
}

// Each engine makes its data outside of the timed part: the generator stands still during a transfer, and its time
// counts as overhead.
func TestDataAreMadeOutsideTheTimedPart(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	disk := looptest.Mount(t, 64*mib, "")
	target, err := device.Running.Find(disk.Dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	plan := Standard(1 << 30)
	plan.ChunkBytes, plan.FirstChunkBytes = 4*mib, 4*mib
	run := &Run{Kernel: device.Running, Target: target, Plan: plan}
	for name, open := range map[string]opener{"dd": run.newDD, "own": run.newOwn} {
		file, err := newArea(disk.Dir)
		if err != nil {
			t.Fatal(err)
		}
		var steps []string
		watched := func(test string, a *area, chunkBytes int64) (engine, error) {
			e, err := open(test, a, chunkBytes)
			if err != nil {
				return nil, err
			}
			switch e := e.(type) {
			case *dd:
				return witness{e, e.source.random, &steps}, nil
			case *own:
				return witness{e, e.random, &steps}, nil
			}
			return e, nil
		}
		test, err := run.linearBy(t.Context(), watched, file, result.SeqWrite, 12*mib, 0, plan.SeqWrite)
		file.close()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff([]string{"make", "write", "make", "write", "make", "write"}, steps); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if test.SourceBytes != 12*mib || test.SourceNS <= 0 || test.SourceNS > test.OverheadNS {
			t.Errorf("%s: %d bytes made in %d ns, of %d ns not counted", name, test.SourceBytes, test.SourceNS, test.OverheadNS)
		}
	}
}
