package guest

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"flashdex/e2e/guest/fakecard"
	"flashdex/result"
	"flashdex/result/schema"
)

// BenchmarkStandardProfile reports what the standard profile takes on a slow, a middling and a fast card, beside what
// iozone needs that writes each of 131,072 blocks of 4 KiB once in a line and once at random: as many operations as
// the module delivers in a second were delivered to the client.
func BenchmarkStandardProfile(b *testing.B) {
	for _, model := range []struct {
		name string
		fakecard.Model
	}{
		{"1-IOPS", fakecard.Steady(1)},
		{"20-IOPS", fakecard.Steady(20)},
		// QEMU itself takes more than half a millisecond for an operation.
		{"up-to-1000-IOPS", fakecard.Steady(2500)},
	} {
		b.Run(model.name, func(b *testing.B) {
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
	const rounds = 3
	for _, c := range []struct {
		name string
		trial
	}{
		{"USB-100-IOPS", trial{bus: usb, filesystem: "ext4", model: fakecard.Steady(100)}},
		{"virtio-unlimited", trial{bus: virtio, filesystem: "ext4"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			c.programs = []string{"fio"}
			files, _ := c.run(b, `fio="fio --name=f --filename=/mnt/f --size=64M --direct=1 --ioengine=psync --refill_buffers"
$fio --rw=write --bs=1M --end_fsync=1 || exit
for round in 1 2 3; do
	FLASHDEX_DIR=/tmp/$round /flashdex --profile quick --no-upload /mnt && cp /tmp/$round/*.json /out/client.$round || exit
	$fio --rw=randwrite --bs=4k --sync=dsync --overwrite=1 --runtime=20 --output-format=json --output=/out/fio.$round || exit
done`)
			succeeded(b, files)
			var ours, theirs []float64
			for round := range rounds {
				doc, err := schema.Read(files[fmt.Sprintf("client.%d", round+1)])
				if err != nil {
					b.Fatal(err)
				}
				ours = append(ours, *doc.Test(result.RandWrite).Figures().IOPS)
				theirs = append(theirs, fioIOPS(b, files[fmt.Sprintf("fio.%d", round+1)]))
			}
			slices.Sort(ours)
			slices.Sort(theirs)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(ours[rounds/2], "client-IOPS")
			b.ReportMetric(theirs[rounds/2], "fio-IOPS")
			b.ReportMetric(ours[rounds/2]/theirs[rounds/2], "client/fio")
		})
	}
}

// fioIOPS is operations over the sum of their latencies, as the client has it: what fio does between two of them, with a
// processor that is emulated, is not the module's time.
func fioIOPS(b *testing.B, output []byte) float64 {
	var said struct {
		Jobs []struct {
			Write struct {
				Latency struct {
					MeanNS float64 `json:"mean"`
				} `json:"lat_ns"`
			} `json:"write"`
		} `json:"jobs"`
	}
	if err := json.Unmarshal(output, &said); err != nil || len(said.Jobs) != 1 || said.Jobs[0].Write.Latency.MeanNS == 0 {
		b.Fatalf("fio said %s (%v)", output, err)
	}
	return 1e9 / said.Jobs[0].Write.Latency.MeanNS
}
