package submission

import (
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"
)

// Objection is a complaint about a result or a module. Only operators see it.
type Objection struct {
	ID       string
	Result   string    // id; empty: it is about a module
	Module   string    // slug; empty: it is about a result
	On       time.Time // its day
	Kind     string    // one of ObjectionKinds
	ShouldBe string    // the module that the result should be under; empty: not said
	Words    string
	ClosedAt *time.Time // nil: open
	ClosedBy string     // "operator NAME"
	Reason   string     // why it was closed, for other operators
}

// ObjectionKinds are the kinds of objections, in words.
var ObjectionKinds = []struct{ Key, Words string }{
	{"wrong-module", "This is under the wrong module."},
	{"wrong-figure", "A figure can’t be true."},
	{"other", "Something else is wrong."},
}

// Limits of an objection, in characters.
const (
	MaxObjection = 1000
	MaxShouldBe  = 200
)

// KindInWords is the kind for a reader.
func (o Objection) KindInWords() string {
	for _, kind := range ObjectionKinds {
		if kind.Key == o.Kind {
			return kind.Words
		}
	}
	return o.Kind
}

// Check says what must change in an objection before it can be accepted.
func (o Objection) Check() error {
	known := func(kind struct{ Key, Words string }) bool { return kind.Key == o.Kind }
	long := func(text string, most int) bool {
		return !utf8.ValidString(text) || utf8.RuneCountInString(text) > most
	}
	switch {
	case !slices.ContainsFunc(ObjectionKinds, known):
		return errors.New("say first which kind of objection it is")
	case o.Words == "" && o.ShouldBe == "":
		return errors.New("say in a few words what is wrong, so that somebody can look at it")
	case long(o.Words, MaxObjection):
		return fmt.Errorf("an objection has at most %d characters", MaxObjection)
	case long(o.ShouldBe, MaxShouldBe):
		return fmt.Errorf("the name of the module has at most %d characters", MaxShouldBe)
	}
	for _, r := range o.Words + o.ShouldBe {
		if !unicode.IsPrint(r) && !slices.Contains(joiners, r) {
			return fmt.Errorf("an objection is text that can be printed; take out the character %U", r)
		}
	}
	return nil
}

// joiners are the zero-width characters that Persian, many scripts of India, and emoji are written with.
var joiners = []rune{'\u200c', '\u200d'}
