package main

import (
	"fmt"
	"math"

	"flashdex/client/measure"
	"flashdex/result"
)

// recorderRow shows whether the module kept up, how much memory would have saved a recorder from losing data, and how
// many writes took over 0.1, 0.5 and 1 s.
func recorderRow(_ *result.Document, t *result.Test) []string {
	f := t.Figures()
	asked, keptUp := float64(t.RateBytesPerS)/1e6, "yes"
	switch {
	case t.Ended != result.Complete:
		keptUp = "no: " + unit(&f.MBPerS, "MB/s")
	case f.BufferBytes == nil:
		keptUp = "not for long"
	}
	row := []string{
		unit(&asked, "MB/s"), measure.Size(t.BlockBytes), keptUp, "-",
	}
	if f.BufferBytes != nil {
		row[3] = unit(new(float64(*f.BufferBytes)/1e6), "MB")
	}
	for _, ns := range []int64{100e6, 500e6, 1e9} {
		stalls := "-"
		if count := t.StallsAbove(ns).Count; count != nil {
			stalls = result.Count(int(*count))
		}
		row = append(row, stalls)
	}
	return append(row, ms(f.P99NS), ms(f.MaxNS))
}

// saturateRow shows the rate of each state of the module.
func saturateRow(_ *result.Document, t *result.Test) []string {
	f := t.Figures()
	rate, rounds := figure(t), "-"
	if t.Name == result.RoundWrite {
		of := result.RoundsOf(t.Intervals)
		rounds = fmt.Sprint(len(of))
		if f.IOPS == nil {
			rate = "not steady"
			if last := len(of) - 1; last >= 0 && of[last].NS > 0 {
				rate += ", last " + unit(new(float64(of[last].Ops)*1e9/float64(of[last].NS)), "IOPS")
			}
		}
	}
	ended := map[result.Ended]string{result.Complete: "all of it", result.Converged: "steady",
		result.TimeLimit: "time limit"}
	if t.IsRandom() {
		ended[result.Converged] = "settled"
	}
	return []string{t.Name, rate, intervalOf(f), result.Number(float64(t.Bytes)/1e9) + " GB", rounds, ended[t.Ended]}
}

// endureRow shows how one test went over the module's life.
func endureRow(_ *result.Document, t *result.Test) []string {
	f, passes := t.Figures(), t.Intervals
	rate := func(v result.Interval) string {
		moved := v.Bytes - v.FailedOps*t.BlockBytes
		return unit(new(float64(moved)*1e3/float64(max(v.NS, 1))), "MB/s")
	}
	sum := result.SumIntervals(passes)
	count := func(n int64) string { return result.Count(int(n)) }
	return []string{t.Name, unit(&f.MBPerS, "MB/s"), rate(passes[0]), rate(passes[len(passes)-1]),
		result.Number(float64(t.Bytes) / float64(t.AreaBytes)), count(t.Ops), count(sum.WrongOps), count(sum.FailedOps),
		string(t.Ended)}
}

// lifeWords says how long a module lasted.
func lifeWords(doc *result.Document) string {
	life, _ := result.LifeOf(doc.Tests)
	first, end := "No error was seen.", "It lasts longer than it was watched."
	if life.FirstError > 0 {
		first = fmt.Sprintf("The first error was seen in pass %s.", result.Number(math.Ceil(life.FirstError)))
	}
	if life.Dead {
		end = fmt.Sprintf("It was dead after %s passes.", result.Number(life.Cycles))
	}
	return first + " " + end + " A pass writes all of the module once; blocks have 1 MiB."
}

// mixedRows shows the rate of mixed reads and writes, and how much rate a rest brings back.
func mixedRows(doc *result.Document) [][]string {
	all := [][]string{{"RANDOM", "RATE", "TIMES AS MANY", "99.9 % INTERVAL"}}
	for i := range doc.Tests {
		t := &doc.Tests[i]
		switch t.Name {
		case result.Mixed:
			f := t.Figures()
			all = append(all, []string{"70 % reads, 30 % writes", unit(f.IOPS, "IOPS"), "-", "-"})
		case result.RestedWrite:
			for _, rest := range result.RestsNS {
				row := []string{fmt.Sprintf("writes after %d s of rest", rest/1e9), unit(t.RateAfterRest(rest), "IOPS"), "-", "-"}
				if rest == 0 {
					row[0] = "writes without a rest"
				} else if r := t.AfterRest(rest); r.Low > 0 {
					row[2], row[3] = result.Number(r.Times), result.Number(r.Low)+" to "+result.Number(r.High)
				}
				all = append(all, row)
			}
		}
	}
	return all
}

