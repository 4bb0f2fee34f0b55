package measure

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"flashdex/client/device"
	"flashdex/client/direct"
	"flashdex/result"
)

// Entry records something that a run has done, so that another run can continue after it. A field that is zero records
// nothing.
type Entry struct {
	Primed   int64        `json:"primed,omitempty"`   // bytes of all passes over the device so far
	Mark     []byte       `json:"mark,omitempty"`     // the device's Mark, from the first pass on
	Test     *result.Test `json:"test,omitempty"`     // a test that ended
	Part     *Part        `json:"part,omitempty"`     // a part of a test
	Spoilers []string     `json:"spoilers,omitempty"` // all that were seen so far
	Resumed  bool         `json:"resumed,omitempty"`  // another process did the later entries

	Checkpoint *result.Checkpoint `json:"checkpoint,omitempty"`
}

// Part holds the operations of a random test since its last part.
type Part struct {
	Test    string            `json:"test"`
	Seed    []byte            `json:"seed,omitempty"` // for the order of the blocks; only in the first part
	NS      []int64           `json:"ns"`             // of each operation
	Seconds []result.Interval `json:"seconds"`
	Moved   device.Counters   `json:"moved"` // bytes that the device moved meanwhile
}

// keepTime is the time between the entries of a long test.
const keepTime = 30 * time.Second

// due reports whether it is time for an entry.
func (r *Run) due() bool { return r.Keep != nil && time.Since(r.kept) >= keepTime }

// keep keeps an entry. If that fails, the run continues, but no other run can continue after this point.
func (r *Run) keep(entry Entry) {
	if err := r.mustKeep(entry); err != nil {
		r.Notes = append(r.Notes, fmt.Sprintf("the run can't be resumed from any point after %s: %v",
			time.Since(r.started).Round(time.Second), err))
		r.Keep = nil
	}
}

// mustKeep keeps an entry without which a later run would go wrong.
func (r *Run) mustKeep(entry Entry) error {
	if r.Keep == nil {
		return nil
	}
	entry.Spoilers = r.spoilers()
	if err := r.Keep(entry); err != nil {
		return fmt.Errorf("the journal of the run can't be written: %w", err)
	}
	r.kept = time.Now()
	return nil
}

// primed returns how many bytes of all passes over the device earlier runs wrote.
func (r *Run) primed() (bytes int64) {
	for _, entry := range r.Kept {
		bytes = max(bytes, entry.Primed)
	}
	return bytes
}

// Done says in words how far earlier runs got.
func (r *Run) Done() string {
	var parts []string
	if all := int64(r.Plan.DevicePasses) * r.Plan.DeviceBytes; all > 0 {
		parts = append(parts, fmt.Sprintf("%.0f %% of the priming", 100*float64(r.primed())/float64(all)))
	}
	if written := result.SumIntervals(r.part(result.EndureWrite).Seconds).Bytes; r.Plan.Method == result.MethodEndure1 {
		parts = append(parts, fmt.Sprintf("%s GB in %.1f passes", result.Number(float64(written)/1e9),
			float64(written)/float64(r.Plan.FillBytes)))
	}
	for _, s := range r.Plan.Tests {
		if r.before(s) != nil {
			parts = append(parts, s.label())
		} else if past := r.part(s.Test).Seconds; len(past) > 0 && s.Test == result.FillWrite {
			share := float64(result.SumIntervals(past).Bytes) / float64(r.Plan.FillBytes)
			parts = append(parts, fmt.Sprintf("%.0f %% of %s", 100*share, s.Test))
		} else if len(past) > 0 && s.Test == result.RoundWrite {
			parts = append(parts, fmt.Sprintf("%d rounds of %s", len(past)/result.RoundIntervals, s.Test))
		} else if ops := len(r.part(s.Test).NS); ops > 0 {
			all := int(r.Plan.AreaBytes / randomBytes)
			parts = append(parts, fmt.Sprintf("%s of %s operations of %s", result.Count(ops), result.Count(all), s.Test))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), "nothing")
}

// before returns the test of a step if an earlier run finished it.
func (r *Run) before(s Step) *result.Test {
	for _, entry := range r.Kept {
		if t := entry.Test; t != nil && t.Name == s.Test && t.BlockBytes == s.blockBytes() {
			return t
		}
	}
	return nil
}

// part joins the parts of a random test that earlier runs did.
func (r *Run) part(name string) Part {
	all := Part{Test: name}
	for _, entry := range r.Kept {
		if p := entry.Part; p != nil && p.Test == name {
			if all.Seed == nil {
				all.Seed = p.Seed
			}
			all.NS = append(all.NS, p.NS...)
			all.Seconds = append(all.Seconds, p.Seconds...)
			all.Moved = all.Moved.Plus(p.Moved)
		}
	}
	if len(all.NS) > 0 && len(all.Seed) != sha256.Size {
		return Part{Test: name}
	}
	return all
}

// seed returns the seed of the order of a test's blocks. It takes an earlier run's seed, or else the one that the token
// decides, or else a random one.
func (r *Run) seed(past Part, blockBytes int64) (seed [sha256.Size]byte) {
	switch {
	case past.Seed != nil:
		copy(seed[:], past.Seed)
	case r.Token != "":
		seed = result.OrderSeed(r.Token, past.Test, blockBytes)
	default:
		rand.Read(seed[:])
	}
	return seed
}

// markBytes are the first bytes of a device. They are written once, so they show if anything else wrote to it.
const markBytes = linearBytes

// Mark is the checksum of a device's first MiB.
func Mark(disk *os.File) ([]byte, error) {
	a := area{File: disk}
	file, err := a.direct(syscall.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	memory, free, err := direct.Memory(markBytes)
	if err != nil {
		return nil, err
	}
	defer free()
	if n, err := file.ReadAt(memory, 0); err != nil || n < markBytes {
		return nil, errors.Join(errors.New("its first MiB can't be read"), err)
	}
	sum := sha256.Sum256(memory)
	return sum[:], nil
}
