package rest

import (
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/ranking"

	"github.com/google/go-cmp/cmp"
)

// A rate is placed among all measured modules and, if the form is known, among the modules of this form.
func TestStandingIsAlsoAmongTheForm(t *testing.T) {
	t.Parallel()
	row := func(m catalogue.Module, units int, iops float64) placed {
		return placed{Row: &ranking.Row{Module: m, Units: units,
			Figures: figure.SetOf(map[string]figure.Figure{figure.RandWriteIOPS: {Value: iops}})}}
	}
	micro, stick := catalogue.Module{Form: "microsd"}, catalogue.Module{Form: "usb"}
	card, unstated := catalogue.Module{Form: "sd"}, catalogue.Module{Form: "sd", FormUnstated: true}
	rows := []placed{row(stick, 1, 900), row(micro, 1, 800), row(micro, 0, 700), row(card, 1, 600), row(unstated, 1, 550),
		row(micro, 2, 500), row(micro, 1, 400), {Row: &ranking.Row{Module: micro, Units: 1}}}
	table := &table{orders: map[order]func() []placed{{"m", figure.RandWriteIOPS}: func() []placed { return rows }}}
	all := standing{Figure: figure.RandWriteIOPS, Above: 4, Modules: 6}
	for _, c := range []struct {
		of   catalogue.Module
		want *formStanding
	}{
		{micro, &formStanding{"microsd", 1, 3}}, {stick, &formStanding{"usb", 1, 1}}, {card, &formStanding{"sd", 1, 1}},
		{unstated, nil}, {catalogue.Module{}, nil},
	} {
		want := all
		want.OfForm = c.want
		if diff := cmp.Diff(&want, table.standing("m", c.of, 500)); diff != "" {
			t.Errorf("%+v: %s", c.of, diff)
		}
	}
}
