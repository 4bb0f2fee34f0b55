package measure

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"strings"
	"syscall"
	"time"

	"flashdex/client/device"
	"flashdex/result"
)

// Entry is something that a run has done, for another run to go on after it. Only what isn't zero has happened.
type Entry struct {
	Primed   int64        `json:"primed,omitempty"` // bytes of all passes over the device so far
	Mark     []byte       `json:"mark,omitempty"`   // of the device (Mark), from the first pass on
	Test     *result.Test `json:"test,omitempty"`   // that ended
	Part     *Part        `json:"part,omitempty"`
	Spoilers []string     `json:"spoilers,omitempty"` // all that were seen so far
	Resumed  bool         `json:"resumed,omitempty"`  // from here on it was another process
}

// Part is what a random test has done since the part before.
type Part struct {
	Test    string            `json:"test"`
	Seed    []byte            `json:"seed,omitempty"` // of the order of its blocks; of the first part
	NS      []int64           `json:"ns"`             // of each operation
	Seconds []result.Interval `json:"seconds"`
	Moved   device.Counters   `json:"moved"` // by the device meanwhile
}

// keepTime is how often something is kept of a test that takes long.
const keepTime = 30 * time.Second

// due says whether something is to be kept now.
func (r *Run) due() bool { return r.Keep != nil && time.Since(r.kept) >= keepTime }

// keep keeps an entry. Where that fails, the run goes on: it is only that no other can go on from here.
func (r *Run) keep(entry Entry) {
	if r.Keep == nil {
		return
	}
	entry.Spoilers = r.spoilers()
	r.kept = time.Now()
	if err := r.Keep(entry); err != nil {
		r.Notes = append(r.Notes, fmt.Sprintf("what was done after %s can't be gone on from: %v", time.Since(r.started).Round(time.Second), err))
		r.Keep = nil
	}
}

// Done says in words what earlier runs have done.
func (r *Run) Done() string {
	var parts []string
	var primed int64
	for _, entry := range r.Kept {
		primed = max(primed, entry.Primed)
	}
	if all := int64(r.Plan.DevicePasses) * r.Plan.DeviceBytes; all > 0 {
		parts = append(parts, fmt.Sprintf("%.0f %% of the priming", 100*float64(primed)/float64(all)))
	}
	for _, name := range r.Plan.Tests {
		if r.before(name) != nil {
			parts = append(parts, name)
		} else if ops := len(r.part(name).NS); ops > 0 {
			parts = append(parts, fmt.Sprintf("%d of %d operations of %s", ops, r.Plan.AreaBytes/randomBytes, name))
		}
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

// before is the test of that name, if it was run before.
func (r *Run) before(name string) *result.Test {
	for _, entry := range r.Kept {
		if entry.Test != nil && entry.Test.Name == name {
			return entry.Test
		}
	}
	return nil
}

// part is all that was done before of a random test; of one that is new, the seed alone.
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
	if len(all.Seed) != seedBytes {
		all = Part{Test: name, Seed: make([]byte, seedBytes)}
		rand.Read(all.Seed)
	}
	return all
}

const seedBytes = 32

// permutation is a random order of n things (Fisher and Yates), which is the same for the same seed whatever built the client.
func permutation(seed []byte, n int64) []int32 {
	random := mathrand.NewChaCha8([seedBytes]byte(seed))
	order := make([]int32, n)
	for i := range order {
		at := random.Uint64() % uint64(i+1)
		order[i] = order[at]
		order[at] = int32(i)
	}
	return order
}

// markBytes at the beginning of a device are written by the first pass over it and by none after, so that they tell whether a
// device is still the one that a run has begun on, and nothing was put on it since.
const markBytes = linearBytes

// Mark is the checksum of a device's first MiB.
func Mark(disk *os.File) ([]byte, error) {
	a := area{file: store{disk, true}}
	file, err := a.direct(syscall.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	memory, free, err := aligned(markBytes)
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
