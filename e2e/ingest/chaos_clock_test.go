package ingest

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// clock steps the clocks that servers, workers and the database see. The machine's own clock stays, because other
// programs need it. docs/decisions/0017 explains how.
type clock struct {
	program string // a build of the server that adds the seconds in a file to every time.Now
	file    string
	begins  time.Duration // how far it is off at the start, which is a minute before midnight
	mu      sync.Mutex
}

// The seconds are read from memory that is shared with the test, because the runtime calls time.Now in places that
// allow no system call.
const (
	now      = "func Now() Time {\n\tsec, nsec, mono := runtimeNow()\n"
	stepsNow = now + "\tsec += atomic.LoadInt64(stepped)\n"
	stepped  = `
var stepped = func() *int64 {
	name, _ := syscall.Getenv("FLASHDEX_TEST_CLOCK")
	if fd, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0); err == nil {
		if shared, err := syscall.Mmap(fd, 0, 8, syscall.PROT_READ, syscall.MAP_SHARED); err == nil {
			return (*int64)(unsafe.Pointer(&shared[0]))
		}
	}
	return new(int64)
}()
`
)

// newClock builds the server with a standard library whose clock can be stepped.
func newClock(t *testing.T) *clock {
	t.Helper()
	// The folder stays, so that the next run need not compile everything again.
	dir, err := filepath.Abs(filepath.Join(root, "var/clock"))
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	midnight := time.Now().UTC().Truncate(24 * time.Hour).Add(24*time.Hour - time.Minute)
	c := &clock{
		program: filepath.Join(dir, "api"), file: filepath.Join(t.TempDir(), "seconds"), begins: time.Until(midnight),
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(strings.TrimSpace(string(goroot)), "src/time/time.go")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	source := string(text)
	for old, with := range map[string]string{
		now: stepsNow, "import (\n": "import (\n\t\"sync/atomic\"\n\t\"syscall\"\n", "_ \"unsafe\"": "\"unsafe\"",
	} {
		if strings.Count(source, old) != 1 {
			t.Fatalf("this Go has another time.Now: %q is not in %s once", old, path)
		}
		source = strings.Replace(source, old, with, 1)
	}
	overlay, _ := json.Marshal(map[string]map[string]string{"Replace": {path: filepath.Join(dir, "time.go")}})
	for name, text := range map[string][]byte{
		filepath.Join(dir, "time.go"): []byte(source + stepped), filepath.Join(dir, "overlay.json"): overlay,
		c.file: make([]byte, 8),
	} {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("FLASHDEX_TEST_CLOCK", c.file)
	build := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", c.program, "./api")
	build.Dir, build.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return c
}

// prepare gives the database clocks of its own, which a table steps. It sets all clocks to just before midnight.
func (k *clock) prepare(c *city) {
	c.t.Helper()
	execute(c.t, c.pair.url, `
		create table clock as select interval '0 s' as step;
		grant select on clock to public;
		create function public.now() returns timestamptz stable language sql as
			'select pg_catalog.now() + step from public.clock';
		create function public.clock_timestamp() returns timestamptz volatile language sql as
			'select pg_catalog.clock_timestamp() + step from public.clock';
		alter database flashdex set search_path = public, pg_catalog;
		do $$
		declare
			named regprocedure;
		begin
			for named in select oid from pg_proc where pronamespace = 'public'::regnamespace and proconfig is not null loop
				execute format('alter function %s set search_path = public, pg_catalog, pg_temp', named);
			end loop;
		end $$`)
	k.step(c, 0)
}

// step sets the clocks so far from their start. The servers' clocks and the database's differ by another minute.
func (k *clock) step(c *city, by time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	seconds := int64((k.begins + by).Seconds())
	c.t.Logf("the clocks are %v off", by)
	file, err := os.OpenFile(k.file, os.O_WRONLY, 0)
	if err == nil {
		_, err = file.Write(binary.NativeEndian.AppendUint64(nil, uint64(seconds)))
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		c.t.Error(err)
	}
	if by != 0 {
		seconds += 60
	}
	eventually(c.t, "the database's clock is stepped", func() bool {
		_, err := query[bool](c.t.Context(), c.pair.url, "update clock set step = $1::interval returning true",
			time.Duration(seconds)*time.Second)
		return err == nil
	})
}
