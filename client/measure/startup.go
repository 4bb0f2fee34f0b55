package measure

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"flashdex/client/device"
	"flashdex/result"
)

const (
	startupRuns  = 10
	startupLimit = time.Minute // of one run
)

// startup runs the command once to see its files. Then it drops them from the page cache and runs it, again and again.
func (r *Run) startup(ctx context.Context) error {
	files, err := r.used(ctx)
	if err != nil {
		return err
	}
	defer func() {
		for _, file := range files {
			file.Close()
		}
	}()
	if r.ProgramSum, r.ProgramBytes, err = r.program(files); err != nil {
		return err
	}
	t := result.Test{
		Name: result.Startup, BlockBytes: sectorBytes, QueueDepth: 1, Sync: "none", Engine: ownName,
		TimeLimitNS: startupLimit.Nanoseconds(), Ended: result.Complete,
	}
	whole := time.Now()
	for n := range startupRuns {
		for _, file := range files {
			if err := forget(file.Fd()); err != nil {
				return fmt.Errorf("%s can't be dropped from the page cache: %w", file.Name(), err)
			}
		}
		before, err := r.Target.Disk.Counters()
		if err != nil {
			return err
		}
		run, err := r.start(ctx, nil)
		if err != nil {
			return err
		}
		after, err := r.Target.Disk.Counters()
		if err != nil {
			return err
		}
		moved := after.Since(before)
		r.busy = r.busy || moved.WrittenBytes > strayBytes
		run.Ops, run.Bytes = moved.ReadBytes/sectorBytes, moved.ReadBytes
		t.Intervals = append(t.Intervals, run)
		t.Ops += run.Ops
		t.Bytes += run.Bytes
		t.DurationNS += run.NS
		r.report(Progress{
			Test: result.Startup, Elapsed: time.Duration(t.DurationNS), Share: float64(n+1) / startupRuns, Starts: int64(n + 1),
			Left: time.Duration(startupRuns-n-1) * startupLimit, Done: n+1 == startupRuns,
		})
	}
	t.OverheadNS = time.Since(whole).Nanoseconds() - t.DurationNS
	t.DeviceBytes = t.Bytes
	if t.Ops == 0 {
		return fmt.Errorf("startup has no result: nothing was read from %s, since other programs use all files of the "+
			"command; run it from a copy on the module", r.Target.Disk.Name)
	}
	r.tests = append(r.tests, t)
	return nil
}

// start runs the command to its end, without input, output or terminal. Meanwhile it calls look again and again with
// the command's process id, unless look is nil. It returns how long the command took. It also returns how long
// processors worked for the command and for the children that it waited for.
func (r *Run) start(ctx context.Context, look func(pid int)) (took result.Interval, err error) {
	var looking sync.WaitGroup
	defer looking.Wait()
	limited, cancel := context.WithTimeout(ctx, startupLimit)
	defer cancel()
	before := time.Now()
	name := r.Plan.Command[0]
	command := exec.CommandContext(limited, name, r.Plan.Command[1:]...)
	defer device.Tie(command)()
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	if err := command.Start(); err != nil {
		return took, cmp.Or(ctx.Err(), fmt.Errorf("the command can't be started: %w", err))
	}
	if look != nil {
		looking.Go(func() {
			for ; limited.Err() == nil; time.Sleep(200 * time.Microsecond) {
				look(command.Process.Pid)
			}
		})
	}
	err = command.Wait()
	took.NS = time.Since(before).Nanoseconds()
	if state := command.ProcessState; state != nil {
		took.UserNS, took.SystemNS = state.UserTime().Nanoseconds(), state.SystemTime().Nanoseconds()
	}
	_, failed := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case limited.Err() != nil:
		err = fmt.Errorf("%s did not end within %.0f s and was killed; use a command that ends, such as one that prints its "+
			"version", name, startupLimit.Seconds())
	case failed:
		err = fmt.Errorf("%s ended with %w; it must succeed, so that a start is measured and not a failure", name, err)
	}
	return took, err
}

// used runs the command once. It returns the files on the module that the command or its children mapped or opened.
func (r *Run) used(ctx context.Context) ([]*os.File, error) {
	paths := map[string]bool{r.Plan.Command[0]: true}
	if _, err := r.start(ctx, func(pid int) { addFiles(pid, paths) }); err != nil {
		return nil, err
	}
	program, err := os.Stat(r.Plan.Command[0])
	if err != nil {
		return nil, err
	}
	var files []*os.File
	for path := range paths {
		// Only regular files on the module.
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || info.Sys().(*syscall.Stat_t).Dev != program.Sys().(*syscall.Stat_t).Dev {
			continue
		}
		if file, err := os.Open(path); err == nil {
			_ = file.Sync() // dirty pages can't be dropped
			files = append(files, file)
		}
	}
	return files, nil
}

// program returns the checksum of the command's program, and the size of all files on the module that a start uses.
func (r *Run) program(files []*os.File) (sum string, bytes int64, err error) {
	program, err := os.Open(r.Plan.Command[0])
	if err != nil {
		return "", 0, err
	}
	defer program.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, program); err != nil {
		return "", 0, err
	}
	for _, file := range files {
		info, err := file.Stat()
		if err != nil {
			return "", 0, err
		}
		bytes += info.Size()
	}
	return hex.EncodeToString(hash.Sum(nil)[:16]), bytes, nil
}

// addFiles adds the files that a process and its children have mapped or opened.
func addFiles(pid int, paths map[string]bool) {
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	maps, _ := os.ReadFile(filepath.Join(dir, "maps"))
	for line := range strings.Lines(string(maps)) {
		if at := strings.IndexByte(line, '/'); at > 0 {
			paths[strings.TrimSuffix(line[at:], "\n")] = true
		}
	}
	open, _ := os.ReadDir(filepath.Join(dir, "fd"))
	for _, entry := range open {
		if path, err := os.Readlink(filepath.Join(dir, "fd", entry.Name())); err == nil && strings.HasPrefix(path, "/") {
			paths[path] = true
		}
	}
	children, _ := os.ReadFile(filepath.Join(dir, "task", strconv.Itoa(pid), "children"))
	for child := range strings.FieldsSeq(string(children)) {
		if pid, err := strconv.Atoi(child); err == nil {
			addFiles(pid, paths)
		}
	}
}
