package model_test

import (
	"testing"

	"flashdex/api/figure/model"
)

// BenchmarkEverything computes one figure of 10,000 modules with a million cards again: the calibration, all figures
// and all places. All of it may take 5 s.
func BenchmarkEverything(b *testing.B) {
	d := world{confounded: 0.85, wrong: 0.1, density: 80, tail: 0.7}.at(10_000, 1)
	shares, classes := d.shares(), d.classes()
	b.Logf("%d cards", len(d.cards))
	var c *model.Calibration
	b.Run("calibration", func(b *testing.B) {
		for b.Loop() {
			c = model.Calibrate(shares, classes, model.RandomWrites)
		}
	})
	estimates, ranked, largest := make([]model.Estimate, len(shares)), make([]bool, len(shares)), 0
	b.Run("figures", func(b *testing.B) {
		for b.Loop() {
			for i := range shares {
				m, _ := c.Module(shares[i])
				estimates[i], ranked[i] = c.Standard(&m), m.Contributors >= model.RankedFrom
				if len(shares[i]) > len(shares[largest]) {
					largest = i
				}
			}
		}
	})
	b.Run("places", func(b *testing.B) {
		for b.Loop() {
			c.Places(estimates, ranked)
		}
	})
	b.Run("largest", func(b *testing.B) {
		b.Logf("%d shares", len(shares[largest]))
		for b.Loop() {
			m, _ := c.Module(shares[largest])
			c.Standard(&m)
		}
	})
}
