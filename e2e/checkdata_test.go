package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// checkData runs make check-data with one more row at the end of a file of data/. The file itself stays as it is.
func checkData(t *testing.T, name, row string) (said string, err error) {
	t.Helper()
	file, err := filepath.Abs(filepath.Join(root, "data", name))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	longer, overlay := filepath.Join(dir, "longer.csv"), filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{file: longer}})
	if err != nil {
		t.Fatal(err)
	}
	for path, content := range map[string][]byte{longer: append(text, row+"\n"...), overlay: replace} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check := exec.Command("make", "check-data")
	check.Dir = root
	check.Env = append(os.Environ(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+overlay))
	output, err := check.CombinedOutput()
	return string(output), err
}

// A person who adds a row to data/ has to edit nothing else.
func TestARowMoreIsInOrder(t *testing.T) {
	t.Parallel()
	const file, row = "published/joyousjohn_sdbench.csv", `joyousjohn_sdbench,Samsung,EVO+,64,microsd,V10 U1 C10,,` +
		`"H2testw, final average",,,seq_read,84.9,MB/s,2023-06-05,average over the capacity that could be tested`
	if said, err := checkData(t, file, row); err != nil || said != "flashdex: data/ is in order\n" {
		t.Errorf("%v: %s", err, said)
	}
	said, err := checkData(t, file, strings.Replace(row, "microsd", "mikrosd", 1))
	if err == nil || !strings.Contains(said, `: form_factor "mikrosd" is not one of `) {
		t.Errorf("%v: %s", err, said)
	}
}
