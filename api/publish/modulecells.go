package publish

import (
	"strings"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/speedclass"
	"flashdex/api/page/markup"
	"flashdex/api/ranking"
	"flashdex/api/submission"
	"flashdex/result"
)

// spread is a row for each figure over a module's units: median, interval, quartiles, range and how much is behind it.
func spread(figures figure.Set) markup.HTML {
	var rows []byte
	for _, column := range ranking.Columns {
		e, ok := figures[column.Key]
		if !ok {
			continue
		}
		shown := shownOf(column.Key, e)
		rows = markup.Append(rows, `
<tr><th scope="row">%s <small>%s</small></th>
<td class="number"><strong>%s</strong>`, column.Label, column.Unit, shown.Value)
		if shown.Interval == "" {
			rows = append(rows, "<small>no interval</small>"...)
		} else {
			rows = markup.Append(rows, `<small>%s</small>`, shown.Interval)
			if percent := result.Number(100 * e.Confidence); e.Confidence > 0 && percent != "95" {
				rows = markup.Append(rows, `<small>with %s %%</small>`, percent)
			}
		}
		rows = append(rows, `</td>
<td class="number">`...)
		if e.Max > 0 {
			rows = markup.Append(rows, `%s<small>%s</small>`, intervalText(e.P25, e.P75), intervalText(e.Min, e.Max))
		}
		rows = markup.Append(rows, `</td>
<td class="evidence">n %s <small>`, shown.N)
		if e.Runs > 0 {
			rows = markup.Append(rows, `%s, %s`, counted(e.Runs, "run"), counted(e.Contributors, "contributor"))
		}
		rows = append(rows, "</small></td></tr>"...)
	}
	return markup.HTML(rows)
}

// publishedRows are the figures that others have printed, a row for each.
func (s *site) publishedRows(published []catalogue.Published) markup.HTML {
	var rows []byte
	for _, p := range published {
		source, _ := s.catalogue.Source(p.Source)
		rows = markup.Append(rows, `
<tr><th scope="row">%s</th>
<td class="number">`, p.Test)
		if p.BlockBytes > 0 {
			rows = markup.Append(rows, `%v`, float64(p.BlockBytes)/1024)
		}
		rows = append(rows, `</td><td class="number">`...)
		if p.QueueDepth > 0 {
			rows = markup.Append(rows, `%d`, p.QueueDepth)
		}
		rows = append(rows, `</td>
`...)
		for _, value := range []*float64{p.IOPS, p.MBPerS} {
			rows = append(rows, `<td class="number">`...)
			if value != nil && *value != 0 {
				rows = markup.Append(rows, `%s`, result.Number(*value))
			}
			rows = append(rows, `</td>`...)
		}
		rows = markup.Append(rows, `<td class="number">%s</td>
<td class="medium"><a href="/sources/#%s">%s</a></td><td class="medium"><a href="/method/#%s">%s</a></td><td class="medium">%s</td><td class="long">`,
			strings.TrimSpace(p.ValueText+" "+p.Unit), strings.ToLower(p.Source), label(source), strings.ToLower(p.Method), s.method(p.Method).Label, p.Host)
		if p.Tool != "" {
			rows = markup.Append(rows, `<code>%s</code>`, p.Tool)
		}
		rows = markup.Append(rows, `</td><td class="date">%s</td><td class="long">%s</td></tr>`, p.Date, p.Note)
	}
	return markup.HTML(rows)
}

// verdictWords are the states of a class beside a run.
var verdictWords = map[string]string{speedclass.Reached: "reached", speedclass.NotReached: "not reached", speedclass.CantTell: "can’t tell"}

// resultRows is a row for each of a module's results, and whether they tell how the classes printed on the module stand by that result
// alone.
func (s *site) resultRows(m catalogue.Module, newest []submission.Submission) (html markup.HTML, judged bool) {
	verdicts := make([][]speedclass.Verdict, len(newest))
	for i, sub := range newest {
		verdicts[i] = s.verdictsOfRun(sub, m)
		judged = judged || len(verdicts[i]) > 0
	}
	var rows []byte
	for i, sub := range newest {
		rows = markup.Append(rows, `
<tr><th scope="row"><a href="/r/%s">%s <small>%s</small></a></th><td class="medium"><bdi>%s</bdi>`,
			sub.ID, sub.ReceivedAt.UTC().Format(time.DateOnly), sub.ID[:min(len(sub.ID), 8)], sub.Host)
		if sub.HostClass != "" {
			rows = markup.Append(rows, ` <small>%s</small>`, figure.HostClassLabel(sub.HostClass))
		}
		figures, ended := figure.OfRun(sub.Tests), ""
		for _, t := range sub.Tests {
			if t.Test == result.RandWrite {
				ended = string(t.Ended)
			}
		}
		rows = markup.Append(rows, `</td><td class="medium"><bdi>%s</bdi></td>%s`, sub.BusMode, cells(runKeys, figures))
		if len(sub.NotRanked) > 0 {
			rows = markup.Append(rows, `<td class="long">no: %s</td>`, strings.Join(sub.NotRanked, "; "))
		} else {
			rows = append(rows, `<td class="medium">yes</td>`...)
		}
		if judged {
			rows = append(rows, `<td class="medium">`...)
			for k, v := range verdicts[i] {
				if k > 0 {
					rows = append(rows, ", "...)
				}
				rows = markup.Append(rows, `%s&nbsp;%s`, v.Class, verdictWords[v.State])
			}
			rows = append(rows, "</td>"...)
		}
		unit := sub.UnitTag
		rows = markup.Append(rows, `<td>%s</td><td class="medium">%s, %s</td><td>%s</td><td class="date">%s</td></tr>`,
			unit[:min(len(unit), 8)], sub.Method, sub.Profile, ended, sub.Client)
	}
	return markup.HTML(rows), judged
}

// method is that of an id; one that the catalogue doesn't know is labelled by its id.
func (s *site) method(id string) catalogue.Method {
	for _, m := range s.catalogue.Methods {
		if m.ID == id {
			return m
		}
	}
	return catalogue.Method{ID: id, Label: id, UsedForUploads: true}
}
