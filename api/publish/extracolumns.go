package publish

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/ranking"
	"flashdex/result"
)

// extraColumn is a column of an answer's table that isn't part of the score.
type extraColumn struct {
	Key, Label, Unit string
	Note             string // what it means

	cell func(ranking.Answer) page.Cell
}

// extraColumns returns the columns of a question's table that aren't part of its score.
func (s *site) extraColumns(question string) []extraColumn {
	switch question {
	case "camera":
		return s.waitColumns()
	case "database":
		return s.insideColumns()
	case "home-assistant":
		return append([]extraColumn{{"rounds", "Rounds to first error", "", "Rounds: how often somebody wrote single " +
			"cards full until their first error, from the least to the most; n is the number of cards.",
			roundsCell}}, s.insideColumns()...)
	}
	return nil
}

// roundsCell shows after how many rounds units of the module had their first error.
func roundsCell(r ranking.Answer) page.Cell {
	cell, rounds := page.Cell{Class: "number"}, r.FirstErrors
	if len(rounds) == 0 {
		return cell
	}
	least, most := slices.Min(rounds), slices.Max(rounds)
	cell.Value, cell.Sort, cell.N = result.Count(least), fmt.Sprint(least), result.Count(len(rounds))
	if least < most {
		cell.Value += " to " + result.Count(most)
	}
	return cell
}

// recording summarizes how a module kept up with a camera, over the runs that its page shows.
type recording struct {
	waitS     float64 // the longest time for which a block waited
	runs      int
	late      bool            // it fell behind in one of them
	lateUnits map[string]bool // units that fell behind in a host whose bus carries the rate
}

// readProfiled reads what runs of the structure profile found in modules, how long units lasted, and how modules kept
// up with a camera at each recording rate, in MB/s. It notes in the modules' rows at which rates they fell behind.
func (s *site) readProfiled(ctx context.Context) error {
	var slugs, endured []string
	for i := range s.snapshot.Summaries {
		sum := &s.snapshot.Summaries[i]
		if _, known := s.modules[sum.ModuleSlug]; !known || !sum.Whole() {
			continue
		}
		switch sum.Method {
		case result.MethodRecording1, result.MethodStructure1:
			slugs = append(slugs, sum.ModuleSlug)
		case result.MethodEndure1:
			endured = append(endured, sum.ModuleSlug)
		}
	}
	slices.Sort(slugs)
	slugs = slices.Compact(slugs)
	s.recordings, s.insides = map[string]map[int64]recording{}, map[string]inside{}
	s.lives = map[string][]result.Life{}
	if len(endured) > 0 {
		runs, err := s.results.Lives(ctx, endured)
		if err != nil {
			return err
		}
		for slug, of := range runs {
			s.lives[slug] = livesOf(of)
		}
	}
	if len(slugs) == 0 {
		return nil
	}
	return s.results.Profiled(ctx, slugs, func(slug string, runs []figure.ProfiledRun) error {
		s.recordings[slug], s.insides[slug] = recordingsOf(runs), insideOf(runs)
		for _, placed := range s.placed[slug] {
			placed.row.FellBehind = fellBehind(s.recordings[slug])
		}
		return nil
	})
}

// recordingsOf takes the longest wait of all runs, because one long wait is enough for a camera to lose pictures.
func recordingsOf(runs []figure.ProfiledRun) map[int64]recording {
	of := map[int64]recording{}
	for _, run := range runs {
		for _, t := range run.Tests {
			rate := result.RecordedMBPerS(t.Name)
			if run.Method != result.MethodRecording1 || rate == 0 {
				continue
			}
			r := of[rate]
			if r.runs++; r.lateUnits == nil {
				r.lateUnits = map[string]bool{}
			}
			if t.Ended != result.Complete {
				r.late = true
				if run.BusMBPerS >= float64(rate) {
					r.lateUnits[run.Unit] = true
				}
			}
			r.waitS = max(r.waitS, float64(result.SumIntervals(t.Intervals).BehindNS)/1e9)
			of[rate] = r
		}
	}
	return of
}

// fellBehind returns the lowest recording rate, in MB/s, at which two units of a module fell behind in hosts whose bus
// carries it; 0: none is known. A single unit isn't enough: it may be broken, or its owner may lie.
func fellBehind(recordings map[int64]recording) (mbPerS float64) {
	for rate, of := range recordings {
		if len(of.lateUnits) > 1 && (mbPerS == 0 || float64(rate) < mbPerS) {
			mbPerS = float64(rate)
		}
	}
	return mbPerS
}

// waitColumns say, for each rate of the recording profile, how long data waited at most for the module.
func (s *site) waitColumns() (columns []extraColumn) {
	for _, of := range result.Recordings {
		column := extraColumn{
			Key: fmt.Sprintf("wait-%d", of.MBPerS), Label: fmt.Sprintf("Longest wait at %d MB/s", of.MBPerS), Unit: "s",
			Note: "For how long data of a recording waited at most until the module had them, of all runs of flashdex " +
				"--profile recording that its page shows. A camera’s memory must bridge it. “Falls behind”: the module " +
				"didn’t keep up in one of them.",
			cell: func(r ranking.Answer) page.Cell { return waitCell(s.recordings[r.Module.Slug][of.MBPerS]) },
		}
		columns = append(columns, column)
	}
	return columns
}

func waitCell(r recording) page.Cell {
	switch {
	case r.runs == 0:
		return page.Cell{Class: "number"}
	case r.late:
		return page.Cell{Class: "number", Value: "falls behind", N: result.Count(r.runs), Sort: beyondAll}
	}
	return page.Cell{Class: "number", Value: result.Number(r.waitS), N: result.Count(r.runs), Sort: page.Sortable(r.waitS)}
}

// hereColumns show how much of a module's linear rates a slot leaves whose bus carries at most limit, in MB/s; 0:
// nobody knows.
func hereColumns(limit float64) (columns []extraColumn) {
	if limit == 0 {
		return nil
	}
	for _, key := range []string{figure.SeqWriteMBPerS, figure.SeqReadMBPerS} {
		label := figure.MetricOf(key).Label + " here"
		columns = append(columns, extraColumn{
			Key: strings.ReplaceAll(key, "_", "-") + "-here", Label: label, Unit: "MB/s",
			Note: fmt.Sprintf("The module’s rate, or the %s MB/s that the bus carries where it is more.", result.Number(limit)),
			cell: func(r ranking.Answer) page.Cell {
				f, known := r.Figures.Find(key)
				if !known {
					return page.Cell{Class: "number"}
				}
				left := f.Through(limit)
				left.Low, left.High, left.N = nil, nil, 0 // these stand beside the figure itself
				cell := page.CellOf("number", left)
				cell.Sort = page.Sortable(left.Value)
				return cell
			},
		})
	}
	return columns
}
