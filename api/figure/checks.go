package figure

// Checks counts the units of a module whose capacity contributors checked, by whatever method. A unit counts once, by
// its newest check, and a contributor once, however many units they sent.
type Checks struct {
	Units, Lacking        int // units, and those that almost certainly hold less than they claim
	Contributors, FoundBy int // those who checked, and those of them who found such a unit
}
