package ranking_test

import (
	"testing"

	"flashdex/api/figure"
	"flashdex/api/ranking"
)

// If two cards stall equally often per write, the one whose test did more writes has a worse worst write.
func TestTablesCompareAtEqualExposure(t *testing.T) {
	t.Parallel()
	for _, c := range ranking.Columns {
		if c.Key == figure.RandWriteMaxMS {
			t.Error("tables have the worst write of a test, without how many there were")
		}
	}
}

func TestFiguresStandOnTheirScale(t *testing.T) {
	t.Parallel()
	rate, latency := ranking.ColumnOf(figure.RandWriteIOPS).Scale, ranking.ColumnOf(figure.RandWriteLongest1000MS).Scale
	for _, c := range []struct {
		scale *ranking.Scale
		value float64
		at    string
		heat  int
	}{
		{rate, 0, "3.00%", 0}, {rate, 0.1, "3.00%", 0}, {rate, 1, "3.00%", 0}, {rate, 447.2, "50.00%", 4},
		{rate, 1e6, "97.00%", 8},
		{latency, 0, "97.00%", 8}, {latency, 1, "97.00%", 8}, {latency, 100, "50.00%", 4}, {latency, 1e6, "3.00%", 0},
	} {
		if at, heat := c.scale.At(c.value), c.scale.Heat(c.value); at != c.at || heat != c.heat {
			t.Errorf("%v from %v to %v: at %s, %d; want %s, %d", c.value, c.scale.Low, c.scale.High, at, heat, c.at, c.heat)
		}
	}
	if n := len(rate.Ticks); n != 6 || rate.Ticks[0].Label != "1" || rate.Ticks[5].Label != "100,000" {
		t.Errorf("ticks %v", rate.Ticks)
	}
}
