package catalogue

import (
	"fmt"
	"slices"
	"strings"

	"flashdex/result"
)

// FormStack is the form of several modules that were measured together. The catalogue lists stacks separately, under
// slugs that no module can have.
const FormStack = "stack"

// IsStack reports whether a slug belongs to a stack.
func IsStack(slug string) bool { return strings.HasPrefix(slug, "stack-") }

// StackOf returns the entry for a stack of modules. The same kind of stack with the same modules in any order has the
// same entry. The size of the stack doesn't matter, because its owner can choose it.
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
	return Module{
		Slug: SlugOf(words, func(string) bool { return false }), Product: name + " of " + strings.Join(parts, " and "),
		Form: FormStack, KnownFrom: KnownFromKernel, Provisional: true,
	}
}
