package result_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"flashdex/result"
)

var numbers = map[float64]string{
	0: "0", math.Copysign(0, -1): "0", 90: "90", 4: "4", 9.999: "10", 12.5: "12.5", 99.95: "100", 530.2: "530",
	0.4096: "0.41", 0.05123: "0.0512",
	999.4: "999", 999.5: "1,000", 999.6: "1,000", 1500: "1,500", 1779.6: "1,780", 1785: "1,790", 9994: "9,990",
	9995: "10,000", 9999: "10,000",
	12345.6: "12,300", 1e6: "1,000,000", 12345678: "12,300,000", 1e21: "1,000,000,000,000,000,000,000",
	0.0009995: "0.001", 0.00123: "0.00123", 1e-7: "0.0000001", 1.005: "1.01", 1.015: "1.02", 1.125: "1.13", 1.135: "1.14",
	2.675:   "2.68",
	-1234.5: "-1,230", -999.5: "-1,000", -12: "-12", math.NaN(): "–", math.Inf(1): "–", math.Inf(-1): "–",
}

func TestNumbersHaveThreeDigitsCommasAndNoExponent(t *testing.T) {
	t.Parallel()
	for v, want := range numbers {
		if got := result.Number(v); got != want {
			t.Errorf("Number(%v) = %q, want %q", v, got, want)
		}
	}
}

func TestTheScriptOfThePagesWritesNumbersTheSameWay(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node, which runs the script")
	}
	var values, want []string
	add := func(v float64) {
		values, want = append(values, strconv.FormatFloat(v, 'g', -1, 64)), append(want, result.Number(v))
	}
	for v := range numbers {
		add(v)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		add(math.Pow(10, 12*random.Float64()-6))
		add(float64(random.IntN(100_000)) / 1000) // ties are frequent among these
	}
	in := strings.NewReplacer("NaN", "null", "+Inf", "1e999", "-Inf", "-1e999").Replace(
		"[" + strings.Join(values, ",") + "]")
	script := `import { number, parsed } from "../site/assets/js/number.js";
const texts = JSON.parse(process.argv[1]).map((v) => number(v ?? NaN));
if (texts.some((text) => text !== "–" && number(parsed(text)) !== text))
  throw new Error("what a page shows isn't read as it was");
console.log(JSON.stringify(texts));`
	out, err := exec.CommandContext(t.Context(), node, "--input-type=module", "--no-warnings", "-e", script,
		in).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var got []string
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s is %q in Go and %q on the pages", values[i], want[i], got[i])
		}
	}
}

func TestANumberBesideAnotherCanBeToldFromIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v, other float64
		want     string
	}{{499.6, 500, "499.6"}, {499.96, 500, "499.96"}, {500, 500, "500"}, {1523, 1500, "1,520"}, {9.9996, 10, "9.9996"},
		{0, 500, "0"}} {
		if got := result.NumberBeside(c.v, c.other); got != c.want {
			t.Errorf("NumberBeside(%v, %v) = %q, want %q", c.v, c.other, got, c.want)
		}
	}
}

func TestCountsAreExact(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 12345: "12,345", 1234567: "1,234,567", -1: "-1",
		-999: "-999", -1000: "-1,000"} {
		if got := result.Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestChangesAreOfTheBaseInPercent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of, base float64
		want     string
	}{{112.34, 100, "+12.3 %"}, {96, 100, "−4 %"}, {100.01, 100, "0 %"}, {1234, 100, "+1,130 %"}, {5, 0, ""},
		{0, 5, "−100 %"}} {
		if got := result.Change(c.of, c.base); got != c.want {
			t.Errorf("Change(%v, %v) = %q, want %q", c.of, c.base, got, c.want)
		}
	}
}
