package publish

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/ranking"
	"flashdex/result"
)

// explored holds every row of every table in one file, for the page that sorts and filters them.
type explored struct {
	Columns []ranking.Column    `json:"columns"`
	Words   map[string][]string `json:"words"` // of the columns whose cells are indices into these lists
	Rows    [][]any             `json:"rows"`  // a cell for each column, null where nothing is known
	// Calibration is the version by which the figures were made; 0: the assumptions.
	Calibration int `json:"calibration"`

	prices map[string]map[string]float64 // price per GB, by the key of the currency's column and by slug
}

// explorePage is what the page shows before a script has fetched all rows.
type explorePage struct {
	Columns []ranking.Column
	Methods []string   // labels of the methods that have rows
	Method  string     // the one of them that the page shows first
	Rows    int        // of Method
	Others  int        // of other methods
	Empty   []string   // keys of the columns that are empty in all rows of Method
	First   []tableRow // of Method
}

// exploredRow is a row of the explorer's table.
type exploredRow struct {
	*ranking.Row
	place  ranking.Place
	method string // label; empty: nobody has measured the module
}

// last is 1 if the row comes after the others because too few people measured the module; else it is 0.
func (r exploredRow) last() int {
	if r.Results > 0 && r.place.First == 0 {
		return 1
	}
	return 0
}

// newExplored returns a table without rows. Its columns are the rankings' columns, the method (which rankings show as
// sections) and columns of this table alone, among them the price per GB in each currency, the most frequent first.
func (s *site) newExplored() *explored {
	e := &explored{
		Columns: append(slices.Clone(ranking.Columns), ranking.MethodColumn, ranking.HostsColumn, ranking.OpenUnitsColumn,
			ranking.AllocationUnitColumn),
		Words: map[string][]string{}, Rows: [][]any{}, prices: map[string]map[string]float64{},
	}
	if s.snapshot.Calibrations != nil {
		e.Calibration = s.snapshot.Calibrations.Version
	}
	for currency, of := range s.pricesPerGB() {
		column := ranking.PriceColumn(currency)
		e.Columns, e.prices[column.Key] = append(e.Columns, column), of
	}
	slices.SortFunc(e.Columns[len(e.Columns)-len(e.prices):], func(a, b ranking.Column) int {
		return cmp.Or(cmp.Compare(len(e.prices[b.Key]), len(e.prices[a.Key])), cmp.Compare(a.Key, b.Key))
	})
	// The server accepts any three letters as a currency, and each currency takes a column.
	for len(e.prices) > maxCurrencies {
		last := len(e.Columns) - 1
		delete(e.prices, e.Columns[last].Key)
		e.Columns = e.Columns[:last]
	}
	return e
}

// pricesPerGB returns the prices of modules per GB, by currency and slug: the median of what contributors paid, else of
// what sources of published figures paid.
func (s *site) pricesPerGB() map[string]map[string]float64 {
	all := map[string]map[string]float64{}
	add := func(currency string, m catalogue.Module, amount float64) {
		if perGB := ranking.PricePerGB(m, figure.PriceMedian{Amount: amount}); perGB > 0 {
			if all[currency] == nil {
				all[currency] = map[string]float64{}
			}
			if all[currency][m.Slug] == 0 {
				all[currency][m.Slug] = rounded(perGB)
			}
		}
	}
	for _, method := range s.catalogue.Methods {
		for _, r := range s.rows[method.ID] {
			for _, p := range r.Prices {
				add(p.Currency, r.Module, p.Amount)
			}
		}
	}
	return all
}

// maxCurrencies limits how many currencies have a column: the ones in which the most modules have a price.
const maxCurrencies = 3

// firstExplored is the number of rows that the page shows before a script has fetched all.
const firstExplored = 20

