// Package site holds what the server's own pages share with the Hugo project around it.
package site

import (
	"embed"
	"io/fs"
)

//go:embed layouts/_partials/shared/*.html
var files embed.FS

// Partials returns the shared partials by their names for Hugo, such as "shared/cell.html".
func Partials() fs.FS {
	partials, err := fs.Sub(files, "layouts/_partials")
	if err != nil {
		panic(err) // the path is valid
	}
	return partials
}
