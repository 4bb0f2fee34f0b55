// Package docs holds the documents that the server and the site show too.
package docs

import _ "embed" // the documents

// Method is docs/method.md: every test, formula and caveat, with its source.
//
//go:embed method.md
var Method []byte

// OpenAPI describes the API by OpenAPI 3.1. It is written by hand. Tests of package rest compare it with every answer
// that they get.
//
//go:embed openapi.json
var OpenAPI []byte
