package publish

import (
	"fmt"
	"strings"

	"flashdex/api/dataset"
)

const dataLicence = `The results that contributors uploaded are dedicated to the public domain under CC0 1.0 Universal:
https://creativecommons.org/publicdomain/zero/1.0/

Published figures (kind "published") are facts taken from the sources that each row names.
Please cite the source with them; its own licence applies to its text and layout.
`

// dataReadme explains the data set to somebody who has only the files.
func (s *site) dataReadme(files []dataFile) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Flashdex data set

How SD, microSD, CF, USB and eMMC flash modules really perform: every figure that the site shows.
Generation %d: %d uploaded results, %d published figures, %d modules.

UTF-8, RFC 4180 (comma, CRLF, quoted where needed), '.' as decimal sign, empty for unknown. MB is 10^6 bytes, MiB 2^20, times are
in nanoseconds (ns) or milliseconds (ms) as the column's name says, days are UTC. Columns are appended, never renamed.
Text that begins with =, +, -, @ or a tab has an apostrophe before it, so that a spreadsheet does not take it for a formula.

Compare rows of the same method only. A published figure never enters a median with uploads.

Licence: LICENSE.txt. How to cite: "Flashdex, the open index of flash module performance", with the generation above.
`, s.snapshot.Generation, s.resultCount(), len(s.snapshot.Published), len(s.snapshot.Modules))
	for _, f := range files {
		fields := dataset.ResultFields
		if f.File == "modules.csv" {
			fields = dataset.ModuleFields
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s %d rows, %d bytes, SHA-256 %s\n\n%s", f.File, f.Description, f.Rows, f.Bytes, f.SHA256, dataset.Table(fields))
	}
	return b.String()
}
