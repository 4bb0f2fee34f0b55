package rest

import (
	"net/http"
	"time"

	"flashdex/api/index"
	"flashdex/api/problem"
	"flashdex/api/verdict"
	"flashdex/result"
)

var (
	testNames = map[string]string{
		result.SeqWrite: "Linear write", result.SeqRead: "Linear read", result.RandWrite: "4K random write", result.RandRead: "4K random read",
	}
	endings = map[result.Ended]string{
		result.Complete: "after the whole test area", result.Converged: "when the interval was tight enough", result.TimeLimit: "at its time limit",
	}
	states = map[string]string{
		index.Accepted: "accepted", index.Quarantined: "held back until somebody has looked at it", index.Rejected: "rejected",
	}
	verdictStates = map[string]string{verdict.Reached: "reached", verdict.NotReached: "not reached", verdict.CantTell: "can’t tell"}
)

// run is what the page of a result shows.
type run struct {
	Result        index.Submission
	Module        moduleSummary
	RandWriteIOPS float64 // 0: not measured
	ReceivedOn    string
	Accepted      bool
	judged
}

// runPage shows one result as soon as it is stored, in the frame of the published site.
func (s *server) runPage(w http.ResponseWriter, r *http.Request) {
	sub, module, document, err := s.submission(r)
	if err != nil {
		p := problem.Of(err)
		if p.Kind == problem.NotFound {
			p = problem.Wrap(problem.NotFound, err, "There is no result with this id here. If it was measured but not uploaded yet, upload it: flashdex upload sends what is waiting.")
		}
		s.message(w, r, p)
		return
	}
	judged, err := s.judge(sub, module, document)
	if err != nil {
		s.message(w, r, problem.Of(err))
		return
	}
	shown := run{
		judged: judged, Result: sub, Module: s.receipt(r, sub, module).Module, RandWriteIOPS: index.FiguresOf(sub.Tests)[index.RandWriteIOPS].Value,
		ReceivedOn: sub.ReceivedAt.Format(time.DateOnly), Accepted: sub.State == index.Accepted,
	}
	s.frame(w, r, http.StatusOK, content{title: shown.Module.Name, fragment: "run", data: shown})
}
