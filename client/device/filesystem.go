package device

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// Filesystem is a file system that was made on a whole device for a test. Its mount point has no name, so the mount
// ends with the client.
type Filesystem struct {
	Target // Dir is its root, which nobody else can reach

	root   *os.File
	disk   *os.File // the whole device; while it is open, it stays the same device even if the module is exchanged
	number int      // of the partition
}

// mkfs are the options of mke2fs in the method of 2012, and two more: nodiscard keeps the module as the passes left it,
// and lazy_itable_init=0 leaves nothing to be written during the tests.
var mkfs = []string{"-t", "ext4", "-b", "4096", "-O", "^has_journal", "-E",
	"stride=1,stripe_width=16,nodiscard,lazy_itable_init=0"}

// mountOptions are the mount options, as mount(8) has them.
const mountOptions = "noatime"

// Ext4Bytes is the size of the smallest ext4 file system for a test area of that size.
func Ext4Bytes(areaBytes int64) int64 { return areaBytes + areaBytes/8 }

// CanMakeFilesystem returns an error if ext4 can't be made and mounted here.
func (k Kernel) CanMakeFilesystem() error {
	if _, _, err := mke2fs(); err != nil {
		return err
	}
	if !strings.Contains(text(k.Proc, "filesystems")+"\n", "\text4\n") && exec.Command("modprobe", "ext4").Run() != nil {
		return errors.New("this kernel has no ext4; leave out --filesystem")
	}
	return nil
}

// mke2fs finds the program and its version. The program prints "mke2fs 1.47.0 (5-Feb-2023)".
func mke2fs() (path, version string, err error) {
	// Users often lack the last two in PATH.
	for _, dir := range append(filepath.SplitList(os.Getenv("PATH")), "/usr/sbin", "/sbin") {
		path := filepath.Join(dir, "mke2fs")
		said, err := exec.Command(path, "-V").CombinedOutput()
		if name, rest, ok := strings.Cut(string(said), " "); err == nil && ok && name == "mke2fs" {
			version, _, _ = strings.Cut(rest, " ")
			return path, Keep(version, Digits+Letters+".-", 20), nil
		}
	}
	return "", "", errors.New("there is no mke2fs that can make ext4; install e2fsprogs, or leave out --filesystem")
}

// MakeFilesystem makes ext4 on the target, from AreaStart to the end, and mounts it. The target is a whole device that
// was opened for erasing. Only the kernel knows the partition; no table is written. MakeFilesystem closes
// Target.Device, since the kernel mounts nothing on a disk that somebody holds. mke2fs holds the disk while it runs.
func (t Target) MakeFilesystem(ctx context.Context, k Kernel) (made Filesystem, err error) {
	program, version, err := mke2fs()
	if err != nil {
		return made, err
	}
	disk, err := os.Open(t.Dir)
	if err != nil {
		return made, err
	}
	made = Filesystem{disk: disk, number: 1}
	defer func() {
		if err != nil {
			err = errors.Join(err, made.Unmake())
		}
	}()
	if err := t.Device.Close(); err != nil {
		return made, err
	}
	for _, part := range k.above(t.Disk.dir, 0)[1:] { // the partitions of a table that is overwritten by now
		if err := partition(made.disk, delPartition, int(number(part, "partition")), 0, 0); err != nil {
			return made, fmt.Errorf("the kernel still uses %s: %w; plug the module in anew", filepath.Base(part), err)
		}
	}
	start := AreaStart(t.Disk.SizeBytes)
	if err := partition(made.disk, addPartition, made.number, start, (t.Disk.SizeBytes-start)/4096*4096); err != nil {
		return made, fmt.Errorf("the kernel can't add a partition of %s: %w", t.Disk.Name, err)
	}
	dir, err := k.partitionOf(t.Disk, made.number)
	if err != nil {
		return made, err
	}
	node, err := k.node(ctx, dir)
	if err != nil {
		return made, err
	}
	command := exec.CommandContext(ctx, program, append(slices.Clone(mkfs), "-q", "-F", node)...)
	defer Tie(command)()
	if err := t.Same(); err != nil { // while Device was closed, anybody could have used it, too
		return made, err
	}
	if said, err := command.CombinedOutput(); err != nil {
		return made, fmt.Errorf("mke2fs: %w: %s", err, strings.TrimSpace(string(said)))
	}
	if err := t.Same(); err != nil {
		return made, err
	}
	if made.root, err = mounted(node); err != nil {
		return made, fmt.Errorf("the file system on %s can't be mounted: %w", node, err)
	}
	made.Target = Target{
		Dir: fmt.Sprintf("/proc/self/fd/%d", made.root.Fd()), Filesystem: "ext4", Disk: diskAt(t.Disk.dir, dir, nil),
		shown: t.shown,
		Mkfs:  strings.Join(append(append([]string{"mke2fs", version}, mkfs...), "mounted", mountOptions), " "),
	}
	return made, nil
}

