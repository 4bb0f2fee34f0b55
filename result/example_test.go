package result_test

import (
	"fmt"

	"flashdex/result"
)

// A Sampler takes the times of operations one by one, and says when their rate is known well enough.
func ExampleSampler() {
	sampler := result.NewSampler(result.StandardRule(65_536))
	for op := int64(0); ; op++ {
		ns := 10_000_000 + op%7*100_000 // a card that takes about 10 ms for each write
		if ended := sampler.Add(ns); ended != "" {
			fmt.Println(ended, "after", sampler.Ops(), "operations that count")
			break
		}
	}
	estimate := result.EstimateOf(sampler.Batches())
	fmt.Printf("%.1f IOPS, 95 %% interval %.1f to %.1f\n", estimate.IOPS, estimate.Low, estimate.High)
	// Output:
	// converged after 5827 operations that count
	// 97.1 IOPS, 95 % interval 97.1 to 97.1
}
