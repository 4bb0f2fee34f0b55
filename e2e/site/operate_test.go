package site_test

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"flashdex/api/store"

	"github.com/jackc/pgx/v5"
)

var shots = flag.String("shots", "", "keep the screenshots of the pages of operators in this folder")

// TestOperatorsWorkWithoutJavaScript walks through the pages of operators and an objection in a browser.
func TestOperatorsWorkWithoutJavaScript(t *testing.T) {
	s := serve(t, build(t))
	for _, secret := range []string{"0b", "0c"} {
		s.upload(t, filepath.Join(root, "result/testdata/valid/sd-card.json"), strings.Repeat(secret, 32))
	}
	db, err := store.Open(t.Context(), s.database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
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
		where client not like 'dd%'`); err != nil {
		t.Fatal(err)
	}
	dir := *shots
	if dir == "" {
		dir = t.TempDir()
	}
	last := s.results[len(s.results)-1]
	output, err := exec.Command("node", "operate.mjs", s.URL, hex.EncodeToString(token[:]), last, dir).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, output)
	}
}