// queueRows shows how much faster the module is with several operations at once.
func queueRows(doc *result.Document) [][]string {
	all := [][]string{{"OPERATION", "ONE AT A TIME", "32 AT ONCE", "TIMES AS MANY", "99.9 % INTERVAL", "UNDER WAY"}}
	rate := func(t *result.Test, depth int64) string {
		e := t.AtDepth(depth)
		return unit(&e.IOPS, "IOPS")
	}
	for i := range doc.Tests {
		t := &doc.Tests[i]
		f := t.Figures()
		switch {
		case t.Name == result.SameRead:
			all = append(all, []string{"read of one block", rate(t, 1), "-", "-", "-", "-"})
		case t.Name == result.CheckedRead:
			name := fmt.Sprintf("read back, %s wrong", result.Count(int(t.WrongOps)))
			all = append(all, []string{name, "-", rate(t, result.MostDepth), "-", "-", "-"})
		case result.Queued(t.Name):
			times, interval, underWay := "can't tell", "-", "-"
			if f.Ratio != nil {
				times, interval = result.Number(*f.Ratio), result.Number(*f.RatioLow)+" to "+result.Number(*f.RatioHigh)
			}
			if f.UnderWay != nil {
				underWay = result.Number(*f.UnderWay)
			}
			name := map[string]string{result.QueuedRead: "random read", result.QueuedWrite: "random write"}[t.Name]
			all = append(all, []string{name, rate(t, 1), rate(t, result.MostDepth), times, interval, underWay})
		}
	}
	return all
}

// readBack says how much was read back and compared.
func readBack(doc *result.Document) string {
	t := doc.Test(result.CheckedRead)
	switch {
	case t == nil:
		return "Nothing was read back and compared."
	case t.DiscardOps == 0:
		return fmt.Sprintf("%s blocks were read back and compared; the kernel counted no discard beside them.",
			result.Count(int(t.Ops)))
	}
	return fmt.Sprintf("%s blocks were read back and compared, beside %s discards.",
		result.Count(int(t.Ops)), result.Count(int(t.DiscardOps)))
}

// structureRows shows what each test found out about the inside of a module, or that it found out nothing.
func structureRows(doc *result.Document) [][]string {
	all := [][]string{{"INSIDE", "FOUND", "TIMES AS LONG", "99.9 % INTERVAL"}}
	for i := range doc.Tests {
		t := &doc.Tests[i]
		f := t.Figures()
		found, times, interval := "can't tell", "-", "-"
		if f.Ratio != nil {
			times = result.Number(*f.Ratio)
			interval = result.Number(*f.RatioLow) + " to " + result.Number(*f.RatioHigh)
		}
		var what string
		switch {
		case t.Name == result.TurnWrite || t.Name == result.KeptWrite:
			what = "open units; one more"
			if t.Name == result.KeptWrite {
				what = "open units, chosen; another"
				all = append(all, []string{"allocation unit", sizeOf(f.AllocationUnitBytes, found), "-", "-"})
			}
			if f.OpenUnits != nil && *f.OpenUnits == result.MostPlaces {
				found = "64 or more"
			} else if f.OpenUnits != nil {
				found = fmt.Sprint(*f.OpenUnits)
			}
		case t.Name == result.GapWrite:
			what, found = "allocation unit", sizeOf(f.AllocationUnitBytes, found)
		case t.Name == result.AcrossWrite && t.BlockBytes == result.PageBlockBytes:
			what, found = "page", sizeOf(f.PageBytes, found)
			if f.PageBytes != nil && *f.PageBytes == result.UnalignedBytes {
				found += " or less"
			}
		case t.Name == result.AcrossWrite:
			what, found = "unaligned 4 KiB", "-"
		case t.Name == result.PlaceWrite:
			what, found = "middle against beginning", "-"
		default:
			continue
		}
		all = append(all, []string{what, found, times, interval})
	}
	return all
}

func sizeOf(bytes *int64, unknown string) string {
	if bytes == nil {
		return unknown
	}
	return measure.Size(*bytes)
}
