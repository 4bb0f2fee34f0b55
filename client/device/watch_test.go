package device_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"flashdex/client/device"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

const (
	pi      = "sys/devices/platform/soc/soc:firmware/get_throttled"
	thermal = "sys/class/thermal/cooling_device0/"
	volt    = "sys/class/hwmon/hwmon1/"
	intel   = "sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count"
	ios     = "sys/kernel/debug/mmc0/ios"
	stats   = "sys/kernel/debug/mmc0/err_stats"
	sdaErrs = usb + "2-1:1.0/host4/target4:0:0/4:0:0:0/ioerr_cnt"
	swaps   = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
	kmsg    = "dev/kmsg"
	virtual = "sys/devices/virtual/block/"
)

// quietMachine has everything that is watched, and nothing is wrong with it.
func quietMachine() map[string]string {
	files := maps.Clone(machine)
	maps.Copy(files, map[string]string{
		pi: "e0000\n", thermal + "type": "cpufreq-cpu0\n", thermal + "cur_state": "0\n", volt + "name": "rpi_volt\n",
		volt + "in0_lcrit_alarm": "0\n", intel: "7\n", stats: "# Command Timeout Occurred:\t 2\n# Data CRC Errors " +
			"Occurred:\t 0\n",
		mmcDisk + "mq/0/nr_tags": "31\n",
		sdaErrs:                  "0x1f\n", "proc/swaps": swaps, kmsg: "3,1,1,-;mmcblk0: error -110 of an earlier time\n",
		"sys/class/block/mmcblk0": "->" + strings.TrimSuffix(mmcDisk, "/"), "sys/class/block/mmcblk0p2": "->" + mmcDisk +
			"mmcblk0p2",
		"sys/class/block/sda1": "->" + usbDisk + "sda1",
		// The card holds a part of a RAID; LVM lies on that, and an encrypted device on LVM. The stick holds another
		// one.
		mmcDisk + "mmcblk0p2/holders/md127": "->" + virtual + "md127", virtual + "md127/holders/dm-0": "->" + virtual +
			"dm-0",
		virtual + "dm-0/holders/dm-1": "->" + virtual + "dm-1", virtual + "dm-1/size": "100\n", usbDisk +
			"sda1/holders/dm-2": "->" + virtual + "dm-2",
		virtual + "dm-2/size": "100\n", virtual + "zram0/size": "100\n",
		"sys/class/block/md127": "->" + virtual + "md127", "sys/class/block/dm-0": "->" + virtual + "dm-0",
		"sys/class/block/dm-1": "->" + virtual + "dm-1", "sys/class/block/dm-2": "->" + virtual + "dm-2",
		"sys/class/block/zram0": "->" + virtual + "zram0",
	})
	return files
}

