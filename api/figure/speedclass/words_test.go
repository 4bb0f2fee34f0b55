package speedclass_test

import (
	"testing"

	"flashdex/api/figure/speedclass"
)

func TestNumber(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64]string{
		0: "0", 0.05123: "0.0512", 0.5: "0.5", 9.999: "10", 12.5: "12.5", 99.96: "100", 999.6: "1,000", 1500: "1,500", 12345678: "12,345,678",
	} {
		if got := speedclass.Number(v); got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
}
