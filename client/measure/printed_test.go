package measure

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"flashdex/client/device"
	"flashdex/client/looptest"
	"flashdex/result"
)

// The linear tests that the article of 2012 prints run dd without bs, past the page cache, and write zeros. Where dd
// can't, the client does the same. Zeros are also written 1 MiB at a time.
func TestPrintedTestsMoveZerosInPiecesOf512Bytes(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	disk := looptest.Mount(t, 64*mib, "")
	target, err := device.Running.Find(disk.Dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	dd, said := filepath.Join(dir, "dd"), filepath.Join(dir, "said")
	if err := os.WriteFile(dd, []byte("#!/bin/sh\necho \"$@\" >>"+said+"\nexec dd \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	run := &Run{Kernel: device.Running, Target: target, Plan: Reference(1 << 30), DD: dd}
	run.Plan.AreaBytes = 3 * mib
	for name, open := range map[string]opener{"dd": run.newDD, "own": run.newOwn} {
		a, err := newArea(disk.Dir)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		a.bytes = 3 * mib
		if err := a.lay(bytes.Repeat([]byte{0xff}, 3*mib)); err != nil {
			t.Fatal(err)
		}
		if err := forget(a.Fd()); err != nil {
			t.Fatal(err)
		}
		for _, s := range run.Plan.Tests[2:5] { // the data that are read first aren't zeros
			test, err := run.linearBy(t.Context(), open, a, s)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			data, block := "", int64(512)
			if s.Test != result.SeqRead {
				data = result.Zeros
			}
			if s.Test == result.SeqRewrite {
				block = mib
			}
			if test.Name != s.Test || test.BlockBytes != block || test.Ops != 3*mib/block || test.Bytes != 3*mib ||
				test.Data != data || test.TimeLimitNS != s.Limit.Nanoseconds() || test.DeviceBytes < 3*mib {
				t.Errorf("%s: %+v", name, test)
			}
			content := make([]byte, 3*mib)
			if _, err := a.ReadAt(content, 0); err != nil {
				t.Fatal(err)
			}
			want := map[string]byte{result.SeqRead: 0xff}[s.Test]
			if !bytes.Equal(content, bytes.Repeat([]byte{want}, 3*mib)) {
				t.Errorf("%s: after %s the area is not full of %#x", name, s.Test, want)
			}
		}
	}
	calls, err := os.ReadFile(said)
	if err != nil {
		t.Fatal(err)
	}
	var from, to, whole int
	for line := range strings.Lines(string(calls)) {
		switch {
		case strings.Contains(line, "--version"):
		case strings.Contains(line, "bs=1M") && strings.Contains(line, "if=/dev/zero") && to == 0:
			whole++
		case strings.Contains(line, "bs="):
			t.Errorf("dd has a block size: %s", line)
		case strings.Contains(line, "if=/dev/zero") && strings.Contains(line, "oflag=direct"):
			to++
		case strings.Contains(line, "of=/dev/null") && strings.Contains(line, "iflag=direct"):
			from++
		default:
			t.Errorf("dd %s", line)
		}
	}
	if from == 0 || to == 0 || whole == 0 {
		t.Errorf("dd ran %d times to read, %d times to write, and %d times with 1 MiB:\n%s", from, to, whole, calls)
	}
}

// A test of 512 B ends at its limit, however slow the module is, and leaves the area as it is.
func TestPrintedTestsEndAtTheirLimit(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	disk := looptest.Mount(t, 64*mib, "")
	target, err := device.Running.Find(disk.Dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	run := &Run{Kernel: device.Running, Target: target, Plan: Reference(1 << 30)}
	a, err := newArea(disk.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	a.bytes = 16 * mib
	if err := a.lay(make([]byte, 16*mib)); err != nil {
		t.Fatal(err)
	}
	s := run.Plan.Tests[4]
	s.Limit = time.Nanosecond
	test, err := run.linearBy(t.Context(), run.newOwn, a, s)
	if err != nil || test.Ended != result.TimeLimit || test.Bytes != mib || test.AreaBytes != 16*mib || a.bytes != 16*mib {
		t.Errorf("%+v, %v; the area has %d bytes", test, err, a.bytes)
	}
}
