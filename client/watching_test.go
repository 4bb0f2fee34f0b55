package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"flashdex/client/device"
	"flashdex/client/looptest"
	"flashdex/client/sitetest"
	"flashdex/client/spool"
	"flashdex/result"
	"flashdex/result/ageing"
)

const month = 40 * 24 * time.Hour

// watched keeps copies of the example result, each of another month. parts are their rates, relative to the first
// one's.
func watched(t *testing.T, kept spool.Spool, change func(*result.Document), parts ...float64) *result.Document {
	t.Helper()
	doc, _, err := spool.Read(exampleFile)
	if err != nil {
		t.Fatal(err)
	}
	doc.Spoilers = []string{}
	batches := doc.Test(result.RandWrite).Batches
	for i, part := range parts {
		at := time.Now().Add(-time.Duration(len(parts)-i) * month)
		doc.ID, doc.StartedAt = spool.NewID(at), at.UTC().Format("2006-01-02T15:04:05Z")
		test := doc.Test(result.RandWrite)
		test.Batches, test.DurationNS = nil, 0
		for _, b := range batches {
			b.NS = int64(float64(b.NS) / part)
			test.Batches, test.DurationNS = append(test.Batches, b), test.DurationNS+b.NS
		}
		change(doc)
		path, _, err := kept.Save(doc)
		if err == nil {
			_, _, err = spool.Read(path)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return doc
}

// The system's own disk is watched, too, since its use by the system doesn't change from month to month.
func TestTheSystemsDiskIsWatched(t *testing.T) {
	t.Parallel()
	kept := spool.Spool{Dir: t.TempDir()}
	doc := watched(t, kept, func(d *result.Document) { d.Spoilers = []string{result.RootDisk, result.Swap} }, 1, 1, 1)
	if runs := runsOf(t, kept, doc); len(runs) != 3 {
		t.Errorf("%d runs", len(runs))
	}
}

func runsOf(t *testing.T, kept spool.Spool, doc *result.Document) []ageing.Run {
	t.Helper()
	all, _ := kept.All()
	return watchedRuns(all, doc)
}

func TestOnlyRunsThatCompareAreWatched(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(*result.Document){
		"another module":          func(d *result.Document) { d.UnitTag = strings.Repeat("0", 32) },
		"another host":            func(d *result.Document) { d.Host.Board = "Raspberry Pi 400 Rev 1.0" },
		"another mode of the bus": func(d *result.Document) { d.Host.BusMode = "sd high speed" },
		"a disturbed run":         func(d *result.Document) { d.Spoilers = []string{result.Throttled} },
	} {
		kept := spool.Spool{Dir: t.TempDir()}
		doc := watched(t, kept, func(*result.Document) {}, 1, 1, 1)
		same := len(runsOf(t, kept, doc))
		watched(t, kept, change, 1, 1)
		if now := len(runsOf(t, kept, doc)); same != 3 || now != 3 {
			t.Errorf("%s: %d runs, then %d", what, same, now)
		}
	}
}

// emptySpool returns a spool of the test's own, and the disk below a directory with the tag that its results have there.
func emptySpool(t *testing.T, dir string) (kept spool.Spool, tag string, disk device.Disk) {
	t.Helper()
	t.Setenv("FLASHDEX_DIR", t.TempDir())
	kept, err := spool.Open()
	if err != nil {
		t.Fatal(err)
	}
	target, err := device.Running.Find(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	key, err := kept.TagKey()
	if err != nil {
		t.Fatal(err)
	}
	return kept, device.Running.UnitTag(target.Disk, key), target.Disk
}

// A module whose tests fail is written to only three times a month. This test isn't parallel, since it replaces the
// running kernel.
func TestWatchTriesThriceAMonth(t *testing.T) {
	loop := looptest.Mount(t, 160<<20, "")
	was, look := device.Running, busyLook
	device.Running, busyLook = cardOn(t, loop), time.Second
	t.Cleanup(func() { device.Running, busyLook = was, look })
	kept, tag, disk := emptySpool(t, loop.Dir)
	began := func() int { return len(kept.Tries(tag, time.Now().Add(-ageing.Apart), time.Now())) }
	try := func(end bool) error {
		before := began()
		ctx, fail := context.WithCancelCause(t.Context())
		defer fail(nil)
		go func() {
			for ctx.Err() == nil {
				if time.Sleep(10 * time.Millisecond); end && began() > before {
					fail(errors.New("the module failed"))
				}
			}
		}()
		return command(ctx, []string{"watch", "--profile", "quick", "--no-upload", loop.Dir})
	}
	for n := 1; n <= mostTries; n++ {
		if err := try(true); err == nil || !strings.Contains(err.Error(), "the module failed") || began() != n {
			t.Fatalf("try %d: %v, %d began", n, err, began())
		}
	}
	before, err := disk.Counters()
	if err != nil {
		t.Fatal(err)
	}
	if err := try(false); err == nil || !strings.Contains(err.Error(), "begins three times in 30 days at most") {
		t.Errorf("once more: %v", err)
	}
	after, err := disk.Counters()
	if err != nil || after.Since(before).WrittenBytes > 1<<20 {
		t.Errorf("once more it wrote %d bytes, %v", after.Since(before).WrittenBytes, err)
	}
	// If a wrong clock dated a run years ahead, the user is told each time.
	watched(t, kept, func(d *result.Document) {
		d.UnitTag, d.Profile, d.StartedAt = tag, result.ProfileQuick, "2046-01-01T00:00:00Z"
	}, 1)
	all, _ := kept.All()
	if err := try(false); err == nil || !strings.Contains(err.Error(), "before the last run of 2046-01-01") ||
		!strings.Contains(err.Error(), all[len(all)-1].Path) {
		t.Errorf("after a run of 2046: %v", err)
	}
}

func TestWatchMeasuresOnceAMonth(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	for ago, want := range map[time.Duration]string{
		29 * 24 * time.Hour:      "Measured on 2026-10-31; the next time is from 2026-11-30 on.",
		ageing.Apart:             "Measured on 2026-10-30; the next time is from 2026-11-29 on.",
		ageing.Apart + time.Hour: "",
	} {
		if got := notDue(now.Add(-ago), now); got != want {
			t.Errorf("%s ago: %q, want %q", ago, got, want)
		}
	}
	if got := notDue(time.Time{}, now); got != "" {
		t.Errorf("never measured: %q", got)
	}
	// A run that was slow to arrive and a next one that was quick count as two points on the site.
	slow, quick := now.Add(6*time.Minute), now.Add(ageing.Apart+time.Minute)
	for notDue(now, quick.Add(-time.Minute)) != "" {
		quick = quick.Add(24 * time.Hour)
	}
	if n := ageing.Points([]ageing.Run{{At: slow, IOPS: 1}, {At: quick, IOPS: 1}}); n != 2 {
		t.Errorf("%d points by runs that arrived at %s and %s", n, slow, quick)
	}
}

func exitCode(err error) int {
	if failed, ok := errors.AsType[failure](err); ok {
		return failed.code
	}
	return 0
}

func TestWatchTellsOnceThatItChanged(t *testing.T) {
	t.Parallel()
	kept := spool.Spool{Dir: t.TempDir()}
	doc := watched(t, kept, func(*result.Document) {}, 1, 0.97, 0.94, 0.9, 0.88, 0.85, 0.82)
	runs := runsOf(t, kept, doc)
	first := 0
	for n := 1; n <= len(runs); n++ {
		switch code := exitCode(untold(kept, runs[:n], doc.UnitTag)); {
		case code == exitChanged && first == 0:
			first = n
		case code != 0:
			t.Errorf("after %d runs: exit %d, again after %d", n, code, first)
		}
	}
	if first < 4 {
		t.Errorf("told after %d runs", first)
	}
}

// What was measured and not told, since watch was killed or somebody else made the run, is told the next time.
func TestWatchTellsWhatItDidNotTell(t *testing.T) {
	t.Parallel()
	kept := spool.Spool{Dir: t.TempDir()}
	doc := watched(t, kept, func(*result.Document) {}, 1, 0.97, 0.94, 0.9, 0.88, 0.85, 0.82)
	for call, want := range []int{exitChanged, 0} {
		if code := exitCode(untold(kept, runsOf(t, kept, doc), doc.UnitTag)); code != want {
			t.Errorf("call %d: exit code %d, want %d", call+1, code, want)
		}
	}
	if told := kept.Told(doc.UnitTag); told != ageing.Slower {
		t.Errorf("it keeps that it told %q", told)
	}
}

// A run that a computer without a clock dated 1970 would make the line so long that nothing looks like ageing.
func TestWatchWithAClockOf1970(t *testing.T) {
	t.Parallel()
	kept, start := spool.Spool{Dir: t.TempDir()}, time.Unix(1000, 0)
	watched(t, kept, func(d *result.Document) { d.StartedAt = "1970-01-01T00:20:00Z" }, 1)
	doc := watched(t, kept, func(*result.Document) {}, 1, 0.97, 0.94, 0.9, 0.88, 0.85, 0.82)
	if err := untold(kept, runsOf(t, kept, doc), doc.UnitTag); exitCode(err) != exitChanged {
		t.Errorf("beside a run of 1970: %v", err)
	}
	if err := clockBehind("", time.Time{}, start); err == nil || !strings.Contains(err.Error(), "clock says 1970-01-01") {
		t.Errorf("in 1970: %v", err)
	}
	if err := clockBehind("", time.Now().Add(-time.Hour), time.Now()); err != nil {
		t.Errorf("now: %v", err)
	}
}

// The user says yes once, on a terminal. Without a yes nothing is sent, and --no-upload takes it back.
func TestWatchUploadsAfterOneYes(t *testing.T) {
	t.Parallel()
	kept, tag := spool.Spool{Dir: t.TempDir()}, strings.Repeat("a", 32)
	agreed := func(o options) options {
		if err := o.agreeOnce(t.Context(), kept, tag); err != nil {
			t.Fatal(err)
		}
		return o
	}
	const site = "https://flashdex.example"
	if kept.Consent(tag) != "" {
		t.Error("somebody agreed")
	}
	if err := kept.KeepConsent(tag, site); err != nil {
		t.Fatal(err)
	}
	if o := agreed(options{}); o.site != site || !o.upload || !o.yes {
		t.Errorf("after a yes: %+v", o)
	}
	if o := agreed(options{site: "https://another.example", noUpload: false, upload: true, yes: true}); o.site == site {
		t.Errorf("a yes for another site: %+v", o)
	}
	if agreed(options{noUpload: true}); kept.Consent(tag) != "" {
		t.Error("--no-upload doesn't take the yes back")
	}
	agreed(options{noUpload: true}) // again
	if o := agreed(options{}); o.upload {
		t.Errorf("without a yes: %+v", o)
	}
}

// cardOn shows a mounted loop device as an SD card. Only QEMU has real ones; see e2e/guest.
func cardOn(t *testing.T, loop looptest.Disk) device.Kernel {
	t.Helper()
	real, sys := "/sys/block/"+filepath.Base(loop.Device), t.TempDir()
	card := filepath.Join(sys, "devices/mmcblk9")
	number, err := os.ReadFile(real + "/dev")
	if err == nil {
		err = os.MkdirAll(card+"/device", 0o700)
	}
	for _, name := range []string{"size", "removable", "queue", "stat", "dev", "ro"} {
		err = errors.Join(err, os.Symlink(filepath.Join(real, name), filepath.Join(card, name)))
	}
	for name, text := range map[string]string{"type": "SD", "cid": "035344534c31364780123456780151b3", "name": "SL16G",
		"manfid": "0x000003", "oemid": "0x5344", "../../../fs/ext4/mmcblk9/lifetime_write_kbytes": "683593750"} {
		path := filepath.Join(card, "device", name)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text+"\n"), 0o600))
	}
	for dir, name := range map[string]string{"dev/block": strings.TrimSpace(string(number)), "block": "mmcblk9"} {
		err = errors.Join(err, os.MkdirAll(filepath.Join(sys, dir), 0o700),
			os.Symlink(card, filepath.Join(sys, dir, name)))
	}
	if err != nil {
		t.Fatal(err)
	}
	return device.Kernel{Sys: sys, Proc: "/proc", Dev: "/dev"}
}

