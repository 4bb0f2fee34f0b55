package main

import (
	"encoding/json"
	"io"

	"flashdex/client/spool"
	"flashdex/result"
)

// printJSON prints the kept result at path, the verdict on it, the site's receipt if it was uploaded, and how it stands
// then if that is known, as one JSON object in a line.
func printJSON(w io.Writer, path string, doc *result.Document, data []byte, standing *spool.Standing) error {
	return json.NewEncoder(w).Encode(struct {
		Result    json.RawMessage `json:"result"`
		Clean     bool            `json:"clean"`
		NotRanked []string        `json:"not_ranked"` // reasons in words; empty: ranked
		Receipt   *spool.Receipt  `json:"receipt,omitempty"`
		Standing  *spool.Standing `json:"standing,omitempty"`
	}{data, doc.Imported == nil && len(doc.Spoilers) == 0, append([]string{}, doc.NotRanked()...), spool.ReceiptOf(path), standing})
}
