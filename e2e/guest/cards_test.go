package guest

import (
	"errors"
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"flashdex/api/submission/plausible"
	"flashdex/client/looptest"
	"flashdex/result"
	"flashdex/result/schema"
)

var cards = flag.Int("cards", 0, "test the profiles of the inside on so many cards more, made by chance")

// byChance yields a name and a source of chance for each random card. They are the same every time.
func byChance() iter.Seq2[string, *rand.Rand] {
	return func(yield func(string, *rand.Rand) bool) {
		for i := range *cards {
			if !yield(fmt.Sprintf("card %d", i+1), rand.New(rand.NewPCG(uint64(i), 24))) {
				return
			}
		}
	}
}

// someTime returns a time between two by chance.
func someTime(r *rand.Rand, low, high time.Duration) time.Duration {
	return low + time.Duration(r.Int64N(int64(high-low)))
}

// oneOf returns one of several by chance.
func oneOf[T any](r *rand.Rand, several ...T) T { return several[r.IntN(len(several))] }

// here runs this computer's client on the module, and returns its result and the module's log. QEMU serves the module
// as a file, and a loop device is over that file. So many modules at once load the computer little. The module does one
// request at a time.
func (tr trial) here(t *testing.T, options ...string) (*result.Document, []cardWrite) {
	t.Helper()
	card, address := tr.insert(t)
	device := looptest.Over(t, servedAsFile(t, address, card.bytes), "--direct-io=on")
	target := []string{"--device", device, "--erase", "--yes"}
	if tr.filesystem != "" {
		target = []string{looptest.MountAt(t, device)}
	}
	client := exec.Command(filepath.Join(clients, "flashdex-linux-"+runtime.GOARCH),
		append(append(target, "--no-upload"), options...)...)
	dir := t.TempDir()
	client.Env = append(os.Environ(), "FLASHDEX_DIR="+dir)
	said, err := client.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	results, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(results) != 1 {
		t.Fatalf("%d results (%v)\n%s", len(results), err, said)
	}
	doc, err := schema.Read(read(t, results[0]))
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if found := plausible.Check(doc); found != nil {
		t.Errorf("the server would not take it as it is: %+v", found)
	}
	return doc, card.Writes()
}

// doHere runs job, a shell script, on this computer, and otherwise does what run does. The variables device, flashdex
// and out name the module, the client, and the folder for the job's files.
func (tr trial) doHere(t *testing.T, job string) (files map[string][]byte, writes []cardWrite) {
	t.Helper()
	card, address := tr.insert(t)
	program, err := filepath.Abs(filepath.Join(clients, "flashdex-linux-"+runtime.GOARCH))
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	sh := exec.Command("sh", "-c", job)
	sh.Dir = t.TempDir()
	sh.Env = append(os.Environ(), "out="+out, "flashdex="+program, "FLASHDEX_DIR="+t.TempDir(),
		"device="+looptest.Over(t, servedAsFile(t, address, card.bytes), "--direct-io=on"))
	said, err := sh.CombinedOutput()
	files = map[string][]byte{"said": said, "status": []byte("0")}
	if err != nil {
		files["status"] = []byte(err.Error())
	}
	names, err := os.ReadDir(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		files[name.Name()] = read(t, filepath.Join(out, name.Name()))
	}
	return files, card.Writes()
}

// servedAsFile has QEMU pass the module at an address on as a file, until the test ends.
func servedAsFile(t *testing.T, address string, bytes int64) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "module")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	daemon := exec.Command("qemu-storage-daemon",
		"--blockdev", "nbd,node-name=module,server.type=unix,server.path="+address,
		"--export", "fuse,id=file,node-name=module,writable=on,mountpoint="+strings.ReplaceAll(path, ",", ",,"))
	daemon.Stderr = os.Stderr
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- daemon.Wait() }()
	t.Cleanup(func() {
		if err := errors.Join(daemon.Process.Signal(syscall.SIGTERM), <-ended); err != nil {
			t.Error(err)
		}
	})
	for range 100 {
		if info, err := os.Stat(path); err == nil && info.Size() == bytes {
			return path
		}
		select {
		case err := <-ended:
			t.Fatalf("QEMU doesn't serve the file: %v", err)
		case <-time.After(100 * time.Millisecond):
		}
	}
	t.Fatal("QEMU doesn't serve the file in time")
	return ""
}
