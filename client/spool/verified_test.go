package spool_test

import (
	"os"
	"path/filepath"
	"testing"

	"flashdex/client/spool"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

func TestVerifiedIsKept(t *testing.T) {
	t.Parallel()
	s := spool.Spool{Dir: t.TempDir()}
	const tag, other = "00112233445566778899aabbccddeeff", "ffeeddccbbaa99887766554433221100"
	first := result.Verified{ClaimedBytes: 1000, FoundBytes: 1000, On: "2026-11-20"}
	then := result.Verified{ClaimedBytes: 1000, FoundBytes: 96, On: "2026-11-21"}
	if got := s.Verified(tag, 1000); got != nil {
		t.Errorf("found %+v in an empty spool", got)
	}
	for _, want := range []result.Verified{first, then} {
		if err := s.KeepVerified(tag, want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&want, s.Verified(tag, 1000)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	for name, got := range map[string]*result.Verified{
		"another unit": s.Verified(other, 1000), "no unit": s.Verified("", 1000),
		"a unit of another size": s.Verified(tag, 1001),
	} {
		if got != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
	// It is no result: neither listed nor uploaded.
	if all, err := s.All(); len(all) > 0 || err != nil {
		t.Errorf("%+v, %v", all, err)
	}
	if pending, err := s.Pending(); len(pending) > 0 || err != nil {
		t.Errorf("%v, %v", pending, err)
	}
	left, err := filepath.Glob(filepath.Join(s.Dir, "*"))
	if err != nil || len(left) != 1 {
		t.Fatalf("%v, %v", left, err)
	}
	if info, err := os.Stat(left[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	for _, spoiled := range []string{
		"", "{", `{"claimed_bytes": 1000, "found_bytes": 1001, "on": "2026-11-20"}`,
		`{"claimed_bytes": 1000, "found_bytes": -1, "on": "2026-11-20"}`,
		`{"claimed_bytes": 1000, "found_bytes": 96, "on": "yesterday"}`, `{"claimed_bytes": 1000, "found_bytes": 96}`,
	} {
		if err := os.WriteFile(left[0], []byte(spoiled), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := s.Verified(tag, 1000); got != nil {
			t.Errorf("%s: %+v", spoiled, got)
		}
	}
}

func TestVerifiedThatCannotBeKept(t *testing.T) {
	t.Parallel()
	s := spool.Spool{Dir: filepath.Join(t.TempDir(), "gone")}
	if err := s.KeepVerified("00112233445566778899aabbccddeeff",
		result.Verified{ClaimedBytes: 1, On: "2026-11-20"}); err == nil {
		t.Error("kept nowhere")
	}
}
