package device_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"flashdex/client/device"
	"flashdex/client/looptest"
)

// The file system has the options of the method of 2012 and begins at half of the device, whatever partitions were
// there. It is in no mount table, and leaves nothing but itself.
func TestMakeFilesystem(t *testing.T) {
	t.Parallel()
	if err := device.Running.CanMakeFilesystem(); err != nil {
		t.Fatal(err) // other tests mount ext4 as well
	}
	const mib, size = 1 << 20, 67 << 20
	disk := looptest.Attach(t, size)
	if said, err := exec.Command("addpart", disk, "3", "2048",
		"65536").CombinedOutput(); err != nil { // MakeFilesystem removes it
		t.Fatalf("%v: %s", err, said)
	}
	target, err := device.Running.Open(disk, device.Ext4Bytes(16*mib))
	if err != nil {
		t.Fatal(err)
	}
	made, err := target.MakeFilesystem(t.Context(), device.Running)
	if err != nil {
		t.Fatal(err)
	}
	if mounts, err := os.ReadFile("/proc/mounts"); err != nil || strings.Contains(string(mounts), disk) {
		t.Errorf("it is in the mount table (%v)", err)
	}
	if _, err := device.Running.Open(disk, 0); err == nil || !strings.Contains(err.Error(), "something holds it") {
		t.Errorf("another may erase it meanwhile: %v", err)
	}
	if err := os.WriteFile(filepath.Join(made.Dir, "file"), []byte("test"), 0o600); err != nil {
		t.Error(err)
	}
	if made.Disk.SizeBytes != size || made.Filesystem != "ext4" || !strings.HasPrefix(made.Mkfs, "mke2fs 1.") {
		t.Errorf("%+v", made.Target)
	}
	if err := made.Unmake(); err != nil {
		t.Error(err)
	}
	if parts, _ := filepath.Glob(disk + "p*"); len(parts) > 0 {
		t.Errorf("the kernel still knows %v", parts)
	}
	half := looptest.Over(t, disk, "--offset", "33554432", "--read-only")
	said, err := exec.Command("/sbin/dumpe2fs", "-h", half).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	text := strings.Join(strings.Fields(string(said)), " ")
	for _, want := range []string{"Block size: 4096", "RAID stride: 1 RAID stripe width: 16", "Filesystem state: clean",
		"Block count: 8960"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q isn't in %s", want, said)
		}
	}
	if strings.Contains(text, "has_journal") {
		t.Errorf("it has a journal: %s", said)
	}
}
