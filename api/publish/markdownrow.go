package publish

import (
	"strings"

	"flashdex/api/figure"
	"flashdex/api/ranking"
)

// escapeMarkdown writes a text so that Markdown shows it as it is, in a link in a table. command.html takes SITE for
// the address of the site.
var escapeMarkdown = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`,
	">", `\>`, "|", `\|`, "~", `\~`, "#", `\#`, "&", `\&`, "SITE", "SIT&#69;")

// markdownRow is a table of one row for other sites: the main figures of a module, and what they rest on. Forums and
// READMEs take Markdown. An HTML page can show the picture instead: a table in HTML would take ten lines on each
// module's page.
func markdownRow(r *ranking.Row, units, method string) string {
	head := []string{"Module"}
	cells := []string{"[" + escapeMarkdown.Replace(r.Name()) + "](SITE" + modulePath(r.Module.Slug) + ")"}
	for i, cell := range figureCells(figure.MainFigures, r.Figures) {
		m := figure.MetricOf(figure.MainFigures[i])
		head = append(head, m.Label+", "+m.Unit)
		value := strings.ReplaceAll(cell.Value, "\u00a0", " ")
		if cell.Interval != "" {
			value += " (" + cell.Interval + ")"
		}
		cells = append(cells, value)
	}
	behind := strings.TrimPrefix(units+", "+method, ", ")
	head, cells = append(head, "Behind it"), append(cells, escapeMarkdown.Replace(behind))
	rule := strings.Repeat("|---", len(head)) + "|"
	return "| " + strings.Join(head, " | ") + " |\n" + rule + "\n| " + strings.Join(cells, " | ") + " |"
}
