package guest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestHealthByTheKernel asks QEMU's modules for their health through the kernel's own drivers. The modules are an SD
// card, which answers the makers' command with a filler, a disk at an ATA controller, and an NVMe module, which counts
// how much is written to it.
func TestHealthByTheKernel(t *testing.T) {
	t.Parallel()
	tr := trial{bus: sd, drivers: []string{"ata_piix", "sd_mod", "nvme"}}
	tr.qemu = slices.Clone(tr.qemu)
	for name, device := range map[string]string{"ata": "ide-hd,bus=ide.0", "nvme": "nvme,serial=" + moduleSerial} {
		image := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(image, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(image, imageBytes); err != nil {
			t.Fatal(err)
		}
		tr.qemu = append(tr.qemu, "-drive", "if=none,format=raw,id="+name+",file="+image, "-device", device+",drive="+name)
	}
	files, _ := tr.run(t, `
export FLASHDEX_DIR=/tmp/results
dd if=/dev/zero of=/dev/nvme0n1 bs=1M count=100 conv=fsync
for disk in mmcblk0 sda nvme0n1; do
	try "$disk" /flashdex health "/dev/$disk" --yes
done
try nvme0n1.json /flashdex health /dev/nvme0n1 --json
for disk in sda nvme0n1; do /flashdex health "/dev/$disk" --prometheus "/out/$disk.prom"; done
dd if=/dev/mmcblk0 of=/dev/null bs=1M count=1 # the card still answers`)
	succeeded(t, files)
	for name, want := range map[string]string{
		"mmcblk0": "flashdex: mmcblk0 doesn't tell its health (sandisk: the answer begins with ec ec instead of 44 53)\n" +
			"exit 1\n",
		"sda": "sda: 0 bad blocks since it was made, powered up 0 times; unknown: life used, spare blocks left, " +
			"erases of a block, bytes written, date of first use\nexit 0\n",
		// 205 units of 512,000 bytes
		"nvme0n1": "nvme0n1: 0 % used, powered up 0 times, 0.1 GB written; unknown: spare blocks left, blocks gone bad, " +
			"erases of a block, date of first use\nexit 0\n",
	} {
		if said := string(files[name]); said != want {
			t.Errorf("%s: %s", name, said)
		}
	}
	if said := string(files["nvme0n1.json"]); !strings.Contains(said, `"written_bytes": 104960000,`) {
		t.Errorf("100 MiB were written: %s", said)
	}
	shown := monitored(t, map[string][]byte{"sda.prom": files["sda.prom"], "nvme0n1.prom": files["nvme0n1.prom"]})
	want := []string{"Rated life used, at least", "Told its health", "Rated life used", "Blocks gone bad", "Written a day",
		"Powered up", "How each tells it"} // only SD cards and eMMC tell spare blocks, erases and the end of life
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Errorf("panels of the dashboard (-want +got):\n%s", diff)
	}
}
