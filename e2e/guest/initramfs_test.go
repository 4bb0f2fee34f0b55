package guest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

var fetching sync.Mutex

// kernel returns the folder with the guest's kernel and BusyBox, and fetches them if necessary. Without apt to fetch
// them, it skips the test.
func (b bus) kernel(t testing.TB) string {
	t.Helper()
	if _, err := exec.LookPath(b.qemu[0]); err != nil {
		t.Skipf("%v (make tools, as root on Debian)", err)
	}
	fetching.Lock()
	defer fetching.Unlock()
	if _, err := os.Stat(filepath.Join(kernels, b.debian)); err != nil {
		if _, err := exec.LookPath("apt-get"); err != nil {
			t.Skip("a guest's kernel comes from Debian's packages, and this machine has no apt-get")
		}
	}
	if output, err := exec.Command("sh", "kernels.sh", kernels, b.debian).CombinedOutput(); err != nil {
		t.Fatalf("the guest's kernel: %v\n%s", err, output)
	}
	root, err := filepath.Abs(filepath.Join(kernels, b.debian))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// initramfs packs everything that a guest needs: BusyBox, the kernel's modules, the client, init.sh and the job.
func initramfs(t testing.TB, root string, tr trial, job string) []byte {
	t.Helper()
	var a archive
	for _, dir := range []string{"dev", "proc", "sys", "tmp"} {
		a.dir(dir)
	}
	a.add("init", 0o100755, read(t, "init.sh"))
	a.add("job", 0o100644, []byte(job))
	a.add("bin/busybox", 0o100755, read(t, filepath.Join(root, "busybox")))
	a.add("flashdex", 0o100755, read(t, filepath.Join(clients, "flashdex-linux-"+tr.platform)))

	added := map[string]bool{}
	for _, program := range tr.programs {
		path, libraries := found(t, program)
		a.add("host/"+filepath.Base(program), 0o100755, read(t, path))
		for _, library := range libraries {
			if !added[library] {
				added[library] = true
				a.add(strings.TrimPrefix(library, "/"), 0o100755, read(t, library))
			}
		}
	}

	versions, err := os.ReadDir(filepath.Join(root, "lib/modules"))
	if err != nil || len(versions) != 1 {
		t.Fatalf("kernels in %s: %v (%v)", root, versions, err)
	}
	var order []string
	seen := map[string]bool{}
	filesystems := []string{"ext4", "crc32c_generic", "vfat", "nls_cp437", "nls_ascii", "nls_utf8", "nls_iso8859-1"}
	for _, module := range slices.Concat(tr.modules, tr.drivers, filesystems) {
		cmd := exec.Command("modprobe", "-C", "/dev/null", "-d", root, "-S", versions[0].Name(), "--show-depends", module)
		cmd.Env = append(os.Environ(), "PATH="+os.Getenv("PATH")+":/usr/sbin:/sbin")
		said, err := cmd.Output()
		if err != nil {
			t.Fatalf("modprobe --show-depends %s: %v", module, err)
		}
		for line := range strings.Lines(string(said)) {
			verb, path, _ := strings.Cut(strings.TrimSpace(line), " ")
			path = strings.TrimSpace(path)
			name := strings.TrimSuffix(filepath.Base(path), ".xz")
			if verb != "insmod" || seen[name] { // otherwise it is built in
				continue
			}
			seen[name] = true
			order = append(order, name)
			a.add("modules/"+name, 0o100644, readModule(t, path))
		}
	}
	a.add("modules/order", 0o100644, []byte(strings.Join(order, "\n")+"\n"))
	return a.bytes()
}

// found returns the path of a program on this machine, and the libraries that it is linked with.
func found(t testing.TB, program string) (path string, libraries []string) {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		// Only root has this folder in the path on every system.
		if path, err = exec.LookPath(filepath.Join("/usr/sbin", program)); err != nil {
			t.Skipf("%v (make tools, as root on Debian)", err)
		}
	}
	said, err := exec.Command("ldd", path).Output()
	if err != nil {
		t.Fatalf("ldd %s: %v", path, err)
	}
	for word := range strings.FieldsSeq(string(said)) {
		if strings.HasPrefix(word, "/") {
			libraries = append(libraries, word)
		}
	}
	return path, libraries
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func readModule(t testing.TB, path string) []byte {
	t.Helper()
	if !strings.HasSuffix(path, ".xz") {
		return read(t, path)
	}
	data, err := exec.Command("xz", "--decompress", "--stdout", path).Output()
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return data
}

// archive is a cpio archive in the format that the kernel unpacks
// (Documentation/driver-api/early-userspace/buffer-format.rst).
type archive struct {
	buffer bytes.Buffer
	number int
	dirs   map[string]bool
}

// dir adds a directory and its parents, once.
func (a *archive) dir(name string) {
	if name == "." || a.dirs[name] {
		return
	}
	a.dir(filepath.Dir(name))
	if a.dirs == nil {
		a.dirs = map[string]bool{}
	}
	a.dirs[name] = true
	a.entry(name, 0o40755, nil)
}

func (a *archive) add(name string, mode int, data []byte) {
	a.dir(filepath.Dir(name))
	a.entry(name, mode, data)
}

func (a *archive) entry(name string, mode int, data []byte) {
	a.number++
	fmt.Fprintf(&a.buffer, "070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%s\x00",
		a.number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name)+1, 0, name)
	a.align()
	a.buffer.Write(data)
	a.align()
}

func (a *archive) align() {
	for a.buffer.Len()%4 != 0 {
		a.buffer.WriteByte(0)
	}
}

func (a *archive) bytes() []byte {
	a.entry("TRAILER!!!", 0, nil)
	return a.buffer.Bytes()
}
