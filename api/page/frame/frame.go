// Package frame is what pages that Go puts into a frame of Hugo's have in common with those that Hugo makes by itself.
package frame

// LongestTitle is how many letters of a page's own title search engines and tabs show, at most.
const LongestTitle = 59

// Title is what of a title is shown, cut as site/layouts/_partials/funcs/title.html does.
func Title(title string) string {
	if letters := []rune(title); len(letters) > LongestTitle {
		return string(letters[:LongestTitle-1]) + "…"
	}
	return title
}
