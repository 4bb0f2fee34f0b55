package main

import (
	"encoding/json"
	"io"

	"flashdex/client/spool"
)

// printJSON prints the kept result at path, the site's receipt if it was uploaded, and how it stands then if
// that is known, as one JSON object in a line.
func printJSON(w io.Writer, path string, document []byte, standing *spool.Standing) error {
	return json.NewEncoder(w).Encode(struct {
		Result   json.RawMessage `json:"result"`
		Receipt  *spool.Receipt  `json:"receipt,omitempty"`
		Standing *spool.Standing `json:"standing,omitempty"`
	}{document, spool.ReceiptOf(path), standing})
}