// explore lists every module by every method, and the modules that nobody has measured. Stacks have a page of their
// own.
func (s *site) explore() (text []byte, shown explorePage, err error) {
	rows := s.exploredRows()
	e := s.newExplored()
	for _, r := range rows {
		e.Rows = append(e.Rows, s.exploredCells(e, r))
	}
	if text, err = json.Marshal(e); err != nil {
		return nil, shown, fmt.Errorf("publish: %w", err)
	}
	methods := append([]string{}, e.Words[ranking.MethodColumn.Key]...)
	shown = explorePage{Columns: e.Columns, Methods: methods, Method: firstMethod(rows), Empty: []string{},
		First: []tableRow{}}
	known := map[string]bool{"rank": true, figure.RandWriteIOPS: true} // the columns that choose and sort the rows
	for i, r := range rows {
		if r.method != "" && r.method != shown.Method {
			shown.Others++
		}
		for at, column := range e.Columns {
			known[column.Key] = known[column.Key] || e.Rows[i][at] != nil && r.method == shown.Method
		}
	}
	for _, column := range e.Columns {
		if !known[column.Key] {
			shown.Empty = append(shown.Empty, column.Key)
		}
	}
	rows = slices.DeleteFunc(rows, func(r exploredRow) bool { return r.method != shown.Method })
	slices.SortStableFunc(rows, func(a, b exploredRow) int { return cmp.Compare(a.last(), b.last()) })
	shown.Rows = len(rows)
	for _, r := range rows[:min(firstExplored, len(rows))] {
		shown.First = append(shown.First, s.tableRow(r.Row, r.place, s.firstCells(e, shown.Empty, r)))
	}
	return text, shown, nil
}

// firstMethod returns the method that ranks the most modules. Of several such methods it takes the one with the most
// rows, then the one nearest to ours. If nobody has measured anything, it returns "".
func firstMethod(rows []exploredRow) (method string) {
	ranked, all := map[string]int{}, map[string]int{}
	for _, r := range rows {
		if all[r.method]++; r.place.First > 0 {
			ranked[r.method]++
		}
	}
	for _, r := range rows {
		if r.method != "" && (method == "" || ranked[r.method] > ranked[method] ||
			ranked[r.method] == ranked[method] && all[r.method] > all[method]) {
			method = r.method
		}
	}
	return method
}

// exploredRows are all rows, by method and then by 4K random write.
func (s *site) exploredRows() (rows []exploredRow) {
	listed := map[string]bool{}
	for _, m := range s.catalogue.Methods {
		ranking.Sort(s.rows[m.ID], figure.RandWriteIOPS)
		places, _ := ranking.Ranks(s.rows[m.ID], figure.RandWriteIOPS)
		for i, place := range places {
			if r := s.rows[m.ID][i]; r.Reference == "" {
				listed[r.Module.Slug] = true
				rows = append(rows, exploredRow{r, place, m.Label})
			}
		}
	}
	for _, m := range s.snapshot.Modules {
		if !listed[m.Slug] && m.Form != catalogue.FormStack {
			rows = append(rows, exploredRow{Row: &ranking.Row{Module: m}})
		}
	}
	return rows
}

// exploredCells makes a row of the file. A module is its slug and name, a rank its first and last place. A figure is
// its value, or the value and its interval, or the least and the greatest of several values. If only a lower bound is
// known, the upper end is null. A cliff that never came is "none".
func (s *site) exploredCells(e *explored, r exploredRow) []any {
	cells := make([]any, len(e.Columns))
	counts := s.besides(r.Row)
	counts["capacity_gb"], counts["units"], counts["results"] = r.Module.CapacityGB, float64(r.Units), float64(r.Results)
	counts["contributors"] = float64(r.Contributors)
	for i, column := range e.Columns {
		f, has := r.Figures.Find(column.Key)
		switch key := column.Key; {
		case key == "rank" && r.place.First > 0:
			cells[i] = [2]int{r.place.First, r.place.Last}
		case key == "module":
			cells[i] = [2]string{r.Module.Slug, r.Module.Name()}
		case counts[key] != 0:
			cells[i] = counts[key]
		case e.prices[key][r.Module.Slug] != 0:
			cells[i] = e.prices[key][r.Module.Slug]
		case key != "rank" && column.Type != "number":
			cells[i] = e.place(key, s.exploredText(key, r))
		case key == figure.SeqWriteCliffMB && r.NoCliff():
			cells[i] = "none"
		case has && f.To > 0:
			cells[i] = [2]float64{rounded(f.Value), rounded(f.To)}
		case has && f.AtLeast:
			cells[i] = [3]any{rounded(f.Value), rounded(f.Value), nil}
		case has && f.Low != nil:
			cells[i] = [3]float64{rounded(f.Value), rounded(*f.Low), rounded(*f.High)}
		case has:
			cells[i] = rounded(f.Value)
		}
	}
	return cells
}

