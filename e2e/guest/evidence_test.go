package guest

import (
	"strings"
	"testing"

	"flashdex/result"
	"flashdex/result/schema"

	"github.com/google/go-cmp/cmp"
)

// TestATAIsInTheDocument asks a disk at a real ATA controller for its identity.
func TestATAIsInTheDocument(t *testing.T) {
	t.Parallel()
	doc := trial{bus: cf, filesystem: "vfat"}.measure(t, result.ProfileQuick).doc
	most := 5 // for QEMU's disks; Linux selects none at its PIIX3
	want := &result.ATA{Model: "QEMU-CF", Firmware: "2.5+", CapacityBytes: imageBytes, UDMAMax: &most}
	if diff := cmp.Diff(want, doc.Identity.ATA); diff != "" || doc.Identity.Bus != "ata" {
		t.Errorf("bus %s (-want +got):\n%s", doc.Identity.Bus, diff)
	}
	if doc.UnitTag == "" {
		t.Error("its serial number made no unit tag")
	}
}

// TestVerifiedIsInTheNextDocument verifies a stick and then measures it.
func TestVerifiedIsInTheNextDocument(t *testing.T) {
	t.Parallel()
	files, _ := trial{bus: usb}.run(t, `
export FLASHDEX_DIR=/tmp/results
/flashdex verify --device "$device" --erase --yes --form usb || exit
mv /tmp/results/*.json /out/verified.json
date -u +%Y-%m-%d >/out/day
/flashdex --device "$device" --erase --yes --profile quick --no-upload --form usb --price 9,99EUR --bought 2026-10
status=$?
cp /tmp/results/*.json /out/result.json
/flashdex >/out/seen
exit $status`)
	succeeded(t, files)
	checked, err := schema.Read(files["verified.json"])
	if err != nil {
		t.Fatal(err)
	}
	doc, err := schema.Read(files["result.json"])
	if err != nil {
		t.Fatal(err)
	}
	if checked.Method != result.MethodVerify1 || checked.UnitTag != doc.UnitTag || doc.UnitTag == "" {
		t.Errorf("what verify found is by the method %s, of the unit %s", checked.Method, checked.UnitTag)
	}
	want := &result.Verified{ClaimedBytes: imageBytes, FoundBytes: imageBytes, On: string(files["day"][:10])}
	if diff := cmp.Diff(want, checked.Identity.Verified); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, doc.Identity.Verified); diff != "" {
		t.Errorf("verified (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(&result.Price{Amount: 9.99, Currency: "EUR", On: "2026-10"}, doc.Module.Price); diff != "" {
		t.Errorf("price (-want +got):\n%s", diff)
	}
	for _, what := range []string{"USB 46f4:0001 QEMU QEMU USB HARDDRIVE", "4K random write ", "not mounted",
		"    flashdex --device /dev/sd"} {
		if !strings.Contains(string(files["seen"]), what) {
			t.Errorf("the list of modules lacks %q:\n%s", what, files["seen"])
		}
	}
	// QEMU's ids and strings of a stick.
	stick := doc.Identity.USB
	if stick == nil || stick.VendorID != "46f4" || stick.ProductID != "0001" ||
		stick.Manufacturer != "QEMU" || stick.Product != "QEMU USB HARDDRIVE" ||
		stick.SpeedMbitPerS != 5000 || stick.Driver != "usb-storage" || stick.Reader {
		t.Errorf("the stick: %+v", stick)
	}
}
