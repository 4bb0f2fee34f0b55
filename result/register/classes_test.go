package register_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"flashdex/result/register"
)

// Two real cards were worked out by hand. A third is made up to hold every field at its edge.
func TestClasses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, digits string
		want         []string
	}{
		{"Kingston Canvas Go! Plus 64 GB", "0000000008000000 04 00 90 0001 1b 39 1e 0008 00000002 ff 0003",
			[]string{"Class 10", "U3", "V30", "A2"}},
		{"SanDisk SC16G", "0000000004000000 04 00 90 000f 05 1a 00 0000 00000001 00 0000",
			[]string{"Class 10", "U1", "A1"}},
		{"every field at its end", strings.Repeat("ff", 25), []string{"U15", "V255", "A15"}},
		{"nothing", "", nil},
		{"a class without a meaning", "8000000000000000 05", nil},
	} {
		digits := strings.ReplaceAll(tc.digits, " ", "")
		got, err := register.Classes(digits + strings.Repeat("0", 128-len(digits)))
		if diff := cmp.Diff(tc.want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", tc.name, err, diff)
		}
	}
}