// besides returns the numbers of a row that only this table shows, by the keys of their columns; 0: not known.
func (s *site) besides(r *ranking.Row) map[string]float64 {
	inside := s.insides[r.Module.Slug]
	return map[string]float64{
		ranking.HostsColumn.Key:          result.Round(100*r.Figures.At(figure.RandWriteIOPS).HostsShare, 2),
		ranking.OpenUnitsColumn.Key:      least(inside.openUnits),
		ranking.AllocationUnitColumn.Key: least(inside.unitBytes) / (1 << 20),
	}
}

// place is the index of a text in the list of its column; nil for an empty text.
func (e *explored) place(column, text string) any {
	if text == "" {
		return nil
	}
	at := slices.Index(e.Words[column], text)
	if at < 0 {
		at = len(e.Words[column])
		e.Words[column] = append(e.Words[column], text)
	}
	return at
}

// firstCells returns the cells of a row on the page, after the module. They are as in a ranking, but without n and
// tints. Cells of empty columns are hidden.
func (s *site) firstCells(e *explored, empty []string, r exploredRow) (cells []page.Cell) {
	ranked, besides := rankingCells(r.Row), s.besides(r.Row)
	for i, column := range e.Columns[2:] {
		cell := page.Cell{Class: "col-" + column.Key + " g-" + column.Group}
		price, priced := e.prices[column.Key]
		number, ours := besides[column.Key]
		switch {
		case slices.Contains(empty, column.Key):
			cell.Class += " folded"
		case priced:
			cell.Class += " number"
			if of := price[r.Module.Slug]; of != 0 {
				cell.Value = result.Number(of)
			}
		case column.Key == ranking.MethodColumn.Key:
			cell = page.Cell{Class: "col-" + column.Key, Value: r.method}
		case ours:
			cell.Class += " number"
			if number != 0 {
				cell.Value = result.Number(number)
			}
		case column.Type != "number":
			cell.Value = s.exploredText(column.Key, r)
		default:
			cell.Class += " number"
			cell.Value, cell.Interval = ranked[i].Value, ranked[i].Interval
			if cell.Value == "0" && column.Scale == nil { // the file has no such 0
				cell.Value = ""
			}
		}
		cells = append(cells, cell)
	}
	return cells
}

// exploredText is the text of a column that holds no number.
func (s *site) exploredText(key string, r exploredRow) string {
	switch key {
	case "form":
		return catalogue.FormLabel(r.Module.Form)
	case "classes":
		return strings.Join(r.Module.Classes, " ")
	case ranking.MethodColumn.Key:
		return r.method
	}
	var labels []string
	for _, link := range s.sourceLinks(r.Sources) {
		labels = append(labels, link.Label)
	}
	if len(labels) == 0 && r.Results > 0 {
		return "Flashdex users"
	}
	return strings.Join(labels, ", ")
}

// rounded keeps four digits, one more than pages show, or more if four would be shown as another number.
func rounded(v float64) float64 {
	for n := 4; n < 8; n++ {
		if r := result.Round(v, n); result.Round(r, 3) == result.Round(v, 3) {
			return r
		}
	}
	return result.Round(v, 3)
}
