// Package guest runs the client, as it is built for people, in emulated computers on emulated modules of known speed.
package guest

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"flashdex/e2e/guest/fakecard"
	"flashdex/result"
	"flashdex/result/schema"
)

const (
	clients    = "../../var/clients" // `make build` has put the programs there
	kernels    = "../../var/guest"
	imageBytes = 1 << 30 // SD cards of QEMU are powers of two
)

// bus is how a module is attached to a PC, or the whole machine where it has one slot only.
type bus struct {
	name, debian     string
	platform         string   // in the name of the client's binary
	qemu             []string // the machine with its module
	console          string
	device           string // the module, in the guest
	modules          []string
	dtb              string
	requestsPerBlock int // that QEMU makes of one block of 4 KiB
}

func pc(name, device string, requestsPerBlock int, modules []string, qemu ...string) bus {
	return bus{name: name, debian: "amd64", platform: "amd64", console: "ttyS0", device: device, modules: modules, requestsPerBlock: requestsPerBlock,
		qemu: append([]string{"qemu-system-x86_64", "-accel", "tcg", "-m", "512", "-serial", "stdio"}, qemu...)}
}

var (
	sd     = pc("SD", "/dev/mmcblk0", 8, []string{"sdhci-pci", "mmc_block"}, "-device", "sdhci-pci", "-device", "sd-card,drive=module")
	usb    = pc("USB", "/dev/sda", 1, []string{"xhci-pci", "usb-storage", "sd_mod"}, "-device", "qemu-xhci", "-device", "usb-storage,drive=module,removable=on,serial=SECRET1")
	cf     = pc("CF", "/dev/sda", 1, []string{"ata_piix", "sd_mod"}, "-device", "ide-hd,bus=ide.0,drive=module,serial=SECRET1,model=QEMU-CF")
	virtio = pc("virtio", "/dev/vda", 1, []string{"virtio_pci", "virtio_blk"}, "-device", "virtio-blk-pci,drive=module")

	raspi2b = bus{name: "Raspberry Pi 2B", debian: "armhf", platform: "armv7", console: "ttyAMA0", device: "/dev/mmcblk0", modules: []string{"bcm2835", "sdhci-iproc"},
		dtb: "bcm2836-rpi-2-b.dtb", requestsPerBlock: 8, qemu: []string{"qemu-system-arm", "-M", "raspi2b", "-serial", "stdio"}}
	raspi3b = bus{name: "Raspberry Pi 3B", debian: "arm64", platform: "arm64", console: "ttyS1", device: "/dev/mmcblk0", modules: []string{"bcm2835", "sdhci-iproc"},
		dtb: "bcm2837-rpi-3-b.dtb", requestsPerBlock: 8, qemu: []string{"qemu-system-aarch64", "-M", "raspi3b", "-serial", "null", "-serial", "stdio"}}
)

// trial is one run of the client in a guest.
type trial struct {
	bus
	filesystem   string // ext4 or vfat
	model        fakecard.Model
	throttleIOPS int      // of QEMU, before the module; 0 for none
	programs     []string // of this machine, which the job calls besides the client
}

// outcome is what came of a trial: the client's document, its text, and what the module knows.
type outcome struct {
	doc    *result.Document
	json   []byte
	writes []fakecard.Write
}

// measure runs the client in a guest on the trial's module.
func (tr trial) measure(t testing.TB, profile string) outcome {
	t.Helper()
	files, writes := tr.run(t, "profile="+profile+`
FLASHDEX_DIR=/tmp/results /flashdex --profile "$profile" --no-upload /mnt
status=$?
cp /tmp/results/*.json /out/result.json
exit $status`)
	if status := strings.TrimSpace(string(files["status"])); status != "0" {
		t.Fatalf("the client ended with %s:\n%s", status, files["said"])
	}
	doc, err := schema.Read(files["result.json"])
	if err != nil {
		t.Fatalf("%v\n%s", err, files["said"])
	}
	return outcome{doc, files["result.json"], writes}
}

