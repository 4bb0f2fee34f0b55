package catalogue

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"strings"
)

// rules is the source of this package, which decides how the tables name a module.
//
//go:embed *.go
var rules embed.FS

// Version differs between catalogues that may name modules differently. It is a hash of the tables that names are made
// from and of this package's source. So nobody has to remember to raise it, but even a changed comment changes it.
func (c *Catalogue) Version() string { return c.version }

func versionOf(fsys fs.FS) (string, error) {
	hash := sha256.New()
	for _, of := range []struct {
		fsys     fs.FS
		patterns []string
	}{
		{fsys, []string{"modules/*.json", "part_numbers.csv", "one_form_lines.csv", "printed_rates.csv",
			"manufacturer_ids.csv", "usb_ids.csv"}},
		{rules, []string{"*.go"}},
	} {
		for _, pattern := range of.patterns {
			names, err := fs.Glob(of.fsys, pattern)
			if err != nil {
				return "", err
			}
			for _, name := range names {
				if strings.HasSuffix(name, "_test.go") {
					continue
				}
				text, err := fs.ReadFile(of.fsys, name)
				if err != nil {
					return "", err
				}
				sum := sha256.Sum256(text) // hashed, so that text moved from one file to the next doesn't go unseen
				hash.Write(sum[:])
			}
		}
	}
	return hex.EncodeToString(hash.Sum(nil)[:8]), nil
}
