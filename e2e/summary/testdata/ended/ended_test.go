package ended

import (
	"os"
	"testing"
)

func TestEnded(t *testing.T) { os.Exit(7) }
