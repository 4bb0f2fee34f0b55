package publish

import (
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/ranking"
	"flashdex/result"
)

// rankedKeys are the figures that have pre-sorted pages.
var rankedKeys = []string{
	figure.RandWriteIOPS, figure.RandReadIOPS, figure.SeqWriteMBPerS, figure.SeqReadMBPerS, figure.RandWriteP99MS,
	figure.RandWriteMaxMS,
}

// rankedForms are the forms that have a ranking, with modules or without.
var rankedForms = slices.DeleteFunc(slices.Clone(catalogue.Forms), func(form string) bool { return form == "other" })

var formTitles = map[string]string{
	"sd": "SD cards by 4K random write", "microsd": "microSD cards by 4K random write",
	"cf": "CompactFlash cards by 4K random write", "usb": "USB sticks by 4K random write",
	"emmc": "eMMC modules by 4K random write", catalogue.FormStack: "Stacks of modules by 4K random write",
}

// writeRankings writes the rankings of all modules by each figure, of each form, and of each class of hosts that
// something was measured in.
func (s *site) writeRankings() (pages []dataPage, err error) {
	write := func(kind string, r rankingPage, sections []section[rankedRow]) {
		if err != nil {
			return
		}
		s.index.Rankings[kind] = append(s.index.Rankings[kind], r)
		var of []dataPage
		of, err = s.writeRanking(r, sections, nil)
		pages = append(pages, of...)
	}
	for _, key := range rankedKeys {
		label := ranking.ColumnOf(key).Label
		write("by", rankingPage{
			Path: "/by/" + strings.ReplaceAll(key, "_", "-") + "/", Metric: key, file: key,
			Title: "Flash modules by " + strings.ToLower(label[:1]) + label[1:],
		}, s.sections(key, s.rows, "", result.MethodFlashdex1))
	}
	for _, form := range rankedForms {
		method := result.MethodFlashdex1
		rows := s.rowsOf(func(r *ranking.Row) bool { return r.Reference != "" || r.Module.Form == form })
		if form == catalogue.FormStack {
			rows, method = s.stacks, result.MethodStack1
		}
		write("form", rankingPage{
			Path: "/form/" + form + "/", Metric: figure.RandWriteIOPS, Form: form, file: "form-" + form, Title: formTitles[form],
		}, s.sections(figure.RandWriteIOPS, rows, "", method))
	}
	references := s.rowsOf(func(r *ranking.Row) bool { return r.Reference != "" })
	for _, class := range ranking.HostClasses(s.snapshot) {
		rows := map[string][]*ranking.Row{}
		for _, r := range ranking.RowsIn(s.snapshot, class.Key) {
			rows[r.Method] = append(rows[r.Method], r)
		}
		for method := range rows {
			rows[method] = append(rows[method], references[method]...)
		}
		write("in", rankingPage{
			Path: "/in/" + class.Key + "/", Metric: figure.RandWriteIOPS, HostClass: class.Label, file: "in-" + class.Key,
			Title: "Flash modules on " + class.Label,
		}, s.sections(figure.RandWriteIOPS, rows, class.Key, result.MethodFlashdex1))
	}
	return pages, err
}

// rowsOf picks some of the rows of single modules, by method.
func (s *site) rowsOf(which func(*ranking.Row) bool) map[string][]*ranking.Row {
	rows := map[string][]*ranking.Row{}
	for method, all := range s.rows {
		for _, r := range all {
			if which(r) {
				rows[method] = append(rows[method], r)
			}
		}
	}
	return rows
}
