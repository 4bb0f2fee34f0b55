package guest

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"flashdex/result"
)

// TestMixedOnACard asks a card with a cache of 100 blocks, which makes room for one block in a tenth of a second of
// rest. It also asks a card without a cache, which a rest doesn't make faster. A minute makes room for all blocks, ten
// seconds for more than the 32 writes that count, and a second for ten of them. Without a rest, every write takes five
// times as long.
func TestMixedOnACard(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("takes minutes: make test-long")
	}
	model := cardModel{
		Hit: 12 * time.Millisecond, Merge: 60 * time.Millisecond, Cache: 100, Drains: 100 * time.Millisecond,
		Alone: true, ReadLatency: 2 * time.Millisecond, WriteMBPerS: 100, ReadMBPerS: 100,
	}
	all := map[string]cardModel{"100 blocks of cache": model}
	for name, r := range byChance() {
		m := model
		m.Hit = someTime(r, 10*time.Millisecond, 20*time.Millisecond)
		m.Merge = someTime(r, 40*time.Millisecond, 90*time.Millisecond)
		m.Cache, m.Drains = r.IntN(300), someTime(r, 60*time.Millisecond, time.Second)
		all[name] = m
	}
	model.Cache = 0
	all["no cache"] = model
	for name, model := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc, _ := trial{filesystem: "ext4", model: model}.here(t, "--profile", result.ProfileMixed)
			rested, mixed := doc.Test(result.RestedWrite), doc.Test(result.Mixed)
			if rested == nil || mixed == nil {
				t.Fatalf("%d tests", len(doc.Tests))
			}
			compareRests(t, rested, model)
			compareMixed(t, mixed, model)
		})
	}
}

// compareRests compares the time of a write after each rest with the card's.
func compareRests(t *testing.T, rested *result.Test, model cardModel) {
	t.Helper()
	const way = 6 * time.Millisecond // to the card and back at most, on a busy computer
	none := rested.RateAfterRest(0)
	for _, rest := range result.RestsNS {
		rate := rested.RateAfterRest(rest)
		if none == nil || rate == nil {
			t.Fatalf("after %d s: no rate", rest/1e9)
		}
		hits := min(rest/model.Drains.Nanoseconds(), int64(model.Cache), result.RestedOps)
		want := (time.Duration(hits)*model.Hit + time.Duration(result.RestedOps-hits)*model.Merge) / result.RestedOps
		took, times := time.Duration(1e9 / *rate), rested.AfterRest(rest).Times
		line := fmt.Sprintf("after %d s: %v for a write, the card takes %v; %.2f times as many", rest/1e9, took, want,
			times)
		t.Log(line)
		// While a write is on its way, the cache makes room for a part of a block. The client's ratio is a median of
		// samples. This ratio is over all writes.
		ratio := *rate / *none
		if took < want-want/20 || took > want+want/20+way || math.Abs(times/ratio-1) > 0.1 {
			t.Error(line)
		}
	}
}

// compareMixed compares the rate of mixed operations with the card's.
func compareMixed(t *testing.T, mixed *result.Test, model cardModel) {
	t.Helper()
	const reads = float64(result.MixedReads) / result.MixedOf
	// The way to the card adds to each time. A cache makes room during it, and while the card reads.
	const least, most = 0.75, 1.2
	want := 1 / (reads*model.ReadLatency.Seconds() + (1-reads)*model.Merge.Seconds())
	f := mixed.Figures()
	if f.IOPS == nil {
		t.Fatal("no rate of mixed operations")
	}
	share := float64(result.SumIntervals(mixed.Intervals).Reads) / float64(mixed.Ops)
	line := fmt.Sprintf("mixed: %.1f IOPS, the card does about %.1f; %.1f %% are reads", *f.IOPS, want, 100*share)
	t.Log(line)
	if *f.IOPS < least*want || *f.IOPS > most*want || math.Abs(share-reads) > 0.05 {
		t.Error(line)
	}
}

// thriceAsLong is a card whose random writes take three times as long once as many blocks were written as it has.
// Before the fill, a run writes fewer blocks than that, and with the fill more.
var thriceAsLong = trial{
	bus: usb, moduleBytes: saturatedBytes,
	model: cardModel{
		Hit: 60 * time.Millisecond, Merge: 180 * time.Millisecond, Fresh: saturatedBytes / cardBlockBytes,
		WriteMBPerS: 10, ReadMBPerS: 100,
	},
}

const saturatedBytes = 2 * result.StandardAreaBytes