func write(t *testing.T, k device.Kernel, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(filepath.Dir(k.Sys), name), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestWatch(t *testing.T) {
	t.Parallel()
	const card, stick = 179, 8
	quietKmsg := quietMachine()[kmsg]
	cases := []struct {
		name, file, content string
		disk                uint32
		want                []string
	}{
		{"nothing", pi, "e0000\n", card, nil},
		{"undervoltage now and since", pi, "f0001\n", card, []string{result.Undervoltage}},
		{"undervoltage between two looks", pi, "f0000\n", card, []string{result.Undervoltage}},
		{"frequency capped", pi, "e0002\n", card, []string{result.Throttled}},
		{"both", pi, "50005\n", card, []string{result.Throttled, result.Undervoltage}},
		{"voltage sensor", volt + "in0_lcrit_alarm", "1\n", card, []string{result.Undervoltage}},
		{"another sensor", volt + "name", "cpu_thermal\n", card, nil},
		{"cooling", thermal + "cur_state", "2\n", card, []string{result.Throttled}},
		{"throttled by itself", intel, "8\n", card, []string{result.Throttled}},
		{"slower SD bus", ios, "clock:\t\t25000000 Hz\ntiming spec:\t2 (sd high-speed)\n", card, []string{result.BusChanged}},
		{"another SD timing", ios, "actual clock:\t41666667 Hz\ntiming spec:\t0 (legacy)\n", card,
			[]string{result.BusChanged}},
		{"SD bus asleep", ios, "clock:\t\t0 Hz\ntiming spec:\t0 (legacy)\n", card, nil},
		{"command queue turned off", mmcDisk + "mq/0/nr_tags", "64\n", card, []string{result.BusChanged}},
		{"slower USB", usb + "speed", "480\n", stick, []string{result.BusChanged}},
		{"slower USB elsewhere", usb + "speed", "480\n", card, nil},
		{"SCSI errors", sdaErrs, "0x20\n", stick, []string{result.KernelErrors}},
		{"SCSI errors elsewhere", sdaErrs, "0x20\n", card, nil},
		{"mmc errors", stats, "# Command Timeout Occurred:\t 2\n# Data CRC Errors Occurred:\t 1\n", card,
			[]string{result.KernelErrors}},
		{"swap on the card", "proc/swaps", swaps + "/dev/mmcblk0p2                          partition\t1\t0\t-2\n", card,
			[]string{result.Swap}},
		{"swap elsewhere", "proc/swaps", swaps + "/dev/sda1                               partition\t1\t0\t-2\n", card, nil},
		{"swap on the whole card", "proc/swaps", swaps + "/dev/mmcblk0 partition\t1\t0\t-2\n", card, []string{result.Swap}},
		{"swap on RAID on the card", "proc/swaps", swaps + "/dev/md127 partition\t1\t0\t-2\n", card, []string{result.Swap}},
		{"swap on LVM on RAID on the card", "proc/swaps", swaps + "/dev/dm-0 partition\t1\t0\t-2\n", card,
			[]string{result.Swap}},
		{"encrypted swap on LVM on RAID on the card", "proc/swaps", swaps + "/dev/dm-1 partition\t1\t0\t-2\n", card,
			[]string{result.Swap}},
		{"the same, asked of the stick", "proc/swaps", swaps + "/dev/dm-1 partition\t1\t0\t-2\n", stick, nil},
		{"encrypted swap elsewhere, and in memory", "proc/swaps", swaps +
			"/dev/zram0 partition\t1\t0\t5\n/dev/dm-2 partition\t1\t0\t-2\n", card, nil},
		{"encrypted swap on the stick", "proc/swaps", swaps + "/dev/zram0 partition\t1\t0\t5\n/dev/dm-2 " +
			"partition\t1\t0\t-2\n", stick, []string{result.Swap}},
		{"logged error", kmsg, quietKmsg + "3,2,9,-;blk_update_request: I/O error, dev mmcblk0, sector 8\n SUBSYSTEM=block\n",
			card, []string{result.KernelErrors}},
		{"logged error of a partition", kmsg, quietKmsg + "2,2,9,-;EXT4-fs error (device mmcblk0p2): x\n", card,
			[]string{result.KernelErrors}},
		{"logged time-out of the host", kmsg, quietKmsg + "3,2,9,-;mmc0: Timeout waiting for hardware interrupt.\n", card,
			[]string{result.KernelErrors}},
		{"queue recovered", kmsg, quietKmsg + "4,2,9,-;mmc0: running CQE recovery\n", card,
			[]string{result.QueueRecovery}},
		{"queue of another host recovered", kmsg, quietKmsg + "4,2,9,-;mmc1: running CQE recovery\n", card, nil},
		{"logged of another host", kmsg, quietKmsg + "3,2,9,-;mmc01: Timeout\n3,3,9,-;mmcblk01: error\n", card, nil},
		{"logged, but no trouble", kmsg, quietKmsg + "6,2,9,-;EXT4-fs (mmcblk0p2): re-mounted. Opts: errors=continue\n", card,
			nil},
		{"logged reset", kmsg, quietKmsg + "6,2,9,-;usb 2-1: reset high-speed USB device number 4 using xhci_hcd\n", stick,
			[]string{result.KernelErrors}},
		{"logged failure", kmsg, quietKmsg + "6,2,9,-;sd 4:0:0:0: [sda] tag#0 FAILED Result: hostbyte=DID_ERROR\n", stick,
			[]string{result.KernelErrors}},
		{"logged reset elsewhere", kmsg, quietKmsg + "6,2,9,-;usb 2-1.1: reset high-speed USB device\n", stick, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := plant(t, quietMachine())
			minor := uint32(2)
			if c.disk == stick {
				minor = 1
			}
			watch := k.Watch(disk(t, k, c.disk, minor))
			write(t, k, c.file, c.content)
			if diff := cmp.Diff(c.want, watch.End()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A state that comes and goes between the first and the last look is seen by a look in between.
func TestWatchRemembers(t *testing.T) {
	t.Parallel()
	k := plant(t, quietMachine())
	watch := k.Watch(disk(t, k, 179, 2))
	write(t, k, thermal+"cur_state", "1\n")
	watch.Look()
	write(t, k, thermal+"cur_state", "0\n")
	if diff := cmp.Diff([]string{result.Throttled}, watch.End()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Errors during other work on the disk, such as making a file system, spoil nothing. Errors before or after it do.
func TestWatchWithout(t *testing.T) {
	t.Parallel()
	const trouble = "3,2,9,-;operation not supported error, dev sda, sector 8 op 0x9:(WRITE_ZEROES)\n"
	for _, inside := range []bool{true, false} {
		k := plant(t, quietMachine())
		watch := k.Watch(disk(t, k, 8, 1))
		var want []string
		logged := quietMachine()[kmsg]
		if err := watch.Without(func() error {
			if inside {
				logged += trouble
				write(t, k, kmsg, logged)
				write(t, k, sdaErrs, "0x20\n")
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if !inside {
			want = []string{result.KernelErrors}
			write(t, k, kmsg, logged+trouble)
		}
		if diff := cmp.Diff(want, watch.End()); diff != "" {
			t.Errorf("inside: %v (-want +got):\n%s", inside, diff)
		}
	}
}

// A machine that shows nothing is clean. A swap file is traced to the disk below it.
func TestWatchKnowsNothing(t *testing.T) {
	t.Parallel()
	k := plant(t, machine)
	if codes := k.Watch(disk(t, k, 179, 2)).End(); len(codes) > 0 {
		t.Errorf("%v on a machine that shows nothing", codes)
	}
	file := filepath.Join(t.TempDir(), "swap file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	target, err := device.Running.Find(filepath.Dir(file), 0)
	if err != nil {
		t.Skipf("the machine's own directory for temporary files is on no disk: %v", err)
	}
	running := device.Kernel{Sys: "/sys", Proc: t.TempDir()}
	escaped := filepath.Dir(file) + `/swap\040file`
	if err := os.WriteFile(filepath.Join(running.Proc, "swaps"), []byte(swaps+escaped+" file\t1\t0\t-2\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{result.Swap}, running.Watch(target.Disk).End()); diff != "" {
		t.Errorf("a swap file (-want +got):\n%s", diff)
	}
}
