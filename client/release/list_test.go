package release_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"flashdex/client/release"
)

func TestTheListTellsWhatIsThereAndWhatIsToCome(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if programs, err := release.Programs(dir); err != nil || programs != nil {
		t.Errorf("without a list: %v, %v", programs, err)
	}
	for text, want := range map[string][]release.Program{
		"# release 7\n5ca1ab1e  flashdex-linux-arm64\n# to come flashdex-linux-mips\n": {
			{"flashdex-linux-arm64", "5ca1ab1e"}, {"flashdex-linux-mips", ""}},
		"": nil, "5ca1ab1e\n": nil,
	} {
		if err := os.WriteFile(filepath.Join(dir, release.List), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		programs, err := release.Programs(dir)
		if !slices.Equal(programs, want) || (err != nil) != (text == "5ca1ab1e\n") {
			t.Errorf("%q: %v, %v", text, programs, err)
		}
	}
}
