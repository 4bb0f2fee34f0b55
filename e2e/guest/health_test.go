package guest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestHealthByTheKernel asks QEMU's modules for their health through the kernel's own drivers: an SD card, whose answer
// to the makers' command is empty, a disk at an ATA controller, and an NVMe module, which count what was written to them.
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
dd if=/dev/zero of=/dev/nvme0n1 bs=1M count=100 conv=fsync
for disk in mmcblk0 sda nvme0n1; do
	try "$disk" /flashdex health "/dev/$disk" --yes
	try "$disk.json" /flashdex health "/dev/$disk" --yes --json
done
dd if=/dev/mmcblk0 of=/dev/null bs=1M count=1 || exit # the card still answers
try refused /flashdex health /dev/ram0 --yes
true`)
	succeeded(t, files)
	for name, want := range map[string][]string{"mmcblk0": nil, "sda": nil, "nvme0n1": nil} {
		t.Logf("%s\n%s", files[name], files[name+".json"])
		for _, words := range want {
			if !strings.Contains(string(files[name]), words) {
				t.Errorf("%s lacks %q", name, words)
			}
		}
	}
}