// writeUntil stands for something else that uses the module.
func writeUntil(t *testing.T, ctx context.Context, path string) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_SYNC, 0o600)
	for err == nil && ctx.Err() == nil {
		_, err = file.WriteAt(make([]byte, 64<<10), 0)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		t.Error(err)
	}
}

// This test isn't parallel, since it replaces the running kernel.
func TestWatchMeasuresAndCompares(t *testing.T) {
	loop := looptest.Mount(t, 160<<20, "")
	site := sitetest.Start(t)
	was := device.Running
	device.Running = cardOn(t, loop)
	look, root, out := busyLook, isRoot, stdout
	said, err := os.Create(filepath.Join(t.TempDir(), "said"))
	if err != nil {
		t.Fatal(err)
	}
	busyLook, isRoot, stdout = time.Second, func() bool { return false }, wrapped{said} // so no command goes to the loop device
	t.Cleanup(func() { device.Running, busyLook, isRoot, stdout = was, look, root, out })
	kept, tag, disk := emptySpool(t, loop.Dir)
	if dir, err := watchedDir(device.Running, loop.Dir); err != nil || dir != loop.Dir {
		t.Errorf("%q, %v", dir, err)
	}
	host := device.Running.Host(disk)
	writtenGB := int64(0)
	watched(t, kept, func(d *result.Document) {
		d.UnitTag, d.Host.Board, d.Host.BusMode, d.Profile = tag, host.Board, host.BusMode, result.ProfileQuick
		writtenGB += 100
		d.Identity.Wear = &result.Wear{WrittenGB: writtenGB, WrittenBy: "ext4"}
	}, 134e3, 10e3, 18e3, 1.4e3, 2.5e3, 180) // so uneven a fall that it is too early to tell, until the loop device goes on
	if err := kept.KeepConsent(tag, site.URL); err != nil {
		t.Fatal(err)
	}
	writing, end := context.WithCancel(t.Context())
	var writer sync.WaitGroup
	writer.Go(func() { writeUntil(t, writing, filepath.Join(loop.Dir, "else")) })
	err = command(t.Context(), []string{"watch", "--profile", "quick", loop.Dir})
	end()
	writer.Wait()
	if all, _ := kept.All(); exitCode(err) != exitBusy || len(all) != 6 {
		t.Errorf("while something else writes: %d results, %v", len(all), err)
	}
	err = command(t.Context(), []string{"watch", "--profile", "quick", "--wear", loop.Dir})
	all, _ := kept.All()
	last := all[len(all)-1]
	if len(all) != 7 || last.Receipt == nil || last.Result.UnitTag != tag {
		t.Fatalf("%d results, %v", len(all), err)
	}
	if wear := last.Result.Identity.Wear; wear == nil || *wear != (result.Wear{WrittenGB: 700, WrittenBy: "ext4"}) {
		t.Errorf("the file system counted 700 GB, and the result has %+v", wear)
	}
	first := all[0].Result
	sayChange(watchedRuns(all[:6], first), first)
	text, _ := os.ReadFile(said.Name())
	if want := " % per TB; by 6 runs that know what was written\n"; !strings.HasSuffix(string(text), want) {
		t.Errorf("nothing is told of a TB:\n%s", text)
	}
	if len(disturbed(last.Result)) == 0 && exitCode(err) != exitChanged {
		t.Errorf("after six runs that got slower: %v", err)
	}
	told := exitCode(err)
	if err := command(t.Context(), []string{"watch", "--profile", "quick", loop.Dir}); err != nil {
		t.Errorf("when it isn't due: %v", err)
	}
	if err := os.Remove(filepath.Join(kept.Dir, tag+".told")); err != nil {
		t.Error(err)
	}
	err = command(t.Context(), []string{"watch", "--profile", "quick", loop.Dir})
	if exitCode(err) != told {
		t.Errorf("when it isn't due, and nothing was told: %v", err)
	}
	if all, _ := kept.All(); len(all) != 7 {
		t.Errorf("it measured again: %d results", len(all))
	}
}
