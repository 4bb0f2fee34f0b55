package figure

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// maxBoards is how many models of hosts a summary names: those with the most units.
const maxBoards = 12

// BoardUnits is how many units of a module were measured in hosts of one model, and count.
type BoardUnits struct {
	Board string `json:"board"` // by BoardName
	Units int    `json:"units"`
}

var reRevision = regexp.MustCompile(` Rev \d+(\.\d+)?$`)

// BoardName is the model of a host without its revision: "Raspberry Pi 4 Model B" of "Raspberry Pi 4 Model B Rev 1.4".
func BoardName(board string) string { return reRevision.ReplaceAllString(board, "") }

// boardNames are the models that a unit was measured in, each once.
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
