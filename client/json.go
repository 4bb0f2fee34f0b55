package main

import (
	"encoding/json"
	"io"

	"flashdex/client/spool"
)

// printJSON prints the kept result at path, and the site's receipt if it was uploaded, as one JSON object in a line.
func printJSON(w io.Writer, path string, document []byte) error {
	return json.NewEncoder(w).Encode(struct {
		Result  json.RawMessage `json:"result"`
		Receipt *spool.Receipt  `json:"receipt,omitempty"`
	}{document, spool.ReceiptOf(path)})
}
