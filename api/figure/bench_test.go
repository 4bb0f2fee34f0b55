package figure

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkSummariesOf sums up a module with 25,000 units of 10,000 contributors, in three variants and four host
// classes.
func BenchmarkSummariesOf(b *testing.B) {
	random := rand.New(rand.NewPCG(5, 6))
	var all []Contribution
	for c := range 10_000 {
		var runs []Run
		for u := range 1 + c%4 {
			r := ran(fmt.Sprint(c, u), fmt.Sprint(u), []string{"pi-4", "pi-5", "usb-3", "slot"}[random.IntN(4)], "board", 50,
				random.ExpFloat64())
			for i := range r.Values {
				r.Values[i] = random.ExpFloat64()
			}
			runs = append(runs, made(r, fmt.Sprint(random.IntN(3))))
		}
		all = append(all, Contribution{c, UnitsOf(runs)})
	}
	for b.Loop() {
		SummariesOf("a-module", all, false)
	}
}
