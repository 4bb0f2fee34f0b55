// Package data embeds the published measurements, the catalogue of modules and the reference tables into the binary.
// Package catalogue reads them. README.md describes each file.
package data

import "embed"

// FS holds the data files under the names they have in this folder.
//
//go:embed *.csv *.json modules published
var FS embed.FS
