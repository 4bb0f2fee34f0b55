package transcript

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"flashdex/result"
)

// Fill makes doc the result of an output. doc must already name module and client.
func (out *Output) Fill(doc *result.Document) {
	doc.Method, doc.Profile = result.MethodOfImport(out.Tool), result.ProfileImported
	doc.Tests, doc.Imported = out.Tests, &out.Imported
}

// Questions ask for the facts that a text may leave open.
var Questions = map[string]string{
	FactTest:      "What did it do",
	FactBlockSize: "Size of a block, such as 4k or 1M, or unknown",
	FactDirect:    "Past the page cache (direct I/O)",
	FactSync: "How were writes flushed: not at all, by fsync once at the end and within the time, " +
		"or each one (O_DSYNC, O_SYNC)",
	FactUnit: "What does the table show: kB a second, or operations a second (iozone -O)",
}

// CheckFact checks the value that the user gave for a fact. It turns sizes into bytes.
func CheckFact(fact, value string) (string, error) {
	value = strings.ToLower(strings.TrimSpace(value))
	if fact == FactBlockSize && value != Unknown {
		bytes, ok := Size(value)
		if !ok {
			return "", fmt.Errorf("--%s %q is no size, such as 512, 4k or 1M", fact, value)
		}
		return strconv.FormatInt(bytes, 10), nil
	}
	if values := Values[fact]; value != Unknown && !slices.Contains(values, value) {
		return "", fmt.Errorf("--%s %q is none of %s", fact, value, strings.Join(values, ", "))
	}
	return value, nil
}
