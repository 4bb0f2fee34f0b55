package guest

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"flashdex/result"
	"flashdex/result/schema"
)

// fioBoundPercent is the largest difference between the client and fio.
const fioBoundPercent = 2

// fioHeading is the heading of the printed table.
const fioHeading = "module           | turn | client | delivered | fio    | delivered | client/fio | " +
	"the same, by the delivered rates"

// TestClientAgreesWithFio measures 4K random writes with fio and the client in turn, in one guest on one module, at a
// rate that the module limits and not the processor. Other work on the host makes one turn slower than the next. So the
// test first divides each figure by the rate that the module delivered in that turn.
func TestClientAgreesWithFio(t *testing.T) {
	if !*long {
		t.Skip("takes minutes: make test-long")
	}
	t.Parallel()
	var tb table
	t.Run("guests", func(t *testing.T) {
		for _, b := range []bus{sd, usb, virtio} {
			for _, iops := range []float64{20, 100} {
				t.Run(fmt.Sprintf("%s, %g IOPS", b.name, iops), func(t *testing.T) {
					t.Parallel()
					trial{bus: b, filesystem: "ext4", model: steadyCard(iops), programs: []string{"fio"}}.compareWithFio(t, &tb)
				})
			}
		}
	})
	t.Logf("\n%s\n%s", fioHeading, strings.Join(tb.lines, "\n"))
}

func (tr trial) compareWithFio(t *testing.T, tb *table) {
	const turns = 2
	files, writes := tr.run(t, `
fio="fio --name=f --filename=/mnt/f --size=64M --direct=1 --ioengine=psync --refill_buffers"
$fio --rw=write --bs=1M --end_fsync=1 || exit
for turn in 1 2; do
	$fio --rw=randwrite --bs=4k --sync=dsync --overwrite=1 --runtime=20 \
		--output-format=json --output=/out/fio.$turn || exit
	FLASHDEX_DIR=/tmp/$turn /flashdex --profile quick --no-upload /mnt && cp /tmp/$turn/*.json /out/client.$turn || exit
done`)
	succeeded(t, files)
	parts := byLinearPasses(writes)
	if len(parts) != turns+1 {
		t.Fatalf("the module's log shows %d linear passes, want %d", len(parts), turns+1)
	}
	ofFio, _ := linear(parts[0])
	sum := 0.0
	for turn := range turns {
		doc, err := schema.Read(files[fmt.Sprintf("client.%d", turn+1)])
		if err != nil {
			t.Fatal(err)
		}
		test := doc.Test(result.RandWrite)
		ours, theirs := *test.Figures().IOPS, fioIOPS(t, files[fmt.Sprintf("fio.%d", turn+1)])
		oursIs, err := delivered(parts[turn+1], test.WarmupOps)
		if err != nil {
			t.Fatal(err)
		}
		_, end := linear(parts[turn])
		theirsIs, err := deliveredTo(ofFio, parts[turn][end:], 1)
		if err != nil {
			t.Fatal(err)
		}
		ratio := ours / oursIs.iops / (theirs / theirsIs.iops)
		sum += ratio
		tb.add("%-16s | %4d | %6.2f | %9.2f | %6.2f | %9.2f | %10.4f | %.4f", caseName(t), turn+1,
			ours, oursIs.iops, theirs, theirsIs.iops, ours/theirs, ratio)
	}
	if percent := 100 * (sum/turns - 1); math.Abs(percent) > fioBoundPercent {
		t.Errorf("the client differs from fio by %+.1f %%, want at most %d %%", percent, fioBoundPercent)
	}
}

// byLinearPasses cuts a log where a linear pass begins after random writes.
func byLinearPasses(writes []cardWrite) (parts [][]cardWrite) {
	const several = 20
	start, run, random := 0, 0, 0
	for i, w := range writes {
		if run++; !w.Sequential {
			run = 1
			random++
		}
		if run != stretch {
			continue
		}
		if begin := i + 1 - run; random > several && begin > 0 {
			parts = append(parts, writes[start:begin])
			start = begin
		}
		random = 0
	}
	return append(parts, writes[start:])
}

// fioIOPS returns operations over the sum of their latencies, like the client. fio's own time between two operations,
// on an emulated processor, is not the module's time.
func fioIOPS(t *testing.T, output []byte) float64 {
	t.Helper()
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
		t.Fatalf("fio said %s (%v)", output, err)
	}
	return 1e9 / said.Jobs[0].Write.Latency.MeanNS
}
