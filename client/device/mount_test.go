package device_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"flashdex/client/device"
	"flashdex/client/looptest"
)

// An encrypted directory on a real ext4 is refused, whether or not its key is there, and its neighbour isn't. A
// directory marked to compress is refused only where files would be compressed. ext4 never compresses.
func TestFindRefusesMarkedDirectories(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/sys/fs/ext4/features/encryption"); err != nil {
		t.Skip("this kernel's ext4 has no encryption")
	}
	disk1 := looptest.Attach(t, 16<<20)
	if said, err := exec.Command("mkfs.ext4", "-q", "-O", "encrypt", disk1).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	mount := looptest.MountAt(t, disk1)
	secret, plain, marked := filepath.Join(mount, "secret"), filepath.Join(mount, "plain"), filepath.Join(mount, "marked")
	for _, dir := range []string{secret, plain, marked} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	encrypt(t, secret)
	if said, err := exec.Command("chattr", "+c", marked).CombinedOutput(); err != nil {
		t.Fatalf("chattr: %v: %s", err, said)
	}
	if _, err := device.Running.Find(secret, 0); err == nil || !strings.Contains(err.Error(),
		secret+" is encrypted (fscrypt)") {
		t.Errorf("an encrypted directory: %v", err)
	}
	for _, dir := range []string{plain, marked} {
		if _, err := device.Running.Find(dir, 0); err != nil {
			t.Errorf("%s: %v", filepath.Base(dir), err)
		}
	}
	// This file system obeys the same mark.
	target, err := device.Running.Find(plain, 0)
	if err != nil {
		t.Fatal(err)
	}
	proc := strings.Join([]string{"30 1 7:" + strings.TrimPrefix(target.Disk.Name, "loop"), "/", mount, "rw - f2fs", disk1,
		"rw\n"}, " ")
	k := plant(t, map[string]string{"proc/self/mountinfo": proc})
	k.Sys = "/sys"
	if _, err := k.Find(marked, 0); err == nil || !strings.Contains(err.Error(), "compresses the files in it") {
		t.Errorf("a directory marked to compress: %v", err)
	}
	if _, err := k.Find(plain, 0); err != nil {
		t.Errorf("its neighbour: %v", err)
	}
}

// encrypt gives an empty directory an encryption policy (Documentation/filesystems/fscrypt.rst), but no key.
func encrypt(t *testing.T, dir string) {
	t.Helper()
	file, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	const setPolicy, xts, cts = 0x800c6613, 1,
		4 // FS_IOC_SET_ENCRYPTION_POLICY, on every architecture except MIPS and PowerPC
	policy := [12]byte{0, xts, cts, 0, 'f', 'l', 'a', 's', 'h', 'd', 'e', 'x'}
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, file.Fd(), setPolicy,
		uintptr(unsafe.Pointer(&policy[0]))); errno != 0 {
		t.Fatal(errno)
	}
}
