package publish

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/api/ranking"
	"flashdex/result"
)

// verdict says whether a module is good for a use, and by which figure. Its zero value says nothing.
type verdict struct{ word, why string }

// Words of verdicts, from the best on. catalogue.ReferenceDevice uses the first two, too.
const (
	good     = "good"
	fine     = "fine"
	tooSlow  = "too slow"
	wearsOut = "may wear out too soon"
	cantTell = "nobody can tell yet"
)

// verdictOn judges a row's answer to a question: by the question's steps, else by yardsticks, which begin with the
// slowest. Questions about prices have no verdict.
func verdictOn(q question.Question, a ranking.Answer, yardsticks []catalogue.ReferenceDevice) verdict {
	switch {
	case len(q.Steps) > 0:
		return byStep(q, a)
	case a.Fails != "":
		return verdict{wearsOut, a.Fails}
	}
	small, ok := q.Only(figure.RandWriteIOPS, figure.RandReadIOPS)
	if !ok {
		return verdict{}
	}
	v := byYardsticks(q, small, a.Figures, yardsticks)
	key, atMost, limited := q.Limit()
	f, known := a.Figures.Find(key)
	low, high := f.Ends()
	switch {
	case v.word == tooSlow:
	case a.LeftOut != "" && !known:
		v = verdict{cantTell, a.LeftOut}
	case limited && known && high > atMost:
		v = verdict{cantTell, fmt.Sprintf("%s; more than %s %s is too long", sureOf(key, f), result.Number(atMost),
			figure.MetricOf(key).Unit)}
		if low > atMost {
			v.word = tooSlow
		}
	}
	return v
}

// byStep judges a rate by the last step that it surely reaches. A module that fell behind a recording reaches no step
// from that rate on.
func byStep(q question.Question, a ranking.Answer) verdict {
	key := q.Figures[0]
	f, unit := a.Figures.At(key), figure.MetricOf(key).Unit
	sure, score := sureOf(key, f), a.Score.Value
	if a.Fails != "" {
		score = math.Nextafter(a.FellBehind, 0)
	}
	at := slices.IndexFunc(q.Steps, func(s question.Step) bool { return s.AtLeast > score }) - 1
	takes := func(of question.Step) string {
		if a.Fails != "" {
			return "; " + a.Fails
		}
		return fmt.Sprintf("; %s takes %s %s", of.Means, result.Number(of.AtLeast), unit)
	}
	_, high := f.Ends()
	switch known := f.AtLeast || f.HasInterval(); {
	case !known:
		return verdict{cantTell, sure}
	case at < 0: // beyond the last step
		return verdict{good, q.Steps[len(q.Steps)-1].Means + ": " + sure}
	case at > 0:
		return verdict{fine, q.Steps[at].Means + ": " + sure + takes(q.Steps[at+1])}
	case f.AtLeast || high >= q.Steps[1].AtLeast:
		return verdict{cantTell, sure + takes(q.Steps[1])}
	}
	return verdict{tooSlow, sure + takes(q.Steps[1])}
}

// byYardsticks judges a time. A class promises several rates, so a module is good only if it surely reaches each of
// them that the question asks for. One rate, such as video's linear writes, can't make up for another. A disk promises
// nothing, so beside a disk the time of the small reads and writes counts.
func byYardsticks(
	q, small question.Question, figures figure.Set, yardsticks []catalogue.ReferenceDevice,
) verdict {
	yardsticks = slices.DeleteFunc(slices.Clone(yardsticks), func(d catalogue.ReferenceDevice) bool {
		return d.Does == ""
	})
	if len(yardsticks) == 0 {
		return verdict{}
	}
	time, _, _ := small.Score(figures, nil)
	low, high := time.Ends()
	var v verdict
	for i, y := range yardsticks {
		rates := figure.OfReference(y)
		key, reaches := weakest(q, figures, rates)
		takes, _, _ := small.Score(rates, nil)
		beside := sureOf(key, figures.At(key)) + "; " + y.Does + " " + result.Number(rates.At(key).Value)
		switch sure := time.HasInterval(); {
		case i == 0 && sure && low > takes.Value:
			return verdict{tooSlow, beside}
		case i == 0 && !(sure && high < takes.Value):
			return verdict{cantTell, beside}
		case i == 0:
			v.word = y.BetterIs
		case reaches:
			v = verdict{y.BetterIs, beside}
		case v.why == "":
			v.why = beside
		}
	}
	return v
}

// weakest returns the question's figure that surely reaches the smallest part of a yardstick's, and whether it reaches
// all of it.
func weakest(q question.Question, figures, yardstick figure.Set) (key string, reaches bool) {
	least := math.Inf(1)
	for _, of := range q.Figures {
		rate, known := yardstick.Find(of)
		if !known {
			continue
		}
		low, _ := figures.At(of).Ends()
		if part := low / rate.Value; part < least {
			key, least = of, part
		}
	}
	return key, least >= 1
}

// sureOf writes a figure with its sure range: "4K random write 620 to 1,260 IOPS".
func sureOf(key string, f figure.Figure) string {
	m, value := figure.MetricOf(key), result.Number(f.Value)
	switch {
	case f.AtLeast:
		value = "at least " + value
	case f.HasInterval():
		value = span(result.Number(*f.Low), result.Number(*f.High))
	default:
		return m.Name + " " + value + " " + m.Unit + ", nobody knows how surely"
	}
	return m.Name + " " + value + " " + m.Unit
}

// goodFor sums up a module's answers in a sentence: "Good for a and b (why); too slow for c (why)."
func goodFor(answers []moduleAnswer) string {
	var words []string
	for _, word := range []string{good, fine, tooSlow, wearsOut, cantTell} {
		uses, whys := map[string][]string{}, []string{}
		for _, a := range answers {
			if a.verdict.word == word {
				if uses[a.verdict.why] == nil {
					whys = append(whys, a.verdict.why)
				}
				uses[a.verdict.why] = append(uses[a.verdict.why], a.Use)
			}
		}
		var parts []string
		for _, why := range whys {
			parts = append(parts, listed(uses[why])+" ("+why+")")
		}
		if len(parts) > 0 {
			words = append(words, word+" for "+strings.Join(parts, ", for "))
		}
	}
	if len(words) == 0 {
		return ""
	}
	sentence := strings.Join(words, "; ") + "."
	return strings.ToUpper(sentence[:1]) + sentence[1:]
}

// listed joins the parts of a list in a sentence: "a, b and c".
func listed(parts []string) string {
	last := len(parts) - 1
	if last < 1 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}
