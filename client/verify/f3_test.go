package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"flashdex/client/looptest"
)

// besideF3 are fakes of 256 MiB. Except for the chips with flipped bits, 50.6 MB of them are real. No fake of the first
// kind harms the beginning, where a file system has its tables.
var besideF3 = []struct {
	name string
	make func() *simulated
	// filled says whether it is filled through a file system, too.
	filled bool
}{
	{"honest", func() *simulated { return newSimulated(256<<20, honest) }, true},
	{"limited", func() *simulated { return newSimulated(256<<20, limited(12345)) }, true},
	{"silent zeros between", func() *simulated {
		return newSimulated(256<<20, func(block int64) (int64, bool) { return block, block < 12345 || block > 3*12345 })
	}, true},
	{"read-only tail", func() *simulated {
		device := newSimulated(256<<20, limited(60_000))
		device.answer = earlierRun
		return device
	}, true},
	{"flipped bits", func() *simulated {
		device := newSimulated(256<<20, honest)
		device.flips = func(block int64, data []byte) {
			if block >= 12345 && block%20 == 0 {
				data[100] ^= 1
			}
		}
		return device
	}, true},
	{"wraparound", func() *simulated { return newSimulated(256<<20, wrapped(12345)) }, false},
	{"wraparound, a power of two", func() *simulated { return newSimulated(256<<20, wrapped(16384)) }, false},
	{"mirrored addresses", func() *simulated {
		return newSimulated(256<<20, func(block int64) (int64, bool) { return min(block, 2*40_000-1-block), true })
	}, false},
	{"hashed addresses", func() *simulated {
		return newSimulated(256<<20, func(block int64) (int64, bool) { return scattered(block, 1) % 12345, true })
	}, false},
	{"cached head", func() *simulated {
		device := newSimulated(256<<20, limited(12345))
		device.headBlocks = 1000
		return device
	}, false},
	{"late write loss", func() *simulated {
		device := newSimulated(256<<20, honest)
		device.aliveBlocks = 3000
		return device
	}, false},
}

// tool holds what a program found out about a device, and the cost.
type tool struct {
	name  string
	fill  bool // through a file system
	finds func(t *testing.T, path string) (isSound bool, said string)
}

var lostOfF3 = regexp.MustCompile(`(?m)^Data LOST: (.*?) \((\d+) sectors\)`)

