package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"flashdex/client/spool"
)

// askModule asks which module an uploaded result belongs to, if the site can't tell, and sends the answer. If nobody is
// there to ask, it says how to answer later. The result stays uploaded whatever happens.
func askModule(ctx context.Context, o options, site spool.Site, kept spool.Spool, receipt spool.Receipt,
	out io.Writer) error {
	choices := receipt.Choices
	question, other := "Which of these is it?\n", "none of these"
	may := "It may be one of several modules, and counts once you say which"
	if len(choices) == 1 {
		question, other = "Is it this one?\n", "another one"
		may = "It may be this module, and counts once you say so"
	}
	if len(choices) == 0 {
		if receipt.Offered.Slug == "" {
			return nil
		}
		choices, question = []spool.Choice{receipt.Offered}, "Did you mean this one? Its name is close to what you typed.\n"
	}
	var slugs []string
	for i, c := range choices {
		slugs = append(slugs, c.Slug)
		question += fmt.Sprintf("  %d) %s\n", i+1, c.Name)
	}
	none := len(choices) + 1
	question += fmt.Sprintf("  %d) %s\n1 to %d: ", none, other, none)
	later := siteCommand(o, "name", receipt.ID, "MODULE")
	if len(slugs) == 1 {
		later = siteCommand(o, "name", receipt.ID, slugs[0])
	}
	noTerminal := errors.New("nobody to ask")
	line, err := "", noTerminal
	if !o.yes {
		line, err = typed(ctx, question, "the result is uploaded, and its module isn't named; name it with:\n    "+later,
			noTerminal)
	}
	number, _ := strconv.Atoi(line)
	switch {
	case errors.Is(err, noTerminal) && len(receipt.Choices) > 0:
		fmt.Fprintf(out, "  which   %s: %s\n          %s\n", may, strings.Join(slugs, ", "), later)
		return nil
	case errors.Is(err, noTerminal):
		fmt.Fprintf(out, "  which   Did you mean %s? Then say so:\n          %s\n", choices[0].Name, later)
		return nil
	case err != nil:
		return err
	case number < 1 || number >= none:
		fmt.Fprintf(out, "  which   Not named. You can still name it:\n          %s\n", later)
		return nil
	}
	named, err := kept.Name(ctx, site, receipt.ID, choices[number-1].Slug)
	if err != nil {
		fmt.Fprintf(stderr, "flashdex: %v\nThe result is uploaded. Name it later with:\n    %s\n", err, later)
		return nil
	}
	printNamed(out, named)
	return nil
}

func printNamed(out io.Writer, receipt spool.Receipt) {
	m := receipt.Module
	fmt.Fprintf(out, "Named:    %s\n  result  %s\n  module  %s\n", m.Name, receipt.ResultURL, m.URL)
}

// nameResult tells the site which module an uploaded result belongs to.
func nameResult(ctx context.Context, o options, arguments []string) error {
	switch {
	case len(arguments) != 2:
		return usagef("name the result by file or id, and the module by the last part of its page's address, such as: " +
			"flashdex --site URL name ID sandisk-ultra-32gb-microsd")
	case o.site == "":
		return usagef("name the site that has the result with --site URL")
	case !isSlug(arguments[1]):
		return usagef("%q is no module: it is the last part of the address of a module's page, such as "+
			"sandisk-ultra-32gb-microsd", spool.Clean(arguments[1]))
	}
	kept, err := spool.Open()
	if err != nil {
		return usageError(err)
	}
	of, err := find(kept, arguments[0])
	if err != nil {
		return usageError(err)
	}
	receipt, err := kept.Name(ctx, siteOf(o), of.id, arguments[1])
	switch spool.Refused(err) {
	case http.StatusForbidden:
		return fmt.Errorf("%s was not named: it was uploaded with another secret; name it from the computer that uploaded "+
			"it", of.id)
	case http.StatusNotFound:
		return fmt.Errorf("%s was not named: %s has no such result; was it ever uploaded?", of.id, spool.Clean(o.site))
	}
	if err != nil {
		return fmt.Errorf("%s was not named: %w", of.id, err)
	}
	printNamed(os.Stdout, receipt)
	return nil
}

// isSlug reports whether a name can be the key of a module.
func isSlug(name string) bool {
	return name != "" && len(name) <= 80 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}
