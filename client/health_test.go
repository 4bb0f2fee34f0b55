package main

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"flashdex/client/device"
	"flashdex/client/passthrough"
	"flashdex/result"
	"flashdex/result/register/health"
)

// useFakeCard gives a client in a transcript the modules of the folder that FLASHDEX_TEST_CARD names: the kernel's
// files in sys, and in answers a file for each request that is answered: hex digits without the zeros at the end,
// "hangs", "goes" for a card that vanishes, or "lost" for one that the kernel still shows and can't reach. The folder's log lists what was sent.
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
		text, err := os.ReadFile(filepath.Join(dir, "answers", string(request)))
		switch said := strings.TrimSpace(string(text)); {
		case err != nil:
			return nil, syscall.ETIMEDOUT
		case said == "hangs":
			time.Sleep(time.Hour)
		case said == "lost":
			return nil, syscall.ENOMEDIUM
		case said == "goes":
			return nil, os.RemoveAll(filepath.Join(dir, "sys/class/block", filepath.Base(path)))
		}
		answer, err := hex.DecodeString(strings.TrimSpace(string(text)))
		return append(answer, make([]byte, max(0, health.AnswerBytes-len(answer)))...), err
	}
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
		"it answers, but tells nothing that can be compared; unknown: life used, spare blocks left, blocks gone bad, " +
			"erases of a block, how often it was powered up, bytes written, date of first use": {},
	} {
		if got := healthWords(h); got != want {
			t.Errorf("\n got %s\nwant %s", got, want)
		}
	}
}

// Whoever reads the file while it is written gets the old one or the new one, and a file that can't be written keeps
// what was there.
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
	for _, bad := range []string{dir + "/none/card.prom", dir + "/card.txt"} {
		if err := writeMetrics(bad, &answered{}); err == nil {
			t.Errorf("%s was written", bad)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
}

// What goes into a result is a tenth, and a card is asked for it as flashdex health asks.
func TestWearOfAMeasuredModule(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"size": "62333952", "stat": "0", "device/type": "MMC",
		"device/life_time": "0x03 0x01", "device/pre_eol_info": "0x02"} {
		path := filepath.Join(dir, "sys/class/block/mmcblk0", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	module, err := device.Kernel{Sys: filepath.Join(dir, "sys"), Proc: dir}.Module("/dev/mmcblk0")
	if err != nil {
		t.Fatal(err)
	}
	wear, err := wearOf(t.Context(), options{}, module)
	if err != nil || *wear != (result.Wear{ToldBy: health.EMMC, LifeTenths: 3, PreEOL: "warning"}) {
		t.Errorf("%+v, %v", wear, err)
	}
	transcend := device.Seen{Disk: module.Disk, Identity: result.Identity{Bus: "sd", SizeBytes: 15.9e9,
		SD: &result.Register{Manfid: "0x000074"}}}
	transcend.Disk.SizeBytes = 15.9e9
	if wear, err := wearOf(t.Context(), options{yes: true}, transcend); err != nil || wear != nil {
		t.Errorf("a card that isn't asked: %+v, %v", wear, err)
	}
	stick := device.Seen{Disk: module.Disk, Identity: result.Identity{Bus: "usb"}}
	if _, err := wearOf(t.Context(), options{yes: true}, stick); err == nil || !strings.Contains(err.Error(), "USB") {
		t.Error(err)
	}
}
