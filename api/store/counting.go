package store

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"flashdex/api/submission"
)

// whyNot selects the reasons, in words, why submission s doesn't count. If there is none, s counts once it is accepted.
func whyNot(s string) string {
	return fmt.Sprintf("(%s || case when %s.second_of_network then array[%s] else '{}' end)",
		whyNotAlone(s), s, quoted(submission.SecondOfNetwork))
}

// whyNotAlone selects the reasons that don't depend on what others sent from the same network.
func whyNotAlone(s string) string { return fmt.Sprintf("(%s.not_ranked || %s)", s, whyNotHeard(s)) }

// whyNotHeard selects the reasons that concern the sender of submission s, not how it was measured.
func whyNotHeard(s string) string {
	var faults string
	for _, state := range slices.Sorted(maps.Keys(submission.TokenFaults)) {
		faults += " when " + quoted(state) + " then array[" + quoted(submission.TokenFaults[state]) + "]"
	}
	return fmt.Sprintf(`(case %[1]s.token when '' then '{}' when %[2]s then '{}'%[3]s
			else array['its run token is not valid'] end ||
		case when exists (select from contributor c
			where c.secret_sha256 = %[1]s.contributor and c.confirmed_at is not null) then '{}' else array[%[4]s] end)`,
		s, quoted(submission.TokenValid), faults, quoted(submission.OnProbation))
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// counts selects whether an accepted submission s counts in the figures of its module.
func counts(s string) string { return whyNot(s) + " = '{}'" }

// heard selects whether an accepted submission s counts for what it shows of its unit: signs, capacity and wear. These
// are valid even from a busy host, so only the sender matters.
func heard(s string) string {
	return fmt.Sprintf("(%s = '{}' and not %s.second_of_network)", whyNotHeard(s), s)
}
