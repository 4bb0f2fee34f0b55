// Package data embeds the published measurements, the module catalogue and the reference tables, so that a binary
// carries what it imports. Package catalogue reads it; README.md says what each file holds.
package data

import "embed"

// FS holds the data files under the names they have in this folder.
//
//go:embed *.csv *.json modules published
var FS embed.FS
