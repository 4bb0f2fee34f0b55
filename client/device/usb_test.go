package device_test

import (
	"maps"
	"testing"
)

func TestReadersThatSaySo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		product, model string
		want           bool
	}{
		{"USB3.0 Card Reader", "MassStorageClass", true},
		{"CardReader", "STORAGE DEVICE", true},
		{"USB Storage", "SD/MMC", true},
		{"USB Storage", "SD/MMC/MS PRO", true},
		{"USB2.0-CRW", "Multi-Card Reader", true},
		{"USB Storage", "Compact Flash", true},
		{"USB Storage", "SM/xD-Picture", true},
		{"USB Storage", "MS/MS-Pro", true},
		{"ImageMate 12-in-1", "SDDR-89 Reader", true},
		{"USB Storage", "STORAGE DEVICE", false}, // sticks say that, too
		{"Ultra Fit", "Ultra Fit", false},
		{"DataTraveler 3.0", "DataTraveler 3.0", false},
		{"eReader-3.16.10", "eReader-3.16.10", false},
		{"PRS-505 eBook reader", "PRS-505", false},
		{"", "", false},
	} {
		files := maps.Clone(machine)
		files[usb+"product"], files[usb+"2-1:1.0/host4/target4:0:0/4:0:0:0/model"] = c.product+"\n", c.model+"\n"
		k := plant(t, files)
		if id := k.Identity(disk(t, k, 8, 1)); id.USB == nil || id.USB.Reader != c.want {
			t.Errorf("%q, model %q: %+v, want reader %v", c.product, c.model, id.USB, c.want)
		}
	}
}

// The speed of a port is recorded as the kernel shows it, unless it is not a whole number.
func TestUSBIsRecordedAsShown(t *testing.T) {
	t.Parallel()
	for speed, want := range map[string]int{"1.5": 0, "12": 12, "480": 480, "5000": 5000, "10000": 10000, "20000": 20000,
		"unknown": 0, "-1": 0} {
		files := maps.Clone(machine)
		files[usb+"speed"] = speed + "\n"
		k := plant(t, files)
		if id := k.Identity(disk(t, k, 8, 1)); id.USB.SpeedMbitPerS != want {
			t.Errorf("speed %s: %+v", speed, id.USB)
		}
	}
}
