package spool

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

const watchedSuffix = ".watched" // the user's yes to uploads of a unit's results, after the unit's tag

type consent struct {
	Site string `json:"site"`
}

// KeepConsent keeps the user's consent to upload all of a unit's results that watch measures to a site.
func (s Spool) KeepConsent(tag, site string) error {
	data, _ := json.Marshal(consent{site}) // a string can't fail
	return put(filepath.Join(s.Dir, tag+watchedSuffix), append(data, '\n'))
}

// Consent returns the site that the user agreed to; "" is none.
func (s Spool) Consent(tag string) string {
	var kept consent
	if tag == "" || !readJSON(filepath.Join(s.Dir, tag+watchedSuffix), &kept) {
		return ""
	}
	return kept.Site
}

// ForgetConsent takes the user's yes back.
func (s Spool) ForgetConsent(tag string) error {
	return s.forget(tag + watchedSuffix)
}

// forget removes a file, if it is there, so that it stays removed.
func (s Spool) forget(name string) error {
	err := os.Remove(filepath.Join(s.Dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return errors.Join(err, syncDir(s.Dir))
}
