package guest

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// emulators maps the client's name of a platform to QEMU's name. Where it is "", the machine itself runs the program:
// QEMU 7.2 emulates the 386's threads wrongly, which kills every Go program.
var emulators = map[string]string{
	"386": "", "amd64": "", "armv5": "arm", "armv6": "arm", "armv7": "arm", "arm64": "aarch64",
	"mips": "mips", "mipsle": "mipsel", "mips64": "mips64", "mips64le": "mips64el",
	"ppc64le": "ppc64le", "riscv64": "riscv64", "s390x": "s390x", "loong64": "loongarch64",
}

// TestEveryBinaryRuns starts each client that people can download, on an emulated processor.
func TestEveryBinaryRuns(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the emulators are named for a PC")
	}
	binaries, err := filepath.Glob(filepath.Join(clients, "flashdex-linux-*"))
	if err != nil || len(binaries) < len(emulators) {
		t.Fatalf("%d clients in %s (%v): make build", len(binaries), clients, err)
	}
	for _, binary := range binaries {
		platform := strings.TrimPrefix(filepath.Base(binary), "flashdex-linux-")
		t.Run(platform, func(t *testing.T) {
			t.Parallel()
			emulator, ok := emulators[platform]
			if !ok {
				t.Fatal("no emulator is known for this platform")
			}
			command := []string{binary, "version"}
			if emulator != "" {
				command = append([]string{"qemu-" + emulator + "-static"}, command...)
			}
			if _, err := exec.LookPath(command[0]); err != nil {
				t.Skipf("%v (make tools, as root on Debian)", err)
			}
			said, err := exec.Command(command[0], command[1:]...).CombinedOutput()
			if err != nil {
				t.Fatalf("%q: %v\n%s", command, err, said)
			}
			words := strings.Fields(string(said))
			if len(words) != 3 || words[0] != "flashdex" || words[2] != "linux/"+platform {
				t.Errorf("it calls itself %q", said)
			}
		})
	}
}
