package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"flashdex/client/device"
	"flashdex/client/measure"
	"flashdex/client/passthrough"
	"flashdex/result"
	"flashdex/result/register/health"
)

// useFakeCard gives a client in a transcript the modules of the folder that FLASHDEX_TEST_CARD names: the kernel's
// files in sys, and in answers a file for each request that is answered: hex digits without the zeros at the end,
// "hangs", "goes" for a card that vanishes, "lost" for one that the kernel still shows and can't reach, or "silent" for
// one that the kernel still shows and that answers nothing from then on, or "crashes" for one that takes the computer
// with it. The folder's log lists what was sent.
func useFakeCard() {
	dir := os.Getenv("FLASHDEX_TEST_CARD")
	if dir == "" {
		return
	}
	device.Running = device.Kernel{Sys: filepath.Join(dir, "sys"), Proc: filepath.Join(dir, "proc")}
	isRoot = func() bool { return os.Getenv("FLASHDEX_TEST_ROOT") != "no" }
	sendRequest = func(path string, request passthrough.Request, at uint32) ([]byte, error) {
		log, err := os.OpenFile(filepath.Join(dir, "log"), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		defer log.Close()
		fmt.Fprintf(log, "%s %s %#x\n", path, request, at)
		silent := filepath.Join(dir, "silent")
		if _, err := os.Stat(silent); err == nil {
			return nil, syscall.ETIMEDOUT
		}
		if request == passthrough.Status {
			return make([]byte, 64), nil
		}
		text, err := os.ReadFile(filepath.Join(dir, "answers", string(request)))
		switch said := strings.TrimSpace(string(text)); {
		case err != nil:
			return nil, syscall.ETIMEDOUT
		case said == "hangs":
			time.Sleep(time.Hour)
		case said == "lost":
			return nil, syscall.ENOMEDIUM
		case said == "silent":
			return nil, errors.Join(os.WriteFile(silent, nil, 0o600), syscall.ETIMEDOUT)
		case said == "crashes":
			return nil, syscall.Kill(os.Getppid(), syscall.SIGKILL) // the client
		case said == "goes":
			return nil, os.RemoveAll(filepath.Join(dir, "sys/class/block", filepath.Base(path)))
		}
		answer, err := hex.DecodeString(strings.TrimSpace(string(text)))
		return append(answer, make([]byte, max(0, health.AnswerBytes-len(answer)))...), err
	}
}

// beRoot has the kernel let this process ask modules, or not, until the test ends.
func beRoot(t *testing.T, root bool) {
	before := isRoot
	isRoot = func() bool { return root }
	t.Cleanup(func() { isRoot = before })
}

func TestHealthWords(t *testing.T) {
	t.Parallel()
	n := func(n int64) *int64 { return &n }
	exactly := func(v float64) *health.Range { return &health.Range{AtLeast: v, AtMost: &v} }
	for want, h := range map[string]health.Health{
		"3 % used, 12 spare blocks left; unknown: blocks gone bad, erases of a block, how often it was powered up, bytes " +
			"written, date of first use": {UsedPercent: exactly(3), SpareBlocks: n(12)},
		"more than 100 % used, spare blocks: 90 % used; unknown: blocks gone bad, erases of a block, how often it was " +
			"powered up, bytes written, date of first use": {UsedPercent: &health.Range{AtLeast: 100}, PreEOL: "urgent"},
		"453 % used: past the life that it is rated for, 1 spare block left, 2 bad blocks since it was made, blocks " +
			"erased 7 times on average, 9 times at most, powered up 1 time, 1.5 GB written; unknown: date of first use": {
			UsedPercent: exactly(453), SpareBlocks: n(1), NewBadBlocks: n(2), MeanErases: n(7), MaxErases: n(9),
			PowerCycles: n(1), WrittenBytes: n(1.5e9)},
		"it says that it fails: it takes no more writes, 3 % used, 0 % of its spare blocks left; unknown: blocks gone " +
			"bad, erases of a block, how often it was powered up, bytes written, date of first use": {
			UsedPercent: exactly(3), SparePercent: n(0), Alarm: "it takes no more writes"},
	} {
		if got := healthWords(h); got != want {
			t.Errorf("\n got %s\nwant %s", got, want)
		}
	}
}

// A program that reads the file while it is written gets the old one or the new one. If the file can't be written, the
// old one stays.
func TestMetricsAreWholeOrOld(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "card.prom")
	for range 2 {
		if err := writeMetrics(file, &answered{Device: "mmcblk0"}); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if want := "flashdex_health_success{device=\"mmcblk0\"} 0\n"; err != nil || !strings.HasSuffix(string(text), want) {
		t.Errorf("%q, %v", text, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	for _, bad := range []string{dir + "/none/card.prom", file + "/card.prom", dir + "/card.txt"} {
		if err := checkMetricsFile(bad); err == nil {
			t.Errorf("%s would be written", bad)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
}

// What goes into a result is a tenth and two digits of what was written, and a card is asked as flashdex health asks.
// Not parallel: without root, an eMMC tells by the kernel.
func TestWearOfAMeasuredModule(t *testing.T) {
	beRoot(t, false)
	dir := t.TempDir()
	for name, text := range map[string]string{"size": "62333952", "stat": "0", "device/type": "MMC",
		"device/life_time": "0x03 0x01", "device/pre_eol_info": "0x02",
		"../../../fs/ext4/mmcblk0/lifetime_write_kbytes": "117187500"} {
		path := filepath.Join(dir, "sys/class/block/mmcblk0", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kernel := device.Kernel{Sys: filepath.Join(dir, "sys"), Proc: dir}
	module, err := kernel.Module("/dev/mmcblk0")
	if err != nil {
		t.Fatal(err)
	}
	ask := func(o options, of device.Disk, identity result.Identity, filesystem string) (*result.Wear, error) {
		o.wear = true
		run := &measure.Run{Kernel: kernel, Target: device.Target{Disk: of, Filesystem: filesystem}}
		doc := &result.Document{Identity: identity}
		err := addWear(t.Context(), o, run, doc)
		return doc.Identity.Wear, err
	}
	emmc := result.Wear{ToldBy: health.EMMC, LifeTenths: 3, PreEOL: "warning"}
	if wear, err := ask(options{}, module.Disk, module.Identity, "vfat"); err != nil || *wear != emmc {
		t.Errorf("%+v, %v", wear, err)
	}
	emmc.WrittenGB, emmc.WrittenBy = 120, "ext4"
	if wear, err := ask(options{}, module.Disk, module.Identity, "ext4"); err != nil || *wear != emmc {
		t.Errorf("on ext4: %+v, %v", wear, err)
	}
	transcend := result.Identity{Bus: "sd", SizeBytes: 15.9e9, SD: &result.Register{Manfid: "0x000074"}}
	small := module.Disk
	small.SizeBytes = 15.9e9
	counted := result.Wear{WrittenGB: 120, WrittenBy: "ext4"}
	if wear, err := ask(options{yes: true}, small, transcend, "vfat"); err != nil || wear != nil {
		t.Errorf("a card that isn't asked: %+v, %v", wear, err)
	}
	if wear, err := ask(options{yes: true}, small, transcend, "ext4"); err != nil || *wear != counted {
		t.Errorf("a card that isn't asked, on ext4: %+v, %v", wear, err)
	}
	usb := result.Identity{Bus: "usb"}
	if _, err := ask(options{yes: true}, module.Disk, usb, "vfat"); err == nil || !strings.Contains(err.Error(), "USB") {
		t.Error(err)
	}
	if wear, err := ask(options{}, module.Disk, usb, "ext4"); err != nil || *wear != counted {
		t.Errorf("a stick on ext4: %+v, %v", wear, err)
	}
}

// A module's own count takes precedence over its file system's, unless it can't be true. Without root, nothing is
// asked, and the file system's count is still known. This test isn't parallel, since the process that asks gets its
// card from the environment.
func TestWhatAModuleCountsGoesFirst(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(beTheClient, "1")
	t.Setenv("FLASHDEX_TEST_CARD", dir)
	log := make([]byte, health.AnswerBytes)
	log[3], log[4], log[5] = 97, 10, 3
	answer := filepath.Join(dir, "answers", health.NVMe)
	for path, text := range map[string]string{filepath.Join(dir, "sys/class/block/nvme0n1/stat"): "0", answer: "",
		filepath.Join(dir, "sys/class/block/nvme0n1/size"):              "250069680",
		filepath.Join(dir, "sys/fs/ext4/nvme0n1/lifetime_write_kbytes"): "117187500"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	kernel := device.Kernel{Sys: filepath.Join(dir, "sys"), Proc: dir}
	module, err := kernel.Module("/dev/nvme0n1")
	if err != nil {
		t.Fatal(err)
	}
	const units = 48 // data units written, 512,000 bytes each
	for _, of := range []struct {
		isRoot bool
		units  uint64
		want   result.Wear
	}{
		{true, 3e6, result.Wear{ToldBy: "nvme-smart", LifeTenths: 1, WrittenGB: 1500, WrittenBy: "module"}},
		{true, 0, result.Wear{ToldBy: "nvme-smart", LifeTenths: 1, WrittenGB: 120, WrittenBy: "ext4"}},
		{true, 1e12, result.Wear{ToldBy: "nvme-smart", LifeTenths: 1, WrittenGB: 120, WrittenBy: "ext4"}},
		{false, 3e6, result.Wear{WrittenGB: 120, WrittenBy: "ext4"}},
	} {
		for i := range 8 {
			log[units+i] = byte(of.units >> (8 * i)) // the lowest first
		}
		if err := os.WriteFile(answer, []byte(hex.EncodeToString(log)), 0o600); err != nil {
			t.Fatal(err)
		}
		beRoot(t, of.isRoot)
		doc := &result.Document{Identity: result.Identity{Bus: "nvme"}}
		run := &measure.Run{Kernel: kernel, Target: device.Target{Disk: module.Disk, Filesystem: "ext4"}}
		if err := addWear(t.Context(), options{wear: true}, run, doc); err != nil || *doc.Identity.Wear != of.want {
			t.Errorf("%d units, root %v: %+v, %v", of.units, of.isRoot, doc.Identity.Wear, err)
		}
		doc.Identity.Wear = nil
		if err := addWear(t.Context(), options{}, run, doc); err != nil || doc.Identity.Wear != nil {
			t.Errorf("without --wear: %+v, %v", doc.Identity.Wear, err)
		}
	}
}

// A card that answers and tells nothing that is understood was asked in vain. Not parallel: the process that asks has its
// card from the environment.
func TestAnAnswerThatTellsNothingIsNoWear(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(beTheClient, "1")
	t.Setenv("FLASHDEX_TEST_CARD", dir)
	t.Setenv("FLASHDEX_DIR", filepath.Join(dir, "kept"))
	beRoot(t, true)
	for path, text := range map[string]string{"sys/class/block/mmcblk0/stat": "0", "sys/class/block/mmcblk0/size": "62333952",
		"sys/class/block/mmcblk0/device/type": "SD", "answers/micron": "4d45000000000001"} {
		path = filepath.Join(dir, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	kernel := device.Kernel{Sys: filepath.Join(dir, "sys"), Proc: dir}
	module, err := kernel.Module("/dev/mmcblk0")
	if err != nil {
		t.Fatal(err)
	}
	doc := &result.Document{Identity: result.Identity{Bus: "sd", SD: &result.Register{Manfid: "0x0000fe"}}}
	run := &measure.Run{Kernel: kernel, Target: device.Target{Disk: module.Disk, Filesystem: "vfat"}}
	want := result.Wear{ToldBy: result.WearNotTold}
	if err := addWear(t.Context(), options{wear: true, yes: true}, run, doc); err != nil || *doc.Identity.Wear != want {
		t.Errorf("%+v, %v", doc.Identity.Wear, err)
	}
}
