package transcript

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"flashdex/result"
)

// fioHeader reads the line of a job before it runs: "name: (g=0): rw=read, bs=(R) 4096B-4096B, ..., iodepth=1".
func fioHeader(line string) (name, rest string, ok bool) {
	name, rest, ok = strings.Cut(line, ": (g=")
	return strings.TrimSpace(name), rest, ok && strings.Contains(rest, "): rw=")
}

// fioCommand returns the words after fio in a command line that names a job, or nil.
func fioCommand(line string) []string {
	words := strings.Fields(line)
	at := slices.IndexFunc(words, func(word string) bool { return word == "fio" || strings.HasSuffix(word, "/fio") })
	if at < 0 || at+1 >= len(words) || !strings.HasPrefix(words[at+1], "-") {
		return nil
	}
	return words[at+1:]
}

// maxFioCommand is the most lines of a command.
const maxFioCommand = 100

func fioBegins(t *text) bool {
	_, _, isHeader := fioHeader(t.line())
	return isHeader || len(fioCommand(t.line())) > 0 || strings.Contains(t.line(), ": (groupid=")
}

// fioText reads fio's output for people. It also reads the command before it, if there is one, since the text shows
// neither whether I/O was direct nor how it was flushed.
func fioText(s *section) error {
	s.tool = result.ToolFio
	var options map[string]map[string]string // by job, "" for all; nil: not known
	if words := fioCommand(s.line()); words != nil {
		for s.at++; strings.HasSuffix(s.lines[s.at-1], `\`) && s.at < len(s.lines) && s.at-s.from < maxFioCommand; s.at++ {
			words = append(words, strings.Fields(s.line())...)
		}
		options = fioOptions(slices.DeleteFunc(words, func(word string) bool { return word == `\` }))
		for s.at < len(s.lines) && !s.beginsAny() {
			s.at++
		}
		if jsonBegins(s.text) { // the JSON holds all the facts
			return nil
		}
		if _, _, ok := fioHeader(s.line()); !ok {
			return errors.New("a command without its output")
		}
	}
	heads := map[string]map[string]string{}
	var jobs []fioJob
	printed, results := "", false
	var started int64
	for ; s.at < len(s.lines); s.at++ {
		line := s.line()
		text := strings.TrimSpace(line)
		name, rest, isHeader := fioHeader(line)
		switch {
		case isHeader && results:
			return s.fioTextJobs(printed, started, jobs)
		case isHeader:
			heads[name] = fioHead(rest)
		case strings.HasPrefix(text, "Starting ") && started == 0:
			started = startedIn(text)
		case strings.HasPrefix(text, "fio-") && printed == "":
			printed = text
		case strings.Contains(text, ": (groupid="):
			if len(heads) == 0 {
				s.skipFio()
				before := s.from - 1
				for before > 0 && strings.TrimSpace(s.lines[before]) == "" {
					before--
				}
				if before > 0 && s.lines[before] == "}" {
					s.leave("the figures of its JSON once more, as text")
					return nil
				}
				return errors.New("figures without the line above them that names their options")
			}
			results = true
			job := fioJob{Options: map[string]string{}, shown: options != nil}
			if err := job.begin(text); err != nil {
				return err
			}
			maps.Copy(job.Options, options[""])
			maps.Copy(job.Options, options[job.Name])
			maps.Copy(job.Options, heads[job.Name])
			for _, key := range []string{"rw", "readwrite"} { // the head lacks what comes after a colon
				if way := cmp.Or(options[job.Name][key], options[""][key]); strings.Contains(way, ":") {
					job.Options["readwrite"] = way
				}
			}
			job.Options["numjobs"], _ = between(text, "jobs=", ")")
			jobs = append(jobs, job)
			s.at++
			if err := jobs[len(jobs)-1].readText(s.text); err != nil {
				return fmt.Errorf("job %q: %w", shorten(job.Name), err)
			}
			s.at--
			_, printedDay, _ := strings.Cut(text, ": pid=")
			_, printedDay, _ = strings.Cut(printedDay, ":")
			s.day = cmp.Or(day(printedDay, ctime), s.day)
		case jsonBegins(s.text) && !results: // --output-format=normal,json
			return nil
		case fioBegins(s.text) || s.beginsAny():
			return s.fioTextJobs(printed, started, jobs)
		case results && !ofFio(line):
			return s.fioTextJobs(printed, started, jobs)
		}
	}
	return s.fioTextJobs(printed, started, jobs)
}

// ofFio reports whether a line can belong to fio's output after its first figures.
func ofFio(line string) bool {
	return line == "" || unicode.IsSpace(rune(line[0])) || strings.HasPrefix(line, "Run status group") ||
		strings.HasPrefix(line, "Disk stats") || strings.Contains(line, ": (groupid=")
}

// skipFio goes on after the figures of jobs.
func (s *section) skipFio() {
	for s.at < len(s.lines) && ofFio(s.line()) {
		s.at++
	}
}

// startedIn reads "Starting 4 processes" or "Starting 1 thread and 2 processes".
func startedIn(text string) (n int64) {
	for word := range strings.FieldsSeq(text) {
		if part, ok := count(word); ok && part < maxTests*1024 {
			n += part
		}
	}
	return n
}

// fioTextJobs adds the jobs of one fio, which started this many processes.
func (s *section) fioTextJobs(printed string, started int64, jobs []fioJob) error {
	var n int64
	for i := range jobs {
		number, _ := count(jobs[i].Options["numjobs"])
		n += number
	}
	if n == 0 || n < started {
		return errors.New("a job without its figures; the output is not whole")
	}
	return s.fioJobs(printed, jobs)
}

// fioOptions reads the options of a command line by job. Options before the first job are under "".
func fioOptions(words []string) map[string]map[string]string {
	all := map[string]map[string]string{"": {}}
	job := ""
	for i, word := range words {
		key, value, found := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if !strings.HasPrefix(word, "-") {
			continue
		}
		if !found && i+1 < len(words) && !strings.HasPrefix(words[i+1], "-") {
			value, found = words[i+1], true
		}
		if !found {
			value = "1"
		}
		value = strings.Trim(value, `"'`)
		if key == "name" {
			job = value
			all[job] = map[string]string{}
			continue
		}
		all[job][key] = value
	}
	if len(all) == 2 { // one job, whose results may have any name
		for _, options := range all {
			maps.Copy(all[""], options)
		}
	}
	return all
}

// fioHead reads the options in the line of a job: rw, bs, ioengine and iodepth.
func fioHead(rest string) map[string]string {
	set := map[string]string{}
	for _, key := range []string{"rw", "ioengine", "iodepth"} {
		if value, ok := between(rest+",", key+"=", ","); ok {
			set[key] = value
		}
	}
	side := "(R) "
	if strings.Contains(set["rw"], "write") {
		side = "(W) "
	}
	sizes, _ := between(rest+",", side, ",")
	from, to, _ := strings.Cut(sizes, "-")
	if set["bs"] = from; from != to {
		set["bs"] = sizes
	}
	return set
}

// begin reads the first line of a job's results: "name: (groupid=0, jobs=1): err= 0: pid=1: Wed Nov 25 02:00:15 2026".
func (job *fioJob) begin(line string) error {
	name, rest, _ := strings.Cut(line, ": (groupid=")
	group, _, _ := strings.Cut(rest, ",")
	failed, ok := between(rest, "err=", ":")
	failed, _, _ = strings.Cut(failed, " ")
	id, isNumber := count(group)
	number, isError := count(failed)
	if !ok || !isNumber || !isError {
		return errors.New("the first line of a job's figures is damaged")
	}
	job.Name, job.Group, job.Error = name, int(id), int(number)
	return nil
}

// readText reads the lines of a job up to the next one.
func (job *fioJob) readText(t *text) error {
	var side *fioSide
	percentileNS := 0.0
	for ; t.at < len(t.lines); t.at++ {
		line := t.line()
		text := strings.TrimSpace(line)
		key, rest, _ := strings.Cut(text, ":")
		key, unit, _ := strings.Cut(key, "(")
		switch key = strings.TrimSpace(key); {
		case key == "read" || key == "write":
			if side = &job.Read; key == "write" {
				side = &job.Write
			}
			percentileNS = 0
			if err := side.readRate(rest); err != nil {
				return err
			}
		case key == "clat" && side != nil:
			if text, ok := between(rest, "max=", ","); ok {
				side.Completion.MaxNS = fioNumber(text) * fioUnits[strings.TrimRight(unit, ")")]
			}
		case key == "clat percentiles" && side != nil:
			percentileNS = fioUnits[strings.TrimRight(unit, ")")]
			side.Completion.Percentile = map[string]float64{}
		case strings.HasPrefix(text, "|") && percentileNS > 0:
			side.readPercentiles(text, percentileNS)
		case key == "issued rwts":
			totals, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(rest), "total="), " ")
			fields := strings.Split(totals, ",")
			reads, ok := count(fields[0])
			if !ok || len(fields) < 2 {
				return errors.New("its number of operations is damaged")
			}
			job.Read.TotalIOs = reads
			if job.Write.TotalIOs, ok = count(fields[1]); !ok {
				return errors.New("its number of operations is damaged")
			}
			t.at++
			return job.settle()
		case strings.Contains(text, ": (groupid=") || key == "Run status group":
			return errors.New("its number of operations is missing; the output is not whole")
		default:
			if !strings.HasPrefix(text, "lat") && !strings.HasPrefix(text, "slat") {
				percentileNS = 0
			}
		}
	}
	return errors.New("its number of operations is missing; the output is not whole")
}

