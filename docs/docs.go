// Package docs holds the text that the site shows too, so that both are one.
package docs

import _ "embed"

// Method is docs/method.md: every test, formula and caveat, with its source.
//
//go:embed method.md
var Method []byte
