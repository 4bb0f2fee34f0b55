package site_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/store"
	"flashdex/data"
	"flashdex/e2e/need"
	"flashdex/result"

	"github.com/jackc/pgx/v5"
)

var shots = flag.String("shots", "", "keep screenshots of the pages of operators and of a fresh start in this folder")

// TestOperatorsWorkWithoutJavaScript walks through the pages of operators and an objection in a browser.
func TestOperatorsWorkWithoutJavaScript(t *testing.T) {
	need.Browser(t, root)
	s := serve(t, build(t))
	example := filepath.Join(root, "result/testdata/valid/sd-card.json")
	module := result.Module{Vendor: "SanDisk", Product: "Ultra", CapacityGB: 32, Form: "microsd"} // there are two such
	s.upload(t, typed(t, example, module), strings.Repeat("0d", 32))
	either := s.results[len(s.results)-1]
	for _, module.Vendor = range []string{"Nobody", "Somebody"} { // modules that then wait to be listed
		s.upload(t, typed(t, example, module), strings.Repeat("0d", 32))
	}
	for _, secret := range []string{"0b", "0c"} {
		s.upload(t, example, strings.Repeat(secret, 32))
	}
	db, err := store.Open(t.Context(), s.database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	modules, err := catalogue.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.ImportCatalogue(t.Context(), modules.Modules, modules.Published); err != nil {
		t.Fatal(err)
	}
	if _, _, err := db.Fold(t.Context()); err != nil { // then modules wait to be listed
		t.Fatal(err)
	}
	token := sha256.Sum256([]byte("carol"))
	if err := db.AddOperator(t.Context(), "carol", token); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), s.database)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), `update submission set state = 'quarantined', state_rule = 'bus-ceiling',
		state_reason = 'The linear read was faster (96 MB/s) than the bus of its host carries (50 MB/s).'
		where client not like 'dd%' and id <> $1`, either); err != nil {
		t.Fatal(err)
	}
	dir := *shots
	if dir == "" {
		dir = t.TempDir()
	}
	last := s.results[len(s.results)-1]
	output, err := exec.Command("node", "operate.mjs", s.URL, hex.EncodeToString(token[:]), last, either,
		dir).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}

// typed makes a result from an example. Only the typed name tells which module it is of.
func typed(t *testing.T, example string, module result.Module) (file string) {
	t.Helper()
	text, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	var doc result.Document
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	doc.Module, doc.Identity.Bus, doc.Identity.SD, doc.Host.BusMode, doc.Host.BusClockHz = module, "usb", nil, "", 0
	if text, err = json.Marshal(doc); err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "typed.json")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}
