// Package static determines the headers of the site's files, wherever they are served from.
package static

import (
	"path"
	"regexp"
)

// contentTypes are fixed and not looked up, because the lists of two machines differ.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".json": "application/json", ".csv": "text/csv; charset=utf-8", ".md": "text/markdown; charset=utf-8",
	".txt": "text/plain; charset=utf-8", ".xml": "text/xml; charset=utf-8", ".svg": "image/svg+xml", ".png": "image/png",
	".ico": "image/x-icon", ".sh": "text/x-shellscript; charset=utf-8", ".cff": "text/plain; charset=utf-8",
	".parquet": "application/vnd.apache.parquet", ".sqlite": "application/vnd.sqlite3", ".gz": "application/gzip",
	".zst": "application/zstd",
}

// ContentType returns the media type of a file by its name.
func ContentType(name string) string {
	if known := contentTypes[path.Ext(name)]; known != "" {
		return known
	}
	if base := path.Base(name); base == "SHA256SUMS" || base == "LICENSE" {
		return contentTypes[".txt"]
	}
	return "application/octet-stream"
}

var reFingerprinted = regexp.MustCompile(`\.[0-9a-f]{32,128}\.[a-z0-9]+$`)

// Fingerprinted reports whether a file's name contains the hash of its contents, so that it may be cached for ever.
func Fingerprinted(name string) bool { return reFingerprinted.MatchString(name) }

// Forever is the Cache-Control of a fingerprinted file.
const Forever = "public, max-age=31536000, immutable"
