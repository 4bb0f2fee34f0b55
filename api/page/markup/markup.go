// Package markup writes HTML of which there is too much for a template: the cells of large tables, the lines of charts.
package markup

import (
	"fmt"
	"html/template"
)

// HTML is finished. It is put into pages as it is.
type HTML = template.HTML

// Format is HTML with verbs of package fmt for values in text and in quoted attributes. Constants become one by themselves; text from
// elsewhere doesn't.
type Format string

// Append adds format to page. Numbers and HTML stand in it as they are, everything else escaped.
func Append(page []byte, format Format, values ...any) []byte {
	for i, value := range values {
		switch value := value.(type) {
		case int, int64, float64, HTML:
		case string:
			values[i] = template.HTMLEscapeString(value)
		default:
			values[i] = template.HTMLEscapeString(fmt.Sprint(value))
		}
	}
	return fmt.Appendf(page, string(format), values...)
}
