package ranking

import (
	"fmt"
	"math"

	"flashdex/result"
)

// Scale is the fixed logarithmic scale of a figure, for tints and drawings on all pages.
type Scale struct {
	Low   float64 `json:"low"` // the worst end: above High where less is better
	High  float64 `json:"high"`
	Ticks []Tick  `json:"ticks"`
}

// Tick is a power of ten on a scale.
type Tick struct {
	Label string `json:"label"`
	At    string `json:"at"`
}

func scaleOf(low, high float64) *Scale {
	s := &Scale{Low: low, High: high, Ticks: []Tick{}}
	for v := 0.1; v <= 10_000; v *= 10 {
		if v >= min(low, high) && v <= max(low, high) {
			s.Ticks = append(s.Ticks, Tick{result.Number(v), s.At(v)})
		}
	}
	return s
}

// position returns the place of v: 0 at the low end and before it, 1 at the high end and after it. Values of 0 or
// less are at the end of the least values.
func (s *Scale) position(v float64) float64 {
	if v <= 0 {
		v = min(s.Low, s.High)
	}
	return max(0, min(1, math.Log(v/s.Low)/math.Log(s.High/s.Low)))
}

// At returns the place as a coordinate of a drawing, "3.00%" to "97.00%" of its width.
func (s *Scale) At(v float64) string { return fmt.Sprintf("%.2f%%", 3+94*s.position(v)) }

// Heat returns the place in eight steps. More is better.
func (s *Scale) Heat(v float64) int { return int(math.Round(8 * s.position(v))) }
