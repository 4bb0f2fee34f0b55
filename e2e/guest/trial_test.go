// Package guest runs the client, as it is built for people, in emulated computers on emulated modules of known speed.
package guest

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flashdex/result"
	"flashdex/result/schema"
)

const (
	clients = "../../var/clients" // `make build` has put the programs there
	kernels = "../../var/guest"
)

// trial is one run of the client in a guest.
type trial struct {
	bus
	filesystem   string // ext4, vfat, exfat; "" for none
	moduleBytes  int64  // 0 for imageBytes
	temp         string // the folder for the module's image; "" for the usual one
	memoryMiB    int    // of the guest, unless the machine sets it; 0 for enough
	model        cardModel
	throttleIOPS int      // of QEMU, before the module; 0 for none
	throttleRate int      // of QEMU, in bytes a second; not 0: reads are throttled, too
	programs     []string // of this machine, which the job calls besides the client
	drivers      []string // of the guest's kernel, besides the bus's
}

// outcome is the result of a trial: the client's document and the module's log.
type outcome struct {
	doc       *result.Document
	writes    []cardWrite
	peakBytes int64 // of memory
}

// measure runs the client in a guest on the trial's module.
func (tr trial) measure(t testing.TB, profile string) outcome {
	t.Helper()
	files, writes := tr.run(t, peak+"profile="+profile+`
FLASHDEX_DIR=/tmp/results peak /out/peak /flashdex --profile "$profile" --no-upload /mnt
status=$?
cp /tmp/results/*.json /out/result.json
exit $status`)
	succeeded(t, files)
	doc, err := schema.Read(files["result.json"])
	if err != nil {
		t.Fatalf("%v\n%s", err, files["said"])
	}
	for _, serial := range []string{moduleSerial, cardSerial} {
		if strings.Contains(strings.ToLower(string(files["result.json"])), strings.ToLower(serial)) {
			t.Errorf("the module's serial number %s is in the document", serial)
		}
	}
	return outcome{doc, writes, peakBytes(t, files["peak"])}
}

// run boots a guest on a new module. It returns the files of boot, and the writes to the module.
func (tr trial) run(t testing.TB, job string) (map[string][]byte, []cardWrite) {
	t.Helper()
	card, address := tr.insert(t)
	return tr.boot(t, address, job), card.Writes()
}

// insert makes the module, which is served at a socket until the test ends.
func (tr trial) insert(t testing.TB) (card *fakeCard, address string) {
	t.Helper()
	return insertCard(t, tr.temp, cmp.Or(tr.moduleBytes, imageBytes), tr.model, func(image string) {
		mkfs := map[string][]string{
			"ext4":  {"mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0,nodiscard", image},
			"vfat":  {"mkfs.vfat", "-F", "32", image},
			"exfat": {"mkfs.exfat", image},
		}[tr.filesystem]
		if mkfs == nil {
			return
		}
		if output, err := exec.Command(mkfs[0], mkfs[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%q: %v\n%s", mkfs, err, output)
		}
	})
}

// boot starts a guest with the module at that address. It runs job, a shell script that may call init.sh's functions;
// a file system on the module is mounted on /mnt. boot returns the files that the job left in /out, with its output
// (said) and its exit status (status).
func (tr trial) boot(t testing.TB, address, job string) map[string][]byte {
	t.Helper()
	root := tr.kernel(t)
	initrd := filepath.Join(t.TempDir(), "initrd")
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
	if tr.throttleRate > 0 {
		drive += fmt.Sprintf(",throttling.iops-read=%d,throttling.bps-read=%d,throttling.bps-write=%d",
			tr.throttleIOPS*tr.requestsPerBlock, tr.throttleRate, tr.throttleRate)
	}
	// On a busy host, the timer ticks too late for the kernel's check of it (no_timer_check).
	args := append(tr.machine(), "-drive", drive, "-display", "none", "-no-reboot", "-nodefaults",
		"-kernel", filepath.Join(root, "vmlinuz"), "-initrd", initrd,
		"-append", fmt.Sprintf("console=%s loglevel=1 panic=-1 no_timer_check device=%s filesystem=%s",
			tr.console, tr.device, tr.filesystem))
	if tr.dtb != "" {
		args = append(args, "-dtb", filepath.Join(root, tr.dtb))
	}
	return watch(t, tr.qemu[0], args)
}

// machine returns QEMU's arguments, without the program's name.
func (tr trial) machine() []string {
	args := slices.Clone(tr.qemu[1:])
	if at := slices.Index(args, "-m"); at >= 0 && tr.memoryMiB > 0 {
		args[at+1] = strconv.Itoa(tr.memoryMiB)
	}
	return args
}

// succeeded fails the test unless the job ended with status 0.
func succeeded(t testing.TB, files map[string][]byte) {
	t.Helper()
	if status := strings.TrimSpace(string(files["status"])); status != "0" {
		t.Fatalf("the guest's job ended with %s:\n%s", status, files["said"])
	}
}