var fioUnits = map[string]float64{"nsec": 1, "usec": 1e3, "msec": 1e6, "sec": 1e9}

// fioNumber reads a number that may end with k for thousands or M for millions; NaN: it is none.
func fioNumber(text string) float64 {
	text = strings.TrimSpace(text)
	scale := 1.0
	if number := strings.TrimRight(text, "kKmM"); number != text {
		scale = map[string]float64{"k": 1e3, "m": 1e6}[strings.ToLower(text[len(number):])]
		text = number
	}
	if n, ok := decimal(text); ok {
		return n * scale
	}
	return math.NaN()
}

// readRate reads "IOPS=1185, BW=1185MiB/s (1243MB/s)(32.0MiB/27msec); 0 zone resets".
func (side *fioSide) readRate(rest string) error {
	iops, ok := between(rest, "IOPS=", ",")
	moved, hasMoved := between(rest, ")(", ")")
	size, took, _ := strings.Cut(moved, "/")
	ms, isTime := count(strings.TrimSuffix(took, "msec"))
	unitAt := strings.IndexFunc(size, unicode.IsLetter)
	if !ok || !hasMoved || !isTime || unitAt < 0 {
		return errors.New("its rate is damaged")
	}
	bytes, isSize := scaled(size[:unitAt], size[unitAt:])
	if side.IOPS = fioNumber(iops); !isSize || math.IsNaN(side.IOPS) {
		return errors.New("its rate is damaged")
	}
	side.RuntimeMS, side.printedBytes = ms, bytes
	return nil
}

// readPercentiles reads "| 50.00th=[  231], 60.00th=[  233]".
func (side *fioSide) readPercentiles(text string, unitNS float64) {
	for part := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(strings.Trim(part, "| "), "th=[")
		if n, isNumber := decimal(strings.TrimSpace(strings.TrimSuffix(value, "]"))); ok && isNumber {
			side.Completion.Percentile[name+"0000"] = n * unitNS
		}
	}
}

// settle computes the exact bytes from operations and block size. The printed bytes must agree with them.
func (job *fioJob) settle() error {
	block, ok := Size(job.Options["bs"])
	for _, side := range []*fioSide{&job.Read, &job.Write} {
		if side.TotalIOs == 0 || !ok {
			continue
		}
		if side.TotalIOs > maxOps {
			return errors.New("it did more operations than anything could")
		}
		side.IOBytes = side.TotalIOs * block
		if math.Abs(side.printedBytes/float64(side.IOBytes)-1) > 0.02 {
			return fmt.Errorf("%d operations of %d bytes are not the %.0f bytes that it shows", side.TotalIOs, block,
				side.printedBytes)
		}
		side.BWBytes = float64(side.IOBytes) * 1e3 / float64(max(side.RuntimeMS, 1))
	}
	return nil
}
