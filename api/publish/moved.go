package publish

import (
	"fmt"
	"time"

	"flashdex/api/page/atom"
	"flashdex/api/ranking"
)

// rankRecord records, from publication to publication, where a module stands by 4K random write, by one method.
type rankRecord struct {
	Place  ranking.Place `json:"place"`           // when it got its rank or last moved; 0: it lost its rank
	Of     int           `json:"of"`              // ranked modules, at that time
	Before ranking.Place `json:"before,omitzero"` // where it stood until it moved
	On     string        `json:"on,omitempty"`    // the day that it moved, YYYY-MM-DD; empty: it didn't
}

// next returns the record after a publication. A module has moved if its new places don't overlap the recorded ones,
// and lie further apart than added or removed modules explain.
func (r rankRecord) next(place ranking.Place, of int, on string) rankRecord {
	switch apart := max(place.First-r.Place.Last, r.Place.First-place.Last); {
	case r.Place.First == 0 && place.First == 0:
		return r
	case r.Place.First == 0: // newlyRanked has the entry
		return rankRecord{Place: place, Of: of}
	case place.First == 0, apart > max(of-r.Of, r.Of-of):
		return rankRecord{place, of, r.Place, on}
	}
	return r
}

// movedRanks returns an entry for each module that moved to other places or lost its rank, on the day of the
// publication that noticed it. It returns only the last move of each module, and needs the previous publication to
// compare with.
func (s *site) movedRanks() (entries []atom.Entry) {
	s.reuse.manifest.Ranks = map[string]rankRecord{}
	for _, m := range s.snapshot.Modules {
		for _, p := range s.placed[m.Slug] {
			if s.whole(m.Slug, p.method.ID) == nil {
				continue // nobody measured it by this method
			}
			of := m.Slug + " " + p.method.ID
			r := s.reuse.previous.Ranks[of].next(p.Place, p.Of, s.builtOn)
			if r != (rankRecord{}) {
				s.reuse.manifest.Ranks[of] = r
			}
			at, err := time.Parse(time.DateOnly, r.On)
			if err != nil {
				continue // it didn't move
			}
			e := s.moduleEntry(m, "moved-"+p.method.ID+"-"+r.On, at)
			e.Title = m.Name() + ": now " + wherePlaced(r.Place)
			e.Summary = fmt.Sprintf("Before, it stood %s by 4K random write, by the method %s.", wherePlaced(r.Before),
				p.method.Label)
			if r.Place.First == 0 {
				e.Title = m.Name() + ": no rank any more"
			}
			entries = append(entries, e)
		}
	}
	return entries
}
