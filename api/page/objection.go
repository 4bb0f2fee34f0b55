package page

import "flashdex/api/submission"

// Object is the form to object to a result or a module.
type Object struct {
	Objection submission.Objection // as it was typed so far
	Name      string               // of the module
	Path      string               // of the page that it is about; empty: it has none
	Wrong     string               // why it was not accepted; empty: the form is new
}

// Kinds are the kinds of objections.
func (Object) Kinds() any { return submission.ObjectionKinds }

// MaxWords and MaxShouldBe are the longest texts, in characters.
func (Object) MaxWords() int    { return submission.MaxObjection }
func (Object) MaxShouldBe() int { return submission.MaxShouldBe }

// ObjectPage returns the page with the form.
func ObjectPage(o Object) (Page, error) {
	about := "the page of "
	if o.Objection.Result != "" {
		about = "a result of "
	}
	p, err := render("object.html", resultFrame, "Object to "+about+o.Name, o)
	p.Description = "Say what is wrong with " + about + o.Name + ". It takes no account, and this site’s operators " +
		"see it."
	return p, err
}

// ObjectedPage returns the page that says what happens next.
func ObjectedPage(o Object) (Page, error) {
	return render("objected.html", resultFrame, "Thank you", o)
}
