package device_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"flashdex/client/device"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// plant writes files below a fake root and links (values that begin with "->").
func plant(t *testing.T, files map[string]string) device.Kernel {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if to, ok := strings.CutPrefix(content, "->"); ok {
			err = os.Symlink(filepath.Join(root, to), path)
		} else {
			err = os.WriteFile(path, []byte(content), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return device.Kernel{Sys: filepath.Join(root, "sys"), Proc: filepath.Join(root, "proc")}
}

func disk(t *testing.T, k device.Kernel, major, minor uint32) device.Disk {
	t.Helper()
	d, err := k.Disk(major, minor)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const (
	mmc     = "sys/devices/platform/soc/mmc0/mmc0:0001/"
	mmcDisk = mmc + "block/mmcblk0/"
	usb     = "sys/devices/pci0000:00/usb2/2-1/"
	usbDisk = usb + "2-1:1.0/host4/target4:0:0/4:0:0:0/block/sda/"
)

// secrets must never be in a document. The tests plant them wherever a machine has such data.
var secrets = []string{"5ec7e701", "USBSER-5EC7E7", "alice", "b8:27:eb:5e:c7:e7", "5ec7e7aaaa", "/home/alice/card",
	"0bad5e01-5ec7"}

// machine is a Raspberry Pi with an SD card in its slot and a stick at its USB port.
var machine = map[string]string{
	"sys/dev/block/179:2":           "->" + mmcDisk + "mmcblk0p2",
	mmcDisk + "mmcblk0p2/partition": "2\n",
	mmcDisk + "mmcblk0p2/uuid":      "0bad5e01-5ec7\n",
	mmcDisk + "size":                "62333952\n",
	mmcDisk + "removable":           "0\n",
	mmcDisk + "queue/write_cache":   "write through\n",
	mmcDisk + "device":              "->" + mmc,
	mmc + "type":                    "SD\n",
	mmc + "cid":                     "035344534333324780" + "5ec7e701" + "015a7f\n",
	mmc + "serial":                  "0x5ec7e701\n",
	mmc + "csd":                     "400e00325b590000edc87f800a404000\n",
	mmc + "scr":                     "0235844300000000\n",
	mmc + "ssr":                     strings.Repeat("0", 128) + "\n",
	mmc + "manfid":                  "0x000003\n",
	mmc + "oemid":                   "0x5344\n",
	mmc + "name":                    "SC32G\n",
	mmc + "hwrev":                   "0x8\n",
	mmc + "fwrev":                   "0x0\n",
	mmc + "date":                    "10/2021\n",
	"sys/kernel/debug/mmc0/ios": "clock:\t\t50000000 Hz\nactual clock:\t41666667 Hz\nvdd:\t\t21 (3.3 ~ 3.4 " +
		"V)\ntiming spec:\t2 (sd high-speed)\n",
	"sys/dev/block/8:1":                              "->" + usbDisk + "sda1",
	usbDisk + "sda1/partition":                       "1\n",
	usbDisk + "size":                                 "30031872\n",
	usbDisk + "removable":                            "1\n",
	usbDisk + "device":                               "->" + usb + "2-1:1.0/host4/target4:0:0/4:0:0:0",
	usb + "2-1:1.0/driver":                           "->sys/bus/usb/drivers/usb-storage",
	"sys/bus/usb/drivers/usb-storage/x":              "",
	usb + "2-1:1.0/host4/target4:0:0/4:0:0:0/vendor": "SanDisk \n",
	usb + "2-1:1.0/host4/target4:0:0/4:0:0:0/model":  "Ultra Fit       \n",
	usb + "2-1:1.0/host4/target4:0:0/4:0:0:0/rev":    "1.00\n",
	usb + "2-1:1.0/host4/target4:0:0/4:0:0:0/wwid":   "USBSER-5EC7E7\n",
	usb + "idVendor":                                 "0781\n",
	usb + "idProduct":                                "5583\n",
	usb + "manufacturer":                             "SanDisk\n",
	usb + "product":                                  "Ultra\x1b[31m Fit\n",
	usb + "serial":                                   "USBSER-5EC7E7\n",
	usb + "bcdDevice":                                "0100\n",
	usb + "speed":                                    "5000\n",
	"sys/class/net/eth0/address":                     "b8:27:eb:5e:c7:e7\n",
	"proc/device-tree/model":                         "Raspberry Pi 4 Model B Rev 1.4\x00",
	"proc/device-tree/serial-number":                 "5ec7e7aaaa\x00",
	"proc/sys/kernel/hostname":                       "alice-pi\n",
	"proc/sys/kernel/osrelease":                      "6.1.0-rpi7-rpi-v8\n",
	"proc/version":                                   "Linux version 6.1.0 (alice@builder)\n",
	"proc/meminfo":                                   "MemTotal:        3884668 kB\nMemAvailable:    3000000 kB\n",
	"proc/cpuinfo": "processor\t: 0\nmodel name\t: ARMv7 Processor rev 3 (v7l)\n\nSerial\t\t: " +
		"5ec7e7aaaa\n",
	"proc/self/mountinfo": "30 1 179:2 / /home/alice/card rw - ext4 /dev/mmcblk0p2 rw\n",
}

func TestIdentity(t *testing.T) {
	t.Parallel()
	k := plant(t, machine)
	want := result.Identity{Bus: "sd", SizeBytes: 62333952 * 512, SD: &result.Register{
		CID: "03534453433332478000000000015a00", CSD: "400e00325b590000edc87f800a404000", SCR: "0235844300000000",
		SSR: strings.Repeat("0", 128), Manfid: "0x000003", OEMID: "0x5344", Name: "SC32G", HWRev: "0x8", FWRev: "0x0",
		Date: "10/2021",
	}}
	if diff := cmp.Diff(want, k.Identity(disk(t, k, 179, 2))); diff != "" {
		t.Errorf("SD card (-want +got):\n%s", diff)
	}
	want = result.Identity{
		Bus: "usb", SizeBytes: 30031872 * 512, Removable: true,
		SCSI: &result.SCSI{Vendor: "SanDisk", Model: "Ultra Fit", Rev: "1.00"},
		USB: &result.USB{VendorID: "0781", ProductID: "5583", Manufacturer: "SanDisk", Product: "Ultra[31m Fit",
			DeviceVersion: "0100", SpeedMbitPerS: 5000, Driver: "usb-storage"},
	}
	if diff := cmp.Diff(want, k.Identity(disk(t, k, 8, 1))); diff != "" {
		t.Errorf("stick (-want +got):\n%s", diff)
	}
	host := k.Host(disk(t, k, 179, 2))
	if host.Board != "Raspberry Pi 4 Model B Rev 1.4" || host.BusMode != "sd high-speed" || host.BusClockHz != 41666667 ||
		host.MemoryBytes != 3884668<<10 || host.Kernel != "6.1.0-rpi7-rpi-v8" || host.CPU != "ARMv7 Processor rev 3 (v7l)" {
		t.Errorf("host: %+v", host)
	}
	if cache := disk(t, k, 179, 2).WriteCache(); cache != "write through" {
		t.Errorf("write cache %q", cache)
	}
}

// A container shows no device tree.
func TestBoardInAContainer(t *testing.T) {
	t.Parallel()
	files := maps.Clone(machine)
	delete(files, "proc/device-tree/model")
	files["proc/cpuinfo"] += "Model\t\t: Raspberry Pi Zero 2 W Rev 1.0\n"
	k := plant(t, files)
	if got := k.Host(disk(t, k, 179, 2)).Board; got != "Raspberry Pi Zero 2 W Rev 1.0" {
		t.Errorf("board %q", got)
	}
}

// Kernel threads serve the module. A container hides them, so there the kernel's time counts for no program.
func TestOtherProgramsTime(t *testing.T) {
	t.Parallel()
	const user, nice, system, idle, steal = 100_000, 200_000, 400_000, 800_000, 1_600_000 // ticks
	files := map[string]string{"proc/stat": fmt.Sprintf("cpu  %d %d %d %d 0 0 0 %d 0 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n",
		user, nice, system, idle, steal)}
	const process = " S 1 1 1 0 -1 %d 0 0 0 0 7 300000 0 0 20 0 1 0 5 0 0\n" // 300,007 ticks
	files["proc/100/stat"] = "100 (a b) c)" + fmt.Sprintf(process, 0x00400000)
	hidden := plant(t, files).CPU()
	files["proc/2/stat"] = "2 (kthreadd)" + fmt.Sprintf(process, 0x00208040)
	shown := plant(t, files).CPU()
	for name, got := range map[string][2]time.Duration{
		"all, hidden":   {hidden.All, user + nice + system + idle + steal},
		"all, shown":    {shown.All, user + nice + system + idle + steal},
		"other, hidden": {hidden.Other, user + nice + steal},
		"other, shown":  {shown.Other, user + nice + system + steal - 300_007},
	} {
		// This test's own time is taken off.
		if want := got[1] * 10 * time.Millisecond; got[0] > want || got[0] < want-5*time.Minute {
			t.Errorf("%s: %v, want %v", name, got[0], want)
		}
	}
}

// The kernel shows an eMMC's command queue itself. On older kernels, and for SD cards, the number of tags shows it.
func TestCommandQueue(t *testing.T) {
	t.Parallel()
	const enabled, tags = mmc + "cmdq_en", mmcDisk + "mq/0/nr_tags"
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"a kernel that shows neither", nil, ""},
		{"eMMC, on", map[string]string{enabled: "1\n"}, "on"},
		{"eMMC, off", map[string]string{enabled: "0\n"}, "off"},
		{"eMMC, on, before its tags told", map[string]string{enabled: "1\n", tags: "64\n"}, "on"},
		{"eMMC, off, with as many tags as a queue has", map[string]string{enabled: "0\n", tags: "32\n"}, "off"},
		{"a state that no kernel shows", map[string]string{enabled: "yes\n", tags: "64\n"}, ""},
		{"SD card, on in a Raspberry Pi 5", map[string]string{tags: "31\n"}, "on"},
		{"the deepest queue", map[string]string{tags: "32\n"}, "on"},
		{"SD card, off", map[string]string{tags: "64\n"}, "off"},
		{"SD card in a host of single blocks", map[string]string{tags: "1\n"}, ""},
		{"another number of tags", map[string]string{tags: "128\n"}, ""},
		{"no number", map[string]string{tags: "\n"}, ""},
		{"a stick's queue", map[string]string{usbDisk + "mq/0/nr_tags": "30\n"}, ""},
	} {
		files := maps.Clone(machine)
		maps.Copy(files, c.files)
		k := plant(t, files)
		if got := k.Host(disk(t, k, 179, 2)).CommandQueue; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got := k.Host(disk(t, k, 8, 1)).CommandQueue; got != "" {
			t.Errorf("%s: %q of the stick", c.name, got)
		}
	}
}

// The document tells what the serial number and the checksum reveal about how the card was made, but neither of the two
// numbers.
func TestSerialNumbersAreMasked(t *testing.T) {
	t.Parallel()
	const sdFront, mmcFront = "035344534333324780", "150100414a5444345206"
	type signs struct{ crcWrong, nearZero bool }
	for _, c := range []struct {
		kind, cid, masked string
		want              signs
	}{
		{"SD", sdFront + "5ec7e701" + "015a7f", sdFront + "00000000" + "015a00", signs{}},
		{"SD", sdFront + "5ec7e701" + "015a7b", sdFront + "00000000" + "015a00", signs{crcWrong: true}},
		{"SD", sdFront + "5ec7e701" + "015a00", sdFront + "00000000" + "015a00", signs{}}, // the host drops the checksum
		{"SD", sdFront + "5ec7e701" + "015a01", sdFront + "00000000" + "015a00", signs{}},
		{"SD", sdFront + "5ec7e701" + "015a7e", sdFront + "00000000" + "015a00", signs{}}, // or only its last bit
		{"SD", sdFront + "0000ffff" + "015a01", sdFront + "00000000" + "015a00", signs{nearZero: true}},
		{"SD", sdFront + "00010000" + "015a01", sdFront + "00000000" + "015a00", signs{}},
		{"SD", "5ec7e701", "", signs{}},
		{"MMC", mmcFront + "5ec7e701" + "8145", mmcFront + "00000000" + "8100", signs{}},
		{"MMC", mmcFront + "5ec7e701" + "81b3", mmcFront + "00000000" + "8100", signs{crcWrong: true}},
		{"MMC", mmcFront + "00000007" + "8101", mmcFront + "00000000" + "8100", signs{nearZero: true}},
	} {
		files := maps.Clone(machine)
		files[mmc+"type"], files[mmc+"cid"] = c.kind+"\n", c.cid+"\n"
		k := plant(t, files)
		id := k.Identity(disk(t, k, 179, 2))
		r, other := id.SD, id.MMC
		if c.kind == "MMC" {
			r, other = id.MMC, id.SD
		}
		if r == nil || other != nil {
			t.Errorf("%s %s: %+v", c.kind, c.cid, id)
		} else if got := (signs{r.CRCWrong, r.SerialNearZero}); r.CID != c.masked || got != c.want {
			t.Errorf("%s %s: CID %s, %+v; want %s, %+v", c.kind, c.cid, r.CID, got, c.masked, c.want)
		}
	}
}

// No planted secret may be in anything that is sent.
func TestNothingLeaks(t *testing.T) {
	t.Parallel()
	k := plant(t, machine)
	for _, number := range [][2]uint32{{179, 2}, {8, 1}} {
		d := disk(t, k, number[0], number[1])
		payload, err := json.Marshal(result.Document{
			Identity: k.Identity(d), Host: k.Host(d), UnitTag: k.UnitTag(d, []byte("secret")),
			Target: result.Target{WriteCache: d.WriteCache()},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range secrets {
			if strings.Contains(strings.ToLower(string(payload)), strings.ToLower(secret)) {
				t.Errorf("%s is in the payload: %s", secret, payload)
			}
		}
	}
}

func TestUnitTag(t *testing.T) {
	t.Parallel()
	k := plant(t, machine)
	card, stick := disk(t, k, 179, 2), disk(t, k, 8, 1)
	// printf %s 0353445343333247805ec7e701015a | openssl dgst -sha256 -hmac secret | cut -c-32
	if tag := k.UnitTag(card, []byte("secret")); tag != "4af1884c68e8e52b575e466b4361b90e" {
		t.Errorf("card: %s", tag)
	}
	// printf %s usb:USBSER-5EC7E7:15376318464 | openssl dgst -sha256 -hmac secret | cut -c-32
	if tag := k.UnitTag(stick, []byte("secret")); tag != "6f621f31aaf45280e56fce5aa81989d5" {
		t.Errorf("stick: %s", tag)
	}
	const ata = "sys/devices/pci0000:00/0000:00:01.1/ata1/host0/target0:0:0/0:0:0:0/"
	files := map[string]string{
		"sys/dev/block/8:0": "->" + ata + "block/sda", ata + "block/sda/size": "31277056\n", ata + "block/sda/dev": "8:0\n",
		ata + "block/sda/device": "->" + ata,
		ata + "vpd_pg80":         "\x00\x80\x00\x14          5EC7E7-CF01",
	}
	compactFlash := plant(t, files)
	// printf %s ata:5EC7E7-CF01:16013852672 | openssl dgst -sha256 -hmac secret | cut -c-32
	if tag := compactFlash.UnitTag(disk(t, compactFlash, 8, 0),
		[]byte("secret")); tag != "b8acdfbb258f823842897ae079601e95" {
		t.Errorf("CompactFlash card: %s", tag)
	}
	for _, nameless := range []string{"\x00\x80\x00\x00", "\x00\x80\x00\x04    ", "\x00"} {
		files[ata+"vpd_pg80"] = nameless
		k := plant(t, files)
		if tag := k.UnitTag(disk(t, k, 8, 0), []byte("secret")); tag != "" {
			t.Errorf("without a serial number, %q: %s", nameless, tag)
		}
	}
	if k.UnitTag(card, []byte("secret")) == k.UnitTag(card, []byte("other")) {
		t.Error("two contributors get one tag")
	}
}
