// Package token issues run tokens, and checks the token that came with an upload. A token makes a forger wait as long
// as the forged run would have taken; it proves no measurement.
package token

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"time"

	"flashdex/api/submission"
	"flashdex/result"
)

// Lasts is how long a token is valid. A reference run takes about a day, and a contributor may be without a network for
// some days.
const Lasts = 7 * 24 * time.Hour

// A token consists of its version, the time of issue (ns since 1970), a nonce, and a signature over these and the id of
// the run's result, in base64url.
const (
	version     = 1
	nonceBytes  = 16
	signedBytes = 1 + 8 + nonceBytes
	tokenBytes  = signedBytes + 16
)

// Key signs tokens.
type Key = [sha256.Size]byte

// New issues a token for the run whose result will have this id.
func New(key Key, id string, now time.Time) string {
	token := make([]byte, signedBytes, tokenBytes)
	token[0] = version
	binary.BigEndian.PutUint64(token[1:], uint64(now.UnixNano()))
	_, _ = rand.Read(token[1+8:]) // never fails
	return encoding.EncodeToString(append(token, sign(key, id, token)...))
}

var encoding = base64.RawURLEncoding.Strict()

func sign(key Key, id string, token []byte) []byte {
	mac := hmac.New(sha256.New, key[:])
	mac.Write(token)
	mac.Write([]byte(id))
	return mac.Sum(nil)[:tokenBytes-signedBytes]
}

// read returns when a token was issued, if one of the keys signed it for this result.
func read(keys []Key, id, text string) (begunAt time.Time, ok bool) {
	token, err := encoding.DecodeString(text)
	if err != nil || len(token) != tokenBytes || token[0] != version {
		return time.Time{}, false
	}
	signed := token[:signedBytes]
	ok = slices.ContainsFunc(keys, func(key Key) bool { return hmac.Equal(sign(key, id, signed), token[signedBytes:]) })
	return time.Unix(0, int64(binary.BigEndian.Uint64(token[1:]))).UTC(), ok
}

// Check checks the token of a valid document at its upload. A token is good for one result, because it is bound to the
// result's id, which is never taken twice.
func Check(keys []Key, doc *result.Document, now time.Time) submission.Token {
	if doc.Token == "" {
		return submission.Token{}
	}
	begunAt, ok := read(keys, doc.ID, doc.Token)
	if !ok {
		return submission.Token{State: submission.TokenForeign}
	}
	took := elapsed(doc)
	t := submission.Token{State: submission.TokenValid, BegunAt: begunAt, EndedAt: begunAt.Add(took)}
	switch {
	case now.Sub(begunAt) > Lasts:
		t.State = submission.TokenExpired
	case now.Sub(begunAt)+clocks < took-took/100:
		t.State = submission.TokenYoung
	case !ordered(doc):
		t.State = submission.TokenOrder
	}
	return t
}

// clocks is how far the clocks of two servers may be apart. The client's own may run up to a hundredth too fast, 20
// times as much as the kernel corrects a clock (adjtimex(2): 500 parts in a million).
const clocks = time.Second

// elapsed returns how long the tests took at least: by their samples, and by the stopping rule, which lets no test
// settle earlier. Tests run one after the other, so an honest run takes at least as long.
func elapsed(doc *result.Document) (took time.Duration) {
	for i := range doc.Tests {
		t := &doc.Tests[i]
		ns := t.ElapsedNS() // all tests together at most 83 years, by the limits of the schema
		if t.IsRandom() && t.Ended == result.Converged && doc.Method == result.MethodFlashdex1 {
			ns = max(ns, result.StandardRule(0).MinNS)
		}
		took += time.Duration(ns)
	}
	return took
}

// maxBlocks limits how many blocks all random tests of a document may have. The sweep profile has the most, 2,097,120.
const maxBlocks = 1 << 21

// ordered reports whether the random tests of a document show the order that its token prescribes.
func ordered(doc *result.Document) bool {
	var all int64
	for i := range doc.Tests {
		t := &doc.Tests[i]
		if !t.IsRandom() {
			continue
		}
		blocks, used := t.AreaBytes/t.BlockBytes, t.Ops+t.WarmupOps
		if all += blocks; blocks > maxBlocks || all > maxBlocks || used > blocks {
			return false
		}
		if t.Order != result.OrderSum(result.BlockOrder(result.OrderSeed(doc.Token, t.Name, t.BlockBytes), blocks)[:used]) {
			return false
		}
	}
	return true
}
