package dataset

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheDataSetAndThePagesKeepTextFromBecomingAFormulaTheSameWay(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node, which runs the script of the pages")
	}
	texts := []string{
		"", "=1+1", "+1", "-1", "@sum", "\tx", "\rx", "'=1", "＝1", "＋1", "－1", "＠x", "a=1", " =1", `="a","b"`, "5",
		"\"=1\"", "Ünï",
	}
	given, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	script := `import { csv } from "../../site/assets/js/take.js";
process.stdout.write(csv(JSON.parse(process.argv[1]).map((text) => [text, -1])));`
	pages, err := exec.CommandContext(t.Context(), node, "--input-type=module", "--no-warnings", "-e", script,
		string(given)).Output()
	if err != nil {
		t.Fatal(err)
	}
	var written bytes.Buffer
	for _, text := range texts {
		written.Write(appendText(nil, text, true))
		written.WriteString(",-1\r\n")
	}
	read := func(file []byte) [][]string {
		rows, err := csv.NewReader(bytes.NewReader(file)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	if diff := cmp.Diff(read(written.Bytes()), read(pages)); diff != "" {
		t.Errorf("the data set and a page (-data set +page):\n%s", diff)
	}
	for i, row := range read(pages) {
		if text, guarded := strings.CutPrefix(row[0], "'"); guarded != LooksLikeFormula(texts[i]) || text != texts[i] ||
			row[1] != "-1" {
			t.Errorf("%q is written as %q", texts[i], row)
		}
	}
}
