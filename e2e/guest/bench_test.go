package guest

import (
	"encoding/json"
	"fmt"
	"testing"

	"flashdex/e2e/guest/fakecard"
	"flashdex/result"
)

// BenchmarkStandardProfile reports what the standard profile takes on a slow, a middling and a fast card, beside what
// iozone needs that writes each of 131,072 blocks of 4 KiB once in a line and once at random: as many operations as
// the module delivers in a second were delivered to the client.
func BenchmarkStandardProfile(b *testing.B) {
	for _, model := range []struct {
		iops int
		fakecard.Model
	}{
		{1, fakecard.Steady(1)},
		{20, fakecard.Steady(20)},
		// What QEMU itself takes for an operation is more than half of a millisecond.
		{1000, fakecard.Steady(2500)},
	} {
		b.Run(fmt.Sprintf("%d-IOPS", model.iops), func(b *testing.B) {
			const iozoneOps = 131072
			got := trial{bus: virtio, filesystem: "vfat", model: model.Model}.measure(b, result.ProfileStandard)
			var ns, written int64
			for _, t := range got.doc.Tests {
				ns += t.DurationNS + t.WarmupNS + t.OverheadNS
				if t.Name == result.SeqWrite || t.Name == result.RandWrite {
					written += t.DeviceBytes
				}
			}
			test := got.doc.Test(result.RandWrite)
			is, err := delivered(got.writes, test.WarmupOps)
			if err != nil {
				b.Fatal(err)
			}
			f := test.Figures()
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(is.iops, "IOPS-delivered")
			b.ReportMetric(*f.IOPS, "IOPS-reported")
			if f.IOPSLow != nil {
				b.ReportMetric(100*(*f.IOPSHigh-*f.IOPSLow)/2 / *f.IOPS, "±%")
			}
			b.ReportMetric(float64(ns)/1e9, "s")
			b.ReportMetric(float64(written)/1e6, "MB-written")
			b.ReportMetric(iozoneOps/is.iops, "s-iozone")
			b.ReportMetric(2*iozoneOps*4096/1e6, "MB-iozone")
		})
	}
}

// BenchmarkBesideFio measures 4K random writes with the client and with fio, in turn in one guest on one module.
func BenchmarkBesideFio(b *testing.B) {
	for _, c := range []struct {
		name string
		trial
	}{
		{"USB-100-IOPS", trial{bus: usb, filesystem: "vfat", model: fakecard.Steady(100)}},
		{"virtio-unlimited", trial{bus: virtio, filesystem: "vfat"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			c.programs = []string{"fio"}
			files, _ := c.run(b, `mkdir -p /tmp/results
FLASHDEX_DIR=/tmp/results /flashdex --no-upload /mnt && cp /tmp/results/*.json /out/result.json || exit
fio="/usr/bin/fio --name=f --filename=/mnt/f --size=256M --direct=1 --ioengine=psync --refill_buffers"
$fio --rw=write --bs=1M --end_fsync=1 && $fio --rw=randwrite --bs=4k --sync=dsync --overwrite=1 --runtime=60 --output-format=json --output=/out/fio.json`)
			var doc result.Document
			if err := json.Unmarshal(files["result.json"], &doc); err != nil {
				b.Fatalf("%v\n%s", err, files["said"])
			}
			var said struct {
				Jobs []struct {
					Write struct {
						IOPS float64 `json:"iops"`
					} `json:"write"`
				} `json:"jobs"`
			}
			if err := json.Unmarshal(files["fio.json"], &said); err != nil || len(said.Jobs) != 1 {
				b.Fatalf("fio said %s (%v)\n%s", files["fio.json"], err, files["said"])
			}
			ours, theirs := *doc.Test(result.RandWrite).Figures().IOPS, said.Jobs[0].Write.IOPS
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(ours, "client-IOPS")
			b.ReportMetric(theirs, "fio-IOPS")
			b.ReportMetric(ours/theirs, "client/fio")
		})
	}
}
