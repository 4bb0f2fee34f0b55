package plausible_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"flashdex/api/submission/plausible"
	"flashdex/client/transcript"
	"flashdex/result"
	"flashdex/result/schema"
)

// Results of other tools' real outputs fit the schema. The only findings are rates that no card's bus carries: of
// solid-state disks, loop devices and page caches.
func TestRealOutputsOfOtherToolsArePlausible(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../client/transcript/testdata/*")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	told := map[string]string{"direct": "yes", "sync": "none", "test": "seq-write", "unit": "kb", "block-size": "512"}
	tools := map[string]int{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil || filepath.Ext(file) == ".md" || filepath.Ext(file) == ".golden" {
			continue
		}
		facts := map[string]string{}
		got, err := transcript.Read(string(content), facts)
		for {
			missing, ok := errors.AsType[*transcript.MissingError](err)
			if !ok {
				break
			}
			for _, fact := range missing.Facts {
				if facts[fact] = told[fact]; facts[fact] == "" {
					t.Fatalf("%s asks for %s, and nobody tells", file, fact)
				}
			}
			got, err = transcript.Read(string(content), facts)
		}
		for i := range got.Outputs {
			out := &got.Outputs[i]
			tools[out.Tool]++
			doc := read(t, "../../../result/testdata/valid/imported-fio.json")
			doc.Module.Form, doc.Module.CapacityGB = "usb", 8000
			doc.Method, doc.Tests, doc.Imported = result.MethodOfImport(out.Tool), out.Tests, &out.Imported
			data, err := json.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := schema.Read(data); err != nil {
				t.Errorf("%s: %v", file, err)
			}
			for _, finding := range plausible.Check(doc) {
				if !slices.Contains([]string{"imported-rate", "bus-ceiling", "bus-impossible",
					"latency-floor"}, finding.Rule) {
					t.Errorf("%s, %s: %s: %s", file, out.Tool, finding.Rule, finding.Reason)
				} else if finding.Rule == "latency-floor" && strings.HasSuffix(file, "fio-plus.json") {
					continue // the disk behind it is faster than a stick's bus
				} else if !strings.Contains(file, "iozone-") && !strings.Contains(file, "diskmark-") {
					t.Errorf("%s, %s: %s: %s", file, out.Tool, finding.Rule, finding.Reason)
				}
			}
		}
	}
	if len(tools) < 12 {
		t.Errorf("outputs of %v only", tools)
	}
	t.Log(tools)
}
