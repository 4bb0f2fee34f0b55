package publish

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write the site's fixture of what is declared here")

// The columns are declared here once; the fixture that the site is developed with holds a copy.
func TestFixtureHasTheseColumns(t *testing.T) {
	t.Parallel()
	const fixture = "../../site/fixture/columns.json"
	want, err := json.MarshalIndent(columns, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *update {
		if err := os.WriteFile(fixture, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(fixture); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not what columns.go declares (%v): run go test ./api/publish -run FixtureHasTheseColumns -update", fixture, err)
	}
}
