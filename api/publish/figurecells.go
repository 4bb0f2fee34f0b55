package publish

import (
	"strconv"

	"flashdex/api/figure"
)

type cell struct {
	Class    string `json:"class,omitempty"`
	Value    string `json:"value,omitempty"`
	Interval string `json:"interval,omitempty"`
	Sure     string `json:"sure,omitempty"`
	N        string `json:"n,omitempty"`
	Sort     string `json:"sort,omitempty"`
}

func figureCells(keys []string, figures figure.Set) (cells []cell) {
	for _, key := range keys {
		c := cell{Class: "number"}
		if e, known := figures[key]; known {
			s := shownOf(key, e)
			c = cell{"number heat-" + strconv.Itoa(s.Heat), s.Value, s.Interval, s.Sure, s.N, sortable(e.Value)}
		}
		cells = append(cells, c)
	}
	return cells
}
