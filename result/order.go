package result

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
)

// OrderSeed returns the seed of the order in which a random test uses its blocks, in a run with a token.
func OrderSeed(token, test string, blockBytes int64) [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "flashdex order %s %s %d", token, test, blockBytes))
}

// BlockOrder returns a random order of the numbers of n blocks (Fisher and Yates). The same seed gives the same order
// in every build.
func BlockOrder(seed [sha256.Size]byte, n int64) []int32 {
	random := rand.NewChaCha8(seed)
	order := make([]int32, n)
	for i := range order {
		at := random.Uint64() % uint64(i+1)
		order[i] = order[at]
		order[at] = int32(i)
	}
	return order
}

// OrderSum returns the checksum of the blocks that a test used, in their order. It is the SHA-256 of their numbers,
// each in 4 bytes with the lowest first, cut to 128 bits, in hex.
func OrderSum(used []int32) string {
	numbers := make([]byte, 0, 4*len(used))
	for _, block := range used {
		numbers = binary.LittleEndian.AppendUint32(numbers, uint32(block))
	}
	sum := sha256.Sum256(numbers)
	return hex.EncodeToString(sum[:16])
}

// ElapsedNS returns how long the test took by its samples: the operations, the warm-up, and the time between them.
func (t *Test) ElapsedNS() int64 { return t.DurationNS + t.WarmupNS + t.OverheadNS }
