// Package site holds what the server needs of the site's templates.
package site

import _ "embed"

// Chart is the template of one chart, of what package api/chart computes, by the keys of its JSON.
//
//go:embed layouts/_partials/chart.html
var Chart string
