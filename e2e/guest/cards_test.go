package guest

import (
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"time"
)

var cards = flag.Int("cards", 0, "test the profiles of the inside on so many cards more, made by chance")

// byChance yields a name and a source of chance for each card that is made by chance; the same ones every time.
func byChance() iter.Seq2[string, *rand.Rand] {
	return func(yield func(string, *rand.Rand) bool) {
		for i := range *cards {
			if !yield(fmt.Sprintf("card %d", i+1), rand.New(rand.NewPCG(uint64(i), 24))) {
				return
			}
		}
	}
}

// someTime returns a time between two by chance.
func someTime(r *rand.Rand, low, high time.Duration) time.Duration {
	return low + time.Duration(r.Int64N(int64(high-low)))
}

// oneOf returns one of several by chance.
func oneOf[T any](r *rand.Rand, several ...T) T { return several[r.IntN(len(several))] }
