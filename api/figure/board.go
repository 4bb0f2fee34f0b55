package figure

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// maxBoards limits how many models of hosts a summary names: the ones with the most units.
const maxBoards = 12

// BoardUnits counts the units of a module that were measured in hosts of one model.
type BoardUnits struct {
	Board string `json:"board"` // by BoardName
	Units int    `json:"units"`
}

var reRevision = regexp.MustCompile(` Rev \d+(\.\d+)?$`)

// BoardName returns the model of a host without its revision: "Raspberry Pi 4 Model B" of "Raspberry Pi 4 Model B Rev
// 1.4".
func BoardName(board string) string { return reRevision.ReplaceAllString(board, "") }

// boardNames returns the models of hosts in which a unit was measured, each once.
func boardNames(u *Unit) (names []string) {
	for _, b := range u.Boards {
		if name := BoardName(b); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// mostUsed lists the models with the most units.
func mostUsed(units map[string]int) []BoardUnits {
	all := make([]BoardUnits, 0, len(units))
	for board, n := range units {
		all = append(all, BoardUnits{board, n})
	}
	slices.SortFunc(all, func(a, b BoardUnits) int {
		return cmp.Or(cmp.Compare(b.Units, a.Units), strings.Compare(a.Board, b.Board))
	})
	return all[:min(len(all), maxBoards)]
}
