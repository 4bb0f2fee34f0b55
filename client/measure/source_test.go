package measure

import (
	"context"
	"testing"

	"flashdex/client/device"
	"flashdex/client/looptest"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// witnessed makes an engine record its calls, and whether its generator ran during a transfer.
func witnessed(e engine, steps *[]string) engine {
	prepare, transfer := e.prepare, e.transfer
	e.prepare = func(bytes int64) error {
		*steps = append(*steps, "make")
		return prepare(bytes)
	}
	e.transfer = func(ctx context.Context, offset, bytes int64) error {
		before, _ := e.random.MarshalBinary()
		err := transfer(ctx, offset, bytes)
		after, _ := e.random.MarshalBinary()
		if !cmp.Equal(before, after) {
			*steps = append(*steps, "make inside the timed part")
		}
		*steps = append(*steps, "write")
		return err
	}
	return e
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
	plan.AreaBytes, plan.ChunkBytes, plan.FirstChunkBytes = 12*mib, 4*mib, 4*mib
	run := &Run{Kernel: device.Running, Target: target, Plan: plan}
	for name, open := range map[string]opener{"dd": run.newDD, "own": run.newOwn} {
		file, err := newArea(disk.Dir)
		if err != nil {
			t.Fatal(err)
		}
		var steps []string
		watched := func(s Step, a *area, chunkBytes int64) (engine, error) {
			e, err := open(s, a, chunkBytes)
			return witnessed(e, &steps), err
		}
		test, err := run.linearBy(t.Context(), watched, file, Step{Test: result.SeqWrite})
		file.Close()
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
