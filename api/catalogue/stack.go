package catalogue

import (
	"fmt"
	"slices"
	"strings"

	"flashdex/result"
)

// FormStack is the form of what is several modules measured together. It is listed apart, under a slug that no module can have.
const FormStack = "stack"

// stackSlug begins the slugs of stacks, and of nothing else.
const stackSlug = "stack-"

// IsStack reports whether a slug is that of a stack.
func IsStack(slug string) bool { return strings.HasPrefix(slug, stackSlug) }

// StackOf is the entry for a stack of modules, whatever their order: the same kind of stack of the same modules always gives the same one.
// The size of the whole, which anybody may choose, is no part of it.
func StackOf(kind string, chunkBytes int64, members []Module) Module {
	count := map[string]int{}
	var kinds []Module
	for _, m := range members {
		if count[m.Slug]++; count[m.Slug] == 1 {
			kinds = append(kinds, m)
		}
	}
	slices.SortFunc(kinds, func(a, b Module) int { return strings.Compare(a.Slug, b.Slug) })
	name, words := result.StackLabel(kind), []string{"stack", kind}
	if chunkBytes > 0 {
		chunk := fmt.Sprintf("%d KiB", chunkBytes>>10)
		name, words = name+" in chunks of "+chunk, append(words, strings.ReplaceAll(chunk, " ", ""))
	}
	var parts []string
	for _, m := range kinds {
		parts = append(parts, fmt.Sprintf("%d × %s", count[m.Slug], m.Name()))
		words = append(words, fmt.Sprint(count[m.Slug]), m.Slug)
	}
	m := Module{Product: name + " of " + strings.Join(parts, " and "), Form: FormStack, KnownFrom: KnownFromKernel, Provisional: true}
	m.Slug = SlugOf(words, func(string) bool { return false })
	return m
}