// run boots a guest that runs job, a shell script, with the module mounted on /mnt. It returns the files that the job
// left in /out, what it said (said) and its exit status (status), and what was written to the module.
func (tr trial) run(t testing.TB, job string) (map[string][]byte, []fakecard.Write) {
	t.Helper()
	root := tr.kernel(t)
	// Not t.TempDir, which is named for the test: a socket's path must be short, and an option of QEMU has no comma.
	dir, err := os.MkdirTemp("", "guest-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	card, address := tr.insert(t, dir)
	initrd := filepath.Join(dir, "initrd")
	if err := os.WriteFile(initrd, initramfs(t, root, tr, job), 0o600); err != nil {
		t.Fatal(err)
	}
	drive := "id=module,if=none,format=raw,file=nbd+unix:///?socket=" + address
	if tr.dtb != "" {
		drive = strings.Replace(drive, "id=module,if=none", "if=sd", 1)
	}
	if tr.throttleIOPS > 0 {
		drive += fmt.Sprintf(",throttling.iops-write=%d", tr.throttleIOPS*tr.requestsPerBlock)
	}
	args := append(tr.qemu[1:len(tr.qemu):len(tr.qemu)], "-drive", drive, "-display", "none", "-no-reboot", "-nodefaults",
		"-kernel", filepath.Join(root, "boot/vmlinuz"), "-initrd", initrd,
		"-append", fmt.Sprintf("console=%s quiet panic=-1 device=%s filesystem=%s end=1", tr.console, tr.device, tr.filesystem))
	if tr.dtb != "" {
		args = append(args, "-dtb", deviceTree(t, root, tr.dtb))
	}
	return boot(t, tr.qemu[0], args), card.Writes()
}

// deviceTree finds the description of a board, which Debian keeps beside the kernel, by vendor on some architectures.
func deviceTree(t testing.TB, root, name string) string {
	t.Helper()
	for _, pattern := range []string{"usr/lib/linux-image-*", "usr/lib/linux-image-*/*"} {
		if found, _ := filepath.Glob(filepath.Join(root, pattern, name)); len(found) == 1 {
			return found[0]
		}
	}
	t.Fatalf("there is no %s in %s", name, root)
	return ""
}

// boot runs a guest until it says that it is done; the Raspberry Pis can't switch themselves off.
func boot(t testing.TB, program string, args []string) map[string][]byte {
	t.Helper()
	// The signal on the parent's death is sent when the thread that started the child ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.Command(program, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	cmd.Stderr = os.Stderr
	console, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	patience := time.AfterFunc(15*time.Minute, func() { _ = cmd.Process.Kill() })
	defer func() {
		patience.Stop()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}()
	files := map[string][]byte{}
	var name string
	var encoded, everything bytes.Buffer
	keep := func() {
		if name == "" {
			return
		}
		if files[name], err = base64.StdEncoding.DecodeString(encoded.String()); err != nil {
			t.Fatalf("%s on the console: %v", name, err)
		}
		encoded.Reset()
	}
	for lines := bufio.NewScanner(console); lines.Scan(); {
		line := strings.Trim(lines.Text(), "\r\x00")
		fmt.Fprintln(&everything, line)
		if next, ok := strings.CutPrefix(line, "=== FILE "); ok {
			keep()
			name = next
		} else if strings.HasPrefix(line, "=== GUEST DONE") {
			keep()
			return files
		} else if name != "" {
			encoded.WriteString(line)
		}
	}
	t.Fatalf("the guest ended before it was done:\n%s", everything.String())
	return nil
}

// insert makes the module and serves it at a socket until the test ends.
func (tr trial) insert(t testing.TB, dir string) (card *fakecard.Card, address string) {
	t.Helper()
	image := filepath.Join(dir, "image")
	file, err := os.Create(image)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	if err := file.Truncate(imageBytes); err != nil {
		t.Fatal(err)
	}
	mkfs := map[string][]string{
		"ext4": {"mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0,nodiscard", image},
		"vfat": {"mkfs.vfat", "-F", "32", image},
	}[tr.filesystem]
	if output, err := exec.Command(mkfs[0], mkfs[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%q: %v\n%s", mkfs, err, output)
	}
	// Now that the file has no name, nothing can leave it behind.
	if err := os.Remove(image); err != nil {
		t.Fatal(err)
	}
	if card, err = fakecard.New(file, tr.model); err != nil {
		t.Fatal(err)
	}
	address = filepath.Join(dir, "module")
	listener, err := net.Listen("unix", address)
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- card.Serve(listener) }()
	t.Cleanup(func() {
		listener.Close()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return card, address
}
