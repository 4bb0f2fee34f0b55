package page

import (
	"testing"

	"flashdex/api/figure"
	"flashdex/api/ranking"
)

// Published figures that measured different things have no middle, so nothing is compared with them either.
func TestFiguresOfDifferentThingsReachFromTheLeastToTheGreatest(t *testing.T) {
	t.Parallel()
	several := figure.Figure{Value: 1140.75, To: 3066.5, N: 6}
	if cell := TintedCell(figure.RandWriteIOPS, "", several); cell.Value != "1,140 to 3,070" || cell.Interval != "" ||
		cell.N != "6" || cell.Sort != "1140.75" {
		t.Errorf("cell %+v", cell)
	}
	standing := func(f figure.Figure) *Standing {
		return &Standing{Row: &ranking.Row{Figures: figure.SetOf(map[string]figure.Figure{figure.RandWriteIOPS: f})}}
	}
	one := figure.Figure{Value: 500, N: 1}
	column := ranking.ColumnOf(figure.RandWriteIOPS)
	for _, c := range []struct {
		of, base figure.Figure
		compared bool
	}{{several, one, false}, {one, several, false}, {one, one, true}} {
		if cell := new(Comparison).cell(column, 1, standing(c.of), standing(c.base)); (cell.Below != "") != c.compared {
			t.Errorf("%v beside %v is %+v", c.of, c.base, cell)
		}
	}
	method := ComparedMethod{Standings: []*Standing{standing(several), standing(several)}}
	if drawn, ok := stripOf(column, method, []string{"a", "b"}); ok {
		t.Errorf("drawn as %+v", drawn)
	}
}
