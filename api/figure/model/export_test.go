package model

// Surely is for tests, which know the truth. It calls tell for all pairs of which one is surely faster, with at most
// this chance of being wrong.
func Surely(c *Calibration, estimates []Estimate, chance float64, tell func(faster, slower int)) {
	order, q := c.inOrder(estimates), newQuantiles(1-chance)
	for i := range order {
		for k := i + 1; k < len(order); k++ {
			if q.surely(&order[i], &order[k]) {
				tell(order[i].at, order[k].at)
			}
		}
	}
}
