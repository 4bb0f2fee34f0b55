package guest

import (
	"testing"

	"flashdex/result"
)

// BenchmarkStandardProfile reports the cost of the standard profile on a slow, a middling and a fast card. For
// comparison, it reports how long iozone needs to write each of 131,072 blocks of 4 KiB once in a line and once at
// random. It takes the rate that the module delivered to the client.
func BenchmarkStandardProfile(b *testing.B) {
	for _, model := range []struct {
		name string
		cardModel
	}{
		{"1-IOPS", steadyCard(1)},
		{"20-IOPS", steadyCard(20)},
		// QEMU itself takes more than half a millisecond for an operation.
		{"up-to-1000-IOPS", steadyCard(2500)},
	} {
		b.Run(model.name, func(b *testing.B) {
			const iozoneOps = 131072
			got := trial{bus: virtio, filesystem: "vfat", model: model.cardModel}.measure(b, result.ProfileStandard)
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
