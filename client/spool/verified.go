package spool

import (
	"encoding/json"
	"path/filepath"
	"time"

	"flashdex/result"
)

// verifiedSuffix ends the name of what verify found on a unit, after the unit's tag. It is no result.
const verifiedSuffix = ".verified"

// KeepVerified keeps what verify found on the unit with a tag, in place of what it found before.
func (s Spool) KeepVerified(tag string, found result.Verified) error {
	data, err := json.Marshal(found)
	if err != nil {
		return err
	}
	return put(filepath.Join(s.Dir, tag+verifiedSuffix), append(data, '\n'))
}

// Verified returns what verify found on the unit with a tag, or nil if that is not known, or not of a unit that claims so
// many bytes.
func (s Spool) Verified(tag string, claimedBytes int64) *result.Verified {
	var found result.Verified
	if tag == "" || !readJSON(filepath.Join(s.Dir, tag+verifiedSuffix), &found) || found.ClaimedBytes != claimedBytes {
		return nil
	}
	// Somebody may have edited the file, and a site refuses a whole document for it.
	if _, err := time.Parse(time.DateOnly, found.On); err != nil || found.FoundBytes < 0 || found.FoundBytes > claimedBytes {
		return nil
	}
	return &found
}
