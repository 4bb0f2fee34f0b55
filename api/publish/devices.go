package publish

import (
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure/question"
	"flashdex/api/ranking"
	"flashdex/result"
)

// maxDeviceRows is the most rows of the table on a device's page. The question's page has more.
const maxDeviceRows = 30

// questionsOf are the keys of the questions that answer what a device does with its card: the first with an answer
// is taken. The keys are the profiles of device_facts.csv. Nothing answers yet what only stores files.
var questionsOf = map[string][]string{
	"system": {"boot"}, "video": {"camera"}, "photos": {"camera"}, "logs": {"camera"}, "games": {"games"},
	"retro": {"retro", "games"}, "apps": {"phone"},
}

// device is the file of a device's page.
type device struct {
	Slug, Name, Kind string
	Facts            []deviceFact
	Carries          string // the most that the slot carries, in MB/s; empty: not known
	Reads, Writes    string // what somebody measured at most in it, in MB/s; empty: nobody
	Hosts            []dataPage
	Unknown          []string  // what no source says
	Answer           *answered `json:",omitempty"` // nil: no question is about such a device, or nothing answers it
	AnswerPath       string    `json:",omitempty"`
}

// deviceFact is a fact as the page shows it.
type deviceFact struct{ Label, Value, Source, SourceLabel, LookedAt, Note string }

// deviceFacts are the facts that a page shows, in this order, and their units.
var deviceFacts = []struct{ key, label, unit string }{
	{"slot", "Slot", ""}, {"bus_mode", "Quickest bus mode", ""}, {"bus_mb_per_s", "The slot carries at most", " MB/s"},
	{"command_queue", "Command queue", ""}, {"max_capacity_gb", "Largest card", " GB"},
	{"measured_read_mb_per_s", "Read in it, measured", " MB/s"},
	{"measured_write_mb_per_s", "Written in it, measured", " MB/s"}, {"profile", "Uses the card for", ""},
}

// listedDevice is a device in the list of all, and in the answers to searches.
type listedDevice struct {
	Name, Kind, Path string
	Question         string // the page at Path, where the device has none of its own
	Aliases          []string
}

// writeDevicePages writes the data of the page of each device whose slot is known, and the list of all.
func (s *site) writeDevicePages() (pages []dataPage, err error) {
	list := []listedDevice{}
	for _, d := range s.catalogue.Devices {
		if len(d.Slots()) == 0 {
			list = append(list, s.listWithoutPage(d))
			continue
		}
		p := dataPage{Path: "/device/" + d.Slug + "/", Title: "Which card for " + d.Name + "?",
			File: "devices/" + d.Slug + ".json"}
		of := s.device(d)
		if err := s.writePage(p, of); err != nil {
			return nil, err
		}
		if !s.reuse.kept[p.Path] {
			if err := s.writePicture(p.Path, devicePicture(p.Title, of)); err != nil {
				return nil, err
			}
		}
		pages = append(pages, p)
		list = append(list, listedDevice{d.Name, d.Kind, p.Path, "", d.Aliases})
	}
	return pages, s.writeFile("devices.json", list)
}

// listWithoutPage leads from a device to the question of what it does with its card, else to all questions.
func (s *site) listWithoutPage(d catalogue.Device) listedDevice {
	to := listedDevice{d.Name, d.Kind, "/for/", "Which card should I buy?", d.Aliases}
	if about := s.questionsAbout(d); len(about) > 0 {
		to.Path, to.Question = "/for/"+about[0].Key+"/", about[0].Text
	}
	return to
}

// questionsAbout returns the questions that answer what a device does with its card.
func (s *site) questionsAbout(d catalogue.Device) (about []question.Question) {
	use, _ := d.Fact("profile")
	for _, profile := range strings.Split(use.Value, "; ") {
		for _, key := range questionsOf[profile] {
			if i := slices.IndexFunc(s.questions, func(q question.Question) bool { return q.Key == key }); i >= 0 {
				about = append(about, s.questions[i])
			}
		}
	}
	return about
}

func (s *site) device(d catalogue.Device) device {
	of := device{Slug: d.Slug, Name: d.Name, Kind: d.Kind}
	for _, known := range deviceFacts {
		f, ok := d.Fact(known.key)
		if !ok {
			of.Unknown = append(of.Unknown, strings.ToLower(known.label[:1])+known.label[1:])
			continue
		}
		shown := deviceFact{known.label, f.Value + known.unit, f.Source, f.Source, f.LookedAt, f.Note}
		if source, listed := s.catalogue.Source(f.Source); listed {
			shown.Source, shown.SourceLabel = "/sources/#"+strings.ToLower(f.Source), label(source)
		} else if _, rest, web := strings.Cut(f.Source, "://"); web {
			shown.SourceLabel, _, _ = strings.Cut(strings.TrimPrefix(rest, "www."), "/")
		}
		of.Facts = append(of.Facts, shown)
	}
	known := func(mbPerS float64) string {
		if mbPerS == 0 {
			return ""
		}
		return result.Number(mbPerS)
	}
	of.Carries = known(d.LimitMBPerS())
	of.Reads, of.Writes = known(d.Number("measured_read_mb_per_s")), known(d.Number("measured_write_mb_per_s"))
	for _, h := range s.hostPages {
		if other, ok := s.catalogue.DeviceOf(h.Title); ok && other.Slug == d.Slug {
			of.Hosts = append(of.Hosts, h)
		}
	}
	for _, q := range s.questionsAbout(d) {
		if a := s.answerFor(d, q); len(a.Sections) > 0 {
			of.Answer, of.AnswerPath = &a, "/for/"+q.Key+"/"
			break
		}
	}
	return of
}

// answersFor answers a question once for all pages about the same forms, since each answer takes all rows.
func (s *site) answersFor(q question.Question) []section[ranking.Answer] {
	key := q.Key + " " + strings.Join(q.Forms, " ")
	if _, made := s.answersOfForms[key]; !made {
		s.answersOfForms[key] = s.answers(q, func(ranking.Answer) {})
	}
	return s.answersOfForms[key]
}

// answerFor answers a question by modules that fit into a device.
func (s *site) answerFor(d catalogue.Device, q question.Question) answered {
	q.Forms = d.Forms()
	a := answered{Question: q, Sections: []section[tableRow]{}}
	most, room := d.Number("max_capacity_gb"), maxDeviceRows
	var sections []section[ranking.Answer]
	for _, sec := range s.answersFor(q) {
		all := sec.Rows
		sec.Rows = nil
		for _, r := range all {
			if fits := most == 0 || r.Module.CapacityGB <= most; fits && room > 0 {
				sec.Rows = append(sec.Rows, r)
				room--
			}
		}
		if len(sec.Rows) > 0 {
			sections = append(sections, sec)
		}
	}
	s.show(&a, sections)
	return a
}
