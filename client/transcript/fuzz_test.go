package transcript_test

import (
	"os"
	"testing"
	"unicode/utf8"

	"flashdex/client/transcript"
	"flashdex/result"
)

// FuzzRead checks that Read never panics, and that its tests fit into a document that does not contradict itself.
func FuzzRead(f *testing.F) {
	for _, file := range outputs(f) {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data), false)
		f.Add(string(data), true)
	}
	all := map[string]string{"test": result.SeqWrite, "block-size": "4096", "direct": "no", "sync": "none", "unit": "ops"}
	f.Fuzz(func(t *testing.T, text string, told bool) {
		var facts map[string]string
		if told {
			facts = all
		}
		read, err := transcript.Read(text, facts)
		if err != nil {
			return
		}
		for _, out := range read.Outputs {
			doc := result.Document{Method: result.MethodOfImport(out.Tool), Profile: result.ProfileImported,
				Imported: &out.Imported, Tests: out.Tests}
			if problems := doc.Check(); len(problems) > 0 {
				t.Fatalf("%v", problems)
			}
			for i := range out.Tests {
				figures := out.Tests[i].Figures()
				if !(figures.MBPerS > 0) || out.Tests[i].Bytes <= 0 || len(out.Tests[i].Intervals) > 4000 {
					t.Fatalf("%+v", out.Tests[i])
				}
			}
			if !utf8.ValidString(out.Options) || len(out.Options) > 400 || len(out.Tests) > 96 {
				t.Fatalf("%d options, %d tests", len(out.Options), len(out.Tests))
			}
		}
	})
}
