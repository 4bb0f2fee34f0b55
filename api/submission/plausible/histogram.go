package plausible

import (
	"math"

	"flashdex/result"
)

const (
	// smoothCount is the number of operations in a bucket that makes chance larger than rounding.
	smoothCount = 10
	// smoothWindows is how many windows of neighbours it takes to show how much their counts vary.
	smoothWindows = 12
	// smoothDeviations is how far, in standard deviations of the normal distribution, the noise is below chance: the
	// odds are 1 in 300,000.
	smoothDeviations = 4.5
)

// histogram finds latencies that somebody computed. The client's latencies have the limits of HdrHistogram's counters,
// and their counts vary by chance.
func histogram(d *result.Document, t *result.Test, add report) {
	if !byTheClient(d, t) {
		return
	}
	for i, b := range t.Latency {
		if low, _ := counter(b.LatencyNS()); low != b.LatencyNS() || i > 0 && low <= t.Latency[i-1].LatencyNS() {
			add("The latencies of %s have a counter that begins at %d ns, and the client has none there, "+
				"or not in this order.", inSentence(t), b.LatencyNS())
			return
		}
	}
	if noise, windows := noiseOf(t.Latency); windows >= smoothWindows && noise < chanceNoise(windows) {
		add("The latencies of %s follow a smooth curve: %d counters differ from their neighbours by %.1f %% of what chance "+
			"makes.", inSentence(t), windows, 100*math.Sqrt(noise))
	}
}

// noiseOf returns the mean square of the third differences of four neighbours' counts, in units of their variance by
// Poisson's distribution, and the number of windows. The noise of measured latencies is 1 or more, because the shape of
// the distribution adds to it.
func noiseOf(latency []result.Bucket) (noise float64, windows int) {
	for i := 3; i < len(latency); i++ {
		four := latency[i-3 : i+1]
		first, width := counter(four[0].LatencyNS())
		width += 1 - first
		even := true
		for j, b := range four {
			low, high := counter(b.LatencyNS())
			even = even && high-low == width-1 && low == first+int64(j)*width && b.Count() >= smoothCount
		}
		if !even {
			continue
		}
		c := func(j int) float64 { return float64(four[j].Count()) }
		difference := c(0) - 3*c(1) + 3*c(2) - c(3)
		noise += difference * difference / (c(0) + 9*c(1) + 9*c(2) + c(3))
		windows++
	}
	return noise / float64(max(windows, 1)), windows
}

// chanceNoise returns the noise of so many overlapping windows that chance doesn't go below. They tell as much as
// windows/2.3 independent ones, by the autocorrelation -3/4, 3/10, -1/20 of third differences. The quantile of the
// chi-square distribution is that of Wilson and Hilferty (1931, PNAS 17).
func chanceNoise(windows int) float64 {
	variance := 2. / 9 / (float64(windows) / 2.3)
	return math.Pow(max(1-variance-smoothDeviations*math.Sqrt(variance), 0), 3)
}
