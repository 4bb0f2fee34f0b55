package sign

import "strings"

// Weight is what all signs of a unit together mean.
type Weight string

// The weights. Registers alone are never more than suspicious, because genuine cards of small makers show each of these
// signs. Only missing memory is more.
const (
	Unknown       Weight = "" // nothing was seen that could show a sign
	NoSign        Weight = "no sign"
	Suspicious    Weight = "suspicious"
	AlmostCertain Weight = "almost certainly"
)

// Weights lists all weights, except Unknown.
var Weights = []string{string(NoSign), string(Suspicious), string(AlmostCertain)}

// Weigh puts signs together. looked says whether anything could have shown one.
func Weigh(signs []Sign, looked bool) Weight {
	weight := Unknown
	if looked {
		weight = NoSign
	}
	for _, s := range signs {
		if s.Strong {
			return AlmostCertain
		}
		weight = Suspicious
	}
	return weight
}

// Sentence says in one sentence what the signs are and what they weigh.
func Sentence(signs []Sign, looked bool) string {
	var what []string
	for _, s := range signs {
		text := strings.TrimSuffix(s.What, ".")
		what = append(what, strings.ToLower(text[:1])+text[1:])
	}
	seen := strings.Join(what, "; ")
	switch Weigh(signs, looked) {
	case AlmostCertain:
		return "Almost certainly not what it says it is: " + seen + "."
	case Suspicious:
		return "Suspicious: " + seen + "; genuine modules may show this, too."
	case NoSign:
		return "No sign that it is another module than it says, in what was looked at."
	}
	return "No sign, but nothing was seen that could show one."
}
