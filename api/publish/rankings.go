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

// writeRankings writes the pre-sorted pages of every ranked figure.
func (s *site) writeRankings() (all []rankingPage, err error) {
	for _, key := range rankedKeys {
		label := ranking.ColumnOf(key).Label
		pages, err := s.writePages(rankingPage{
			Path: "/by/" + strings.ReplaceAll(key, "_", "-") + "/", Metric: key, File: key,
			Title: "Flash modules by " + strings.ToLower(label[:1]) + label[1:],
		}, s.sections(key, s.rows, "", result.MethodFlashdex1), nil)
		if err != nil {
			return nil, err
		}
		all = append(all, pages...)
	}
	return all, nil
}

// rankedForms are the forms that have a ranking, with modules or without.
var rankedForms = slices.DeleteFunc(slices.Clone(catalogue.Forms), func(form string) bool { return form == "other" })

var formTitles = map[string]string{
	"sd": "SD cards by 4K random write", "microsd": "microSD cards by 4K random write",
	"cf": "CompactFlash cards by 4K random write", "usb": "USB sticks by 4K random write",
	"emmc": "eMMC modules by 4K random write", catalogue.FormStack: "Stacks of modules by 4K random write",
}

// writeForms writes a ranking for each form.
func (s *site) writeForms() (all []rankingPage, err error) {
	for _, form := range rankedForms {
		rows, first := s.rowsOf(func(m catalogue.Module) bool { return m.Form == form }), result.MethodFlashdex1
		if form == catalogue.FormStack {
			rows, first = s.stacks, result.MethodStack1
		}
		pages, err := s.writePages(rankingPage{
			Path: "/form/" + form + "/", Metric: figure.RandWriteIOPS, Form: form, File: "form-" + form, Title: formTitles[form],
		}, s.sections(figure.RandWriteIOPS, rows, "", first), nil)
		if err != nil {
			return nil, err
		}
		all = append(all, pages...)
	}
	return all, nil
}

// rowsOf picks the rows of some modules, by method, and the rows of the reference devices.
func (s *site) rowsOf(which func(catalogue.Module) bool) map[string][]ranking.Row {
	rows := map[string][]ranking.Row{}
	for method, all := range s.rows {
		for _, r := range all {
			if r.Reference != "" || which(r.Module) {
				rows[method] = append(rows[method], r)
			}
		}
	}
	return rows
}

// writeHosts writes a ranking for each class of hosts that something was measured in.
func (s *site) writeHosts() ([]rankingPage, error) {
	all := []rankingPage{}
	for _, class := range ranking.HostClasses(s.snapshot) {
		rows := map[string][]ranking.Row{}
		for _, r := range ranking.RowsIn(s.snapshot, class.Key) {
			rows[r.Method] = append(rows[r.Method], r)
		}
		for method := range rows {
			for _, r := range s.rows[method] {
				if r.Reference != "" {
					rows[method] = append(rows[method], r)
				}
			}
		}
		pages, err := s.writePages(rankingPage{
			Path: "/in/" + class.Key + "/", Metric: figure.RandWriteIOPS, HostClass: class.Label, File: "in-" + class.Key,
			Title: "Flash modules on " + class.Label,
		}, s.sections(figure.RandWriteIOPS, rows, class.Key, result.MethodFlashdex1), nil)
		if err != nil {
			return nil, err
		}
		all = append(all, pages...)
	}
	return all, nil
}
