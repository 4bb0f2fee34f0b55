package main

import (
	"strings"
	"syscall"
	"testing"

	"flashdex/client/verify"
	"flashdex/result"
	"flashdex/result/sign"
)

// If a twentieth of what was read back is lost, and 2 % of the whole, it is nearly certain. Less of it, much that can't be
// read, and refusals are suspicious; bad blocks are no sign.
func TestSignsOfWhatVerifyFound(t *testing.T) {
	t.Parallel()
	content := func(read, bad int64, state verify.State) verify.Content {
		c := verify.Content{WrittenBytes: 512e3, ReadBytes: read * verify.SectorBytes}
		c.Sectors[state] = bad
		c.Sectors[verify.Good] += read - bad
		return c
	}
	refused := content(1000, 0, verify.Good)
	refused.WriteError = syscall.EIO
	capacity := func(kind verify.Kind, real, lost int64) []sign.Sign {
		return signsOfCapacity(verify.Capacity{Kind: kind, ClaimedBytes: 64e9, RealBytes: real, Blocks: 1000, BadBlocks: 500,
			LostBlocks: lost})
	}
	for name, c := range map[string]struct {
		signs []sign.Sign
		want  string
	}{
		"all came back":       {signsOfContent(content(1000, 0, verify.Good)), "No sign"},
		"changed bits":        {signsOfContent(content(1000, 900, verify.Damaged)), "No sign"},
		"half is lost":        {signsOfContent(content(1000, 500, verify.Blank)), "Almost certainly not what it says it is: of 0.5 MB "},
		"a twentieth is lost": {signsOfContent(content(1000, 50, verify.Elsewhere)), "Almost certainly"},
		"less is lost":        {signsOfContent(content(1000, 49, verify.Blank)), "Suspicious: of 0.5 MB that it took, 25088 "},
		"a block is lost":     {signsOfContent(content(1000, 8, verify.Blank)), "No sign"},
		"some can't be read":  {signsOfContent(content(1000, 49, verify.Unreadable)), "No sign"},
		"half can't be read": {signsOfContent(content(1000, 500, verify.Unreadable)),
			"Suspicious: of 0.5 MB that it took, 0.3 MB could not be read"},
		"stopped at the first bad": {signsOfContent(content(40, 2, verify.Blank)), "Suspicious: "},
		"stopped at three fourths": {signsOfContent(content(750, 250, verify.Blank)), "Almost certainly"},
		"it refused":               {signsOfContent(refused), "Suspicious: after 0.5 MB it refused"},
		"genuine":                  {capacity(verify.Genuine, 64e9, 0), "No sign"},
		"limited":                  {capacity(verify.Limited, 8e9, 500), "Almost certainly"},
		"nearly all is real": {capacity(verify.Limited, 62e9, 30),
			"Suspicious: it claims 64 GB, of which only the first 62 are sure"},
		"shares addresses": {capacity(verify.Chained, 0, 500),
			"Almost certainly not what it says it is: it claims 64 GB, of which only the first 0 are sure"},
		"refuses":              {capacity(verify.Refused, 8e9, 500), "Suspicious: from 8.0 GB on it refuses"},
		"bad blocks":           {capacity(verify.Failing, 8e9, 49), "No sign"},
		"very many bad blocks": {capacity(verify.Failing, 8e9, 50), "Suspicious: 50 of 1000 blocks that were"},
	} {
		if said := weighed(result.Identity{}, c.signs, true); !strings.HasPrefix(said, c.want) {
			t.Errorf("%s: %q, want %q", name, said, c.want)
		}
	}
	// What failed for too long was not looked at.
	said := weighed(result.Identity{}, capacity(verify.Stopped, 64e9, 500), false)
	if said != "No sign, but nothing was seen that could show one." {
		t.Errorf("stopped: %q", said)
	}
}