// Tie makes the kernel kill a command when the client ends, and keeps Ctrl-C from reaching the command. The kernel also
// kills it when the thread that started it ends, so the caller must call untie only after the command's end.
func Tie(command *exec.Cmd) (untie func()) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}

// mounted mounts ext4 and returns its root. The mount point has a name only until the root is open.
func mounted(node string) (*os.File, error) {
	dir, err := os.MkdirTemp("", "flashdex-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(dir)
	if err := syscall.Mount(node, dir, "ext4", syscall.MS_NOATIME|syscall.MS_NODEV|syscall.MS_NOSUID, ""); err != nil {
		return nil, err
	}
	root, err := os.Open(dir)
	const detach = 2 // MNT_DETACH
	return root, errors.Join(err, syscall.Unmount(dir, detach))
}

// Unmake unmounts the file system and makes the kernel forget the partition. The file system stays on the device.
func (f Filesystem) Unmake() error {
	defer f.disk.Close()
	if f.root != nil {
		f.root.Close()
	}
	var err error
	for range 100 { // the kernel unmounts when it has written everything
		err = partition(f.disk, delPartition, f.number, 0, 0)
		if err == nil || errors.Is(err, syscall.ENXIO) || errors.Is(err, syscall.ENODEV) {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("the kernel still knows partition %d of the device (%w); it does no harm, and disappears when you "+
		"take the module out", f.number, err)
}

// The requests of linux/blkpg.h.
const (
	addPartition = 1
	delPartition = 2
)

// partition makes the kernel add or forget a partition of a disk.
func partition(disk *os.File, what int32, number int, start, bytes int64) error {
	data := struct {
		start, length int64
		number        int32
		names         [128]byte
		_             int32
	}{start: start, length: bytes, number: int32(number)}
	request := struct {
		what, flags, length int32
		data                unsafe.Pointer
	}{what: what, length: int32(unsafe.Sizeof(data)), data: unsafe.Pointer(&data)}
	blkpg := uintptr(0x1269)
	if strings.HasPrefix(runtime.GOARCH, "mips") || strings.HasPrefix(runtime.GOARCH, "ppc") {
		blkpg |= 1 << 29 // _IOC_NONE isn't 0 there
	}
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, disk.Fd(), blkpg, uintptr(unsafe.Pointer(&request)))
	if errno != 0 {
		return errno
	}
	return nil
}

// partitionOf finds the directory of a disk's partition in /sys.
func (k Kernel) partitionOf(d Disk, want int) (string, error) {
	for _, dir := range k.above(d.dir, 0)[1:] {
		if filepath.Dir(dir) == d.dir && number(dir, "partition") == int64(want) {
			return dir, nil
		}
	}
	return "", fmt.Errorf("the kernel doesn't show partition %d of %s", want, d.Name)
}

// node waits until udev has made a block device's file in /dev.
func (k Kernel) node(ctx context.Context, dir string) (string, error) {
	path := filepath.Join(k.Dev, filepath.Base(dir))
	for range 100 {
		info, err := os.Stat(path)
		isDevice := err == nil && info.Mode()&os.ModeDevice != 0
		if isDevice && text(dir, "dev") == deviceNumber(uint64(info.Sys().(*syscall.Stat_t).Rdev)) {
			return path, nil
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return "", fmt.Errorf("%s doesn't appear", path)
}
