// Package openapi holds the description of the API, by OpenAPI 3.1. It is written by hand; a test of package rest holds every
// answer that any test gets to it.
package openapi

import _ "embed" // the document

// Document is the description, as served at /openapi.json and as the site's reference page is made from.
//
//go:embed openapi.json
var Document []byte
