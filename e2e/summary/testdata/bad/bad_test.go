package bad

import "testing"

func TestBad(t *testing.T) {
	t.Error("what went wrong")
}