// TestSaturateOfACard fills cards, and finds both rates.
func TestSaturateOfACard(t *testing.T) {
	t.Parallel()
	if *cards == 0 {
		t.Skip("TestSaturateGoesOn has a card; -cards 20 makes more")
	}
	for name, r := range byChance() {
		tr := thriceAsLong
		tr.model.Hit = someTime(r, 40*time.Millisecond, 80*time.Millisecond)
		tr.model.Merge = time.Duration(float64(tr.model.Hit) * (1 + 4*r.Float64()))
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc, writes := tr.here(t, "--profile", result.ProfileSaturate)
			compareRounds(t, doc, tr.model, writes)
		})
	}
}

// TestSaturateGoesOn interrupts a run while it fills, kills it in its rounds, and resumes it each time. The run goes on
// where it was, and finds both rates.
func TestSaturateGoesOn(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("takes minutes: make test-long")
	}
	files, writes := thriceAsLong.run(t, whileRunning+`
start --device "$device" --erase --yes --profile saturate
reach fill-write || exit
sleep 3
kill -INT "$client"
wait "$client"
cp /out/client /out/filling
start resume
reach round-write || exit
sleep 90 # more than a round
kill -9 "$client"
wait "$client"
cp /out/client /out/rounds
/flashdex resume --no-upload >/out/table 2>/out/resumed || exit
cp /tmp/results/*.json /out/result.json`)
	doc := document(t, files)
	for name, want := range map[string]string{
		"filling": "flashdex resume", "rounds": " % of fill-write", "resumed": " rounds of round-write",
	} {
		if said := string(files[name]); !strings.Contains(said, want) {
			t.Errorf("%s: %q isn't in %s", name, want, said)
		}
	}
	if doc.Resumed != 2 {
		t.Errorf("resumed %d times", doc.Resumed)
	}
	compareRounds(t, doc, thriceAsLong.model, writes)
}

// compareRounds compares a saturation with the card's log.
func compareRounds(t *testing.T, doc *result.Document, model cardModel, writes []cardWrite) {
	t.Helper()
	inLine := 0
	for _, w := range writes {
		if w.Sequential {
			inLine++
		}
	}
	fill, rounds, full := doc.Test(result.FillWrite), doc.Test(result.RoundWrite), doc.Test(result.FullWrite)
	if fill == nil || rounds == nil || full == nil {
		t.Fatalf("%d tests", len(doc.Tests))
	}
	// A fill that was interrupted had written for at least 10 s, so a fill that began again would write more than this.
	// The last summand is for operations that were cut off, and for the MiB by which the client recognizes the card.
	const mostInLine = (saturatedBytes + result.StandardAreaBytes + 16<<20) / cardBlockBytes
	if fill.Ended != result.Complete || fill.Bytes < saturatedBytes-2<<20 || inLine > mostInLine {
		t.Errorf("%s: %d bytes of %d; %d blocks were written in a line, want at most %d", fill.Ended, fill.Bytes,
			int64(saturatedBytes), inLine, int64(mostInLine))
	}
	if rounds.Ended != result.Converged {
		t.Errorf("%d rounds, %s", len(result.RoundsOf(rounds.Intervals)), rounds.Ended)
	}
	// The bus adds less than a tenth to the card's time.
	for name, cost := range map[string]time.Duration{result.RandWrite: model.Hit, result.RoundWrite: model.Merge,
		result.FullWrite: model.Merge} {
		test := doc.Test(name)
		if test == nil || test.Figures().IOPS == nil {
			t.Fatalf("%s has no rate", name)
		}
		rate, made := *test.Figures().IOPS, 1/cost.Seconds()
		line := fmt.Sprintf("%s: %.2f IOPS of a card of %.2f", name, rate, made)
		t.Log(line)
		if rate < 0.9*made || rate > 1.02*made {
			t.Error(line)
		}
	}
	const counted = 5 * result.RoundIntervals // the steady rounds
	last := result.SumIntervals(rounds.Intervals[max(len(rounds.Intervals)-counted, 0):])
	end := int64(len(writes)) - full.Ops - full.WarmupOps // only they are written after the rounds
	ofLast := writes[max(end-last.Ops, 0):end]
	made := float64(len(ofLast)-1) / (ofLast[len(ofLast)-1].Done - ofLast[0].Done).Seconds()
	// Some of it is the client's own time between operations.
	if percent := 100 * (*rounds.Figures().IOPS/made - 1); math.Abs(percent) > 3 {
		t.Errorf("the card delivered %.2f IOPS in the last rounds: %+.1f %%", made, percent)
	}
}
