package result

// OwnProfiles returns each method that has one profile, with that profile, so that no test forgets one.
func OwnProfiles() map[string]string {
	all := map[string]string{}
	for _, own := range ownProfiles {
		all[own.method] = own.profile
	}
	return all
}
