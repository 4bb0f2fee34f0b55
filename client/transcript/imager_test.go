package transcript_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"flashdex/client/transcript"
	"flashdex/result"
)

// imagerExport is an export as PerformanceStats of Raspberry Pi Imager writes it (version 3), of an image of 1 GiB
// whose first half was written twice as fast, with everything that could tell whose computer it was.
func imagerExport(device string) string {
	second := func(from, kbPerS int) string {
		return fmt.Sprintf("[%d, %d, %d, %d, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0]", from, kbPerS-900, kbPerS+900, kbPerS)
	}
	var write, verify []string
	for i := range 30 {
		write = append(write, second(250+i*1000, map[bool]int{true: 46000, false: 23000}[i < 15]))
	}
	for i := range 12 {
		verify = append(verify, second(40000+i*1000, 87000))
	}
	return `{
    "events": [{"type": "driveOpen", "startMs": 150, "durationMs": 234, "success": true, "metadata": "` + device + `"},
        {"type": "customisation", "startMs": 1, "durationMs": 2, "success": true, "metadata": "hostname: alices-pi"}],
    "exportTime": "2025-12-11T11:23:33",
    "histograms": {"download": [], "write": [` + strings.Join(write, ", ") + `],
        "verify": [` + strings.Join(verify, ", ") + `]},
    "schema": {"histogramWindowMs": 1000, "throughputUnit": "KB/s"},
    "summary": {
        "imageName": "secret of alice", "deviceName": "` + device + `", "imageSize": 1073741824,
        "sessionState": "succeeded",
        "phases": {
            "write": {"sampleCount": 300, "bytesTotal": 1073741824, "durationMs": 30000},
            "verify": {"sampleCount": 120, "bytesTotal": 1073741824, "durationMs": 12000}
        }
    },
    "system": {
        "imager": {"version": "2.0.6",
            "binarySha256": "5da77e33b60407a0861bd90a0ab2822214f18d3e0e66ad98fbe2674743dd81b1"},
        "platform": {"os": "linux", "cpuArchitecture": "arm64"},
        "targetDevice": {"path": "` + device + `", "description": "secret of alice", "sizeBytes": 31914983424},
        "writeConfig": {"directIOEnabled": true, "periodicSyncEnabled": true, "buffers": {"writeBufferBytes": 8388608}}
    },
    "version": 3
}
`
}

// Windows, macOS and Linux name devices in their own ways. No name, path or hash passes.
func TestAnExportOfImagerGivesRatesSecondBySecondAndNamesNothing(t *testing.T) {
	t.Parallel()
	for _, device := range []string{`\\\\.\\PhysicalDrive2`, "/dev/rdisk4", "/dev/mmcblk0"} {
		read, err := transcript.Read(imagerExport(device), nil)
		if err != nil || len(read.Outputs) != 1 || len(read.Outputs[0].Tests) != 2 {
			t.Fatalf("%v: %q", err, shown(read, err))
		}
		out := read.Outputs[0]
		write := &out.Tests[0]
		first, last := write.Intervals[0], write.Intervals[29]
		if n := len(write.Intervals); n != 30 || write.Bytes != 1<<30 || !write.Direct || write.Name != result.SeqWrite ||
			first.NS != 1e9 || first.Bytes < last.Bytes*5/3 || first.Bytes > last.Bytes*3 {
			t.Errorf("%d seconds, the first %+v, the last %+v, of %+v", n, first, last, write)
		}
		data, err := json.Marshal(read)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"alice", "PhysicalDrive", "rdisk", "mmcblk", "5da77e33"} {
			if strings.Contains(string(data), name) {
				t.Errorf("%q passed: %s", name, data)
			}
		}
		if out.ToolVersion != "2.0.6" || out.MeasuredOn != "2025-12-11" {
			t.Errorf("version %q, measured on %q", out.ToolVersion, out.MeasuredOn)
		}
	}
}

func TestAnExportOfImagerThatCanNotBeTrustedIsRefused(t *testing.T) {
	t.Parallel()
	whole := imagerExport("/dev/sda")
	for says, text := range map[string]string{
		"not whole":         whole[:len(whole)/2],
		"version 2":         strings.Replace(whole, `"version": 3`, `"version": 2`, 1),
		"not in KB/s":       strings.Replace(whole, `"KB/s"`, `"MB/s"`, 1),
		"without its bytes": strings.ReplaceAll(whole, `"bytesTotal": 1073741824`, `"bytesTotal": 0`),
		"second by second":  strings.ReplaceAll(whole, `[1250, `, `[250, `),
		"did not succeed":   strings.Replace(whole, "succeeded", "cancelled", 1),
		"seq-write without": strings.ReplaceAll(whole, `"durationMs": 30000`, `"durationMs": 99999999999999999`),
	} {
		if got := strings.Join(shown(transcript.Read(text, nil)), "\n"); !strings.Contains(got, says) {
			t.Errorf("want %q in:\n%s", says, got)
		}
	}
}