var toolsBesideF3 = []tool{
	{"flashdex verify --device", false, func(t *testing.T, path string) (bool, string) {
		file, err := os.OpenFile(path, os.O_RDWR|os.O_EXCL|syscall.O_DIRECT, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		size, err := file.Seek(0, io.SeekEnd)
		if err != nil {
			t.Fatal(err)
		}
		p := Probe{Device: file, SizeBytes: size}
		found, err := p.Do(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return found.Kind == Genuine, string(found.Kind) + ", " + Size(found.RealBytes)
	}},
	{"f3probe", false, func(t *testing.T, path string) (bool, string) {
		// f3probe's exit status is 0 even if it found a fake. It doesn't reset, since there is no USB port.
		said, err := exec.Command("f3probe", "--destructive", "--reset-type=2", path).CombinedOutput()
		text := string(said)
		isSound := strings.Contains(text, "is the real thing")
		if !isSound && !strings.Contains(text, "Bad news") && !strings.Contains(text, "damaged") {
			t.Errorf("f3probe said %v, %s", err, text)
		}
		_, usable, _ := strings.Cut(text, "*Usable* size: ")
		usable, _, _ = strings.Cut(usable, " (")
		_, kind, _ := strings.Cut(text, "is a counterfeit of type ")
		kind, _, _ = strings.Cut(kind, "\n")
		return isSound, strings.TrimPrefix(kind+", "+usable, ", ")
	}},
	{"flashdex verify DIR", true, func(t *testing.T, dir string) (bool, string) {
		space, err := NewSpace(dir, false)
		if err != nil {
			t.Fatal(err)
		}
		defer space.Close()
		var found Content
		if err := errors.Join(space.Write(context.Background(), &found),
			space.Read(context.Background(), &found)); err != nil {
			t.Fatal(err)
		}
		return found.Sound(), Size(found.Sectors.Bad()*SectorBytes) + " bad"
	}},
	{"f3write and f3read", true, func(t *testing.T, dir string) (bool, string) {
		if said, err := exec.Command("f3write", dir).CombinedOutput(); err != nil {
			return false, fmt.Sprintf("f3write: %v, %s", err, said[max(0, len(said)-200):])
		}
		// The pages in the cache must not answer.
		if err := os.WriteFile("/proc/sys/vm/drop_caches", []byte("1"), 0); err != nil {
			t.Fatal(err)
		}
		said, err := exec.Command("f3read", dir).CombinedOutput()
		lost := lostOfF3.FindSubmatch(said)
		if lost == nil {
			return false, fmt.Sprintf("f3read: %v, %s", err, said[max(0, len(said)-200):])
		}
		return string(lost[2]) == "0", string(lost[1]) + " lost"
	}},
}

// F3 and Flashdex look at the same layouts, one after the other, each at a new device. The log is the table of
// docs/verify.md.
func TestBesideF3(t *testing.T) {
	if !*long {
		t.Skip("takes minutes; runs with -long")
	}
	for _, program := range []string{"f3probe", "f3write", "f3read", "mkfs.ext4"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%v (make tools, as root on Debian)", err)
		}
	}
	for _, of := range toolsBesideF3 {
		for _, l := range besideF3 {
			if of.fill && !l.filled {
				continue
			}
			t.Run(of.name+"/"+l.name, func(t *testing.T) {
				device := l.make()
				path := attach(t, device)
				if of.fill {
					mkfs := exec.Command("mkfs.ext4", "-q", "-F", "-b", "4096", "-O", "^has_journal", path)
					if said, err := mkfs.CombinedOutput(); err != nil {
						t.Fatalf("%v\n%s", err, said)
					}
					path = looptest.MountAt(t, path)
				}
				before, began := device.cost, time.Now()
				isSound, said := of.finds(t, path)
				took, after := time.Since(began), device.cost
				t.Logf("| %s | %s | %.1f | %d | %d | %s |", l.name, of.name, took.Seconds(),
					(after.WrittenBytes-before.WrittenBytes)/1e6, (after.ReadBytes-before.ReadBytes)/1e6, said)
				if isSound != (l.name == "honest") {
					t.Errorf("%s was not told rightly", l.name)
				}
			})
		}
	}
}

// Layouts that are drawn at random, as in TestProbeFindsRandomLayouts, are found on real block devices, too. F3probe looks
// at the same ones; what it says of them is in the log.
func TestRandomLayoutsOnRealBlockDevices(t *testing.T) {
	if !*long {
		t.Skip("takes minutes; runs with -long")
	}
	if _, err := exec.LookPath("f3probe"); err != nil {
		t.Skipf("%v (make tools, as root on Debian)", err)
	}
	for seed := range 3 * len(layouts) {
		l := layouts[seed%len(layouts)]
		for _, of := range toolsBesideF3[:2] {
			t.Run(fmt.Sprintf("%s/%s, seed %d", of.name, l.name, seed), func(t *testing.T) {
				random := rand.New(rand.NewPCG(uint64(seed), 25))
				claims := int64(math.Exp2(26+2*random.Float64())) / blockBytes * blockBytes
				device := newSimulated(claims, honest)
				sure := l.make(device, claims/blockBytes, random)
				isSound, said := of.finds(t, attach(t, device))
				t.Logf("%s of %s: %s", l.name, Size(claims), said)
				kind, _, _ := strings.Cut(said, ",")
				if of.name != "f3probe" && (isSound || sure && !isFake(Kind(kind))) {
					t.Errorf("%s was not told rightly", l.name)
				}
			})
		}
	}
}
