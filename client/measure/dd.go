package measure

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"

	"flashdex/client/device"
	"flashdex/result"
)

// engine moves chunks of the test area linearly, in operations of linearBytes. Only transfer is timed.
type engine interface {
	name() (name, version string)
	// prepare makes new random data for a chunk to write.
	prepare(bytes int64) error
	// transfer writes or reads bytes at offset.
	transfer(ctx context.Context, offset, bytes int64) error
	close()
}

// dd is the machine's own dd with direct I/O. No figure comes from its output.
type dd struct {
	path, test string
	area       *area
	source     *source // nil: it reads
}

func (r *Run) newDD(test string, a *area, chunkBytes int64) (engine, error) {
	path, err := exec.LookPath(cmp.Or(r.DD, "dd"))
	if err != nil {
		return nil, err
	}
	d := &dd{path: path, test: test, area: a}
	if test == result.SeqWrite {
		if d.source, err = newSource(chunkBytes); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func (d *dd) close() {
	if d.source != nil {
		d.source.close()
	}
}

func (d *dd) prepare(bytes int64) error {
	if d.source == nil {
		return nil
	}
	return d.source.refill(bytes)
}

func (d *dd) transfer(ctx context.Context, offset, length int64) error {
	count, at := fmt.Sprintf("count=%d", length/linearBytes), (d.area.start+offset)/linearBytes
	args := []string{"bs=1M", count, fmt.Sprintf("skip=%d", at), "iflag=direct", "if=/proc/self/fd/3", "of=/dev/null"}
	files := []*os.File{d.area.file.File}
	if d.source != nil {
		args = []string{"bs=1M", count, fmt.Sprintf("seek=%d", at), "oflag=direct", "conv=notrunc", "if=/proc/self/fd/4",
			"of=/proc/self/fd/3"}
		files = append(files, d.source.file)
	}
	command := exec.CommandContext(ctx, d.path, args...)
	command.Env = append(os.Environ(), "LC_ALL=C")
	command.ExtraFiles = files // descriptors 3 and 4
	// Ctrl-C must reach the client alone, so dd gets a process group of its own. The kernel kills dd when the thread that
	// started it ends, so that thread must live longer than dd.
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var said bytes.Buffer
	command.Stderr = &said
	if err := command.Run(); err != nil {
		if strings.Contains(said.String(), syscall.ENOSPC.Error()) || strings.Contains(said.String(), "No space left") {
			err = syscall.ENOSPC
		}
		return fmt.Errorf("dd: %w", err)
	}
	return nil
}

// name asks dd for its version.
func (d *dd) name() (name, version string) {
	said, _ := exec.Command(d.path, "--version").CombinedOutput()
	for line := range strings.Lines(string(said)) {
		if strings.Contains(line, "coreutils") || strings.Contains(line, "BusyBox") || strings.Contains(line, "toybox") {
			line, _, _ = strings.Cut(line, " multi-call")
			return "dd", strings.TrimSpace(device.Keep(line, device.Letters+device.Digits+" .()+_-", 60))
		}
	}
	return "dd", ""
}
