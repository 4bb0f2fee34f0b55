package main

import (
	"strings"
	"syscall"
	"testing"

	"flashdex/client/verify"
	"flashdex/result/sign"
)

// Lost data are a nearly certain sign, if they are more than bad blocks. Refusals are suspicious. Bad blocks are no
// sign.
func TestSignsOfWhatVerifyFound(t *testing.T) {
	t.Parallel()
	content := func(blank, bad int64) verify.Content {
		c := verify.Content{WrittenBytes: 512e3, ReadBytes: 512e3, FirstBad: 0}
		c.Sectors[verify.Good], c.Sectors[verify.Blank], c.Sectors[verify.Damaged] = 1000-blank-bad, blank, bad
		return c
	}
	refused := content(0, 0)
	refused.WriteError = syscall.EIO
	capacity := func(kind verify.Kind, real int64) []sign.Sign {
		return signsOfCapacity(verify.Capacity{Kind: kind, ClaimedBytes: 64e9, RealBytes: real})
	}
	for name, c := range map[string]struct {
		signs []sign.Sign
		want  string
	}{
		"all came back":    {signsOfContent(content(0, 0)), "No sign"},
		"changed bits":     {signsOfContent(content(0, 900)), "No sign"},
		"half is lost":     {signsOfContent(content(500, 0)), "Almost certainly not what it says it is: of 0.5 MB that it took"},
		"a block is lost":  {signsOfContent(content(8, 0)), "Suspicious: of 0.5 MB"},
		"it refused":       {signsOfContent(refused), "Suspicious: after 0.5 MB it refused"},
		"genuine":          {capacity(verify.Genuine, 64e9), "No sign"},
		"limited":          {capacity(verify.Limited, 8e9), "Almost certainly"},
		"shares addresses": {capacity(verify.Chained, 0), "Almost certainly"},
		"refuses":          {capacity(verify.Refused, 8e9), "Suspicious: from 8.0 GB on it refuses"},
		"fails slowly":     {capacity(verify.Stopped, 64e9), "No sign"},
		"bad blocks":       {capacity(verify.Failing, 8e9), "No sign"},
	} {
		if said := sign.Sentence(c.signs, true); !strings.HasPrefix(said, c.want) {
			t.Errorf("%s: %q, want %q", name, said, c.want)
		}
	}
}
