package good

import "testing"

func TestPassed(t *testing.T) { t.Log("a secret of a passing test") }

func TestSkipped(t *testing.T) { t.Run("card", func(t *testing.T) { t.Skip("needs a card") }) }

func TestSkippedToo(t *testing.T) {
	t.Log("first")
	t.Skip("needs a card")
}
