package ranking_test

import (
	"math"
	"testing"

	"flashdex/api/ranking"
)

func TestNumbersHaveThreeDigitsAndNoExponent(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64]string{
		0: "0", 530.2: "530", 99.95: "100", 9.999: "10.0", 0.4096: "0.410", 4: "4.00", 9999: "10\u202f000", 12345.6: "12\u202f300",
		1234567: "1\u202f230\u202f000", 1e-9: "0.000000", math.Inf(1): "0",
	} {
		if got := ranking.Number(v); got != want {
			t.Errorf("Number(%v) = %q, want %q", v, got, want)
		}
	}
}
