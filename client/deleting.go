package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"flashdex/client/spool"
)

// uploaded is a result to delete from the site.
type uploaded struct {
	id   string
	path string // "" if it isn't kept here
}

// deleteResults deletes results from the site: all, or those that the user names by file or id. The files stay.
func deleteResults(ctx context.Context, o options, names []string) error {
	switch {
	case o.site == "":
		return usagef("name the site to delete from with --site URL")
	case o.all && len(names) > 0:
		return usagef("delete --all deletes everything: %q is one too many", names[0])
	case !o.all && len(names) == 0:
		return usagef("name the results to delete by file or id (flashdex list shows them), or delete all with --all")
	}
	kept, err := spool.Open()
	if err != nil {
		return usageError(err)
	}
	results := make([]uploaded, len(names))
	for i, name := range names {
		if results[i], err = find(kept, name); err != nil {
			return usageError(err)
		}
	}
	what := fmt.Sprintf("these %d results", len(results))
	if o.all {
		what = "everything that you ever uploaded"
	} else if len(results) == 1 {
		what = "the result " + results[0].id
	}
	question := fmt.Sprintf("This erases %s from %s for good, and from its tables and data set with the next "+
		"publication. The files that are kept here stay.\nDelete? [y/N] ", what, spool.Clean(o.site))
	if !o.yes {
		const outcome = "nothing was deleted"
		yes, err := ask(ctx, question, outcome, usagef("there is no terminal to ask on; %s. Run it on a terminal, or with "+
			"--yes", outcome))
		if err != nil {
			return err
		} else if !yes {
			return usagef(outcome)
		}
	}
	if o.all {
		return deleteAll(ctx, o, kept)
	}
	site := siteOf(o)
	var failed []error
	for i, result := range results {
		err := kept.Delete(ctx, site, result.id, result.path)
		if err == nil {
			fmt.Fprintln(stdout, "Deleted from the site:", result.id)
			continue
		}
		failed = append(failed, notDeleted(ctx, o, result, err))
		if left := len(results) - i - 1; spool.Refused(err) == 0 && left > 0 {
			failed = append(failed, fmt.Errorf("%d more were not tried", left))
			break
		}
	}
	return errors.Join(failed...)
}

// isID reports whether a name is a UUID in lower case.
func isID(name string) bool {
	const form = "00000000-0000-0000-0000-000000000000"
	return form == strings.Map(func(r rune) rune {
		if strings.ContainsRune("123456789abcdef", r) {
			return '0'
		}
		return r
	}, name)
}

// find finds the result that the user names by its id or its file.
func find(kept spool.Spool, name string) (uploaded, error) {
	if isID(name) {
		return uploaded{name, kept.Find(name)}, nil
	}
	if !strings.HasSuffix(name, ".json") {
		return uploaded{}, fmt.Errorf("%q is neither the id nor the file of a result; see flashdex list", spool.Clean(name))
	}
	doc, _, err := spool.Read(name)
	if err != nil {
		return uploaded{}, err
	}
	return uploaded{doc.ID, name}, nil
}

func notDeleted(ctx context.Context, o options, result uploaded, err error) error {
	switch spool.Refused(err) {
	case http.StatusForbidden:
		return fmt.Errorf("%s was not deleted: it was uploaded with another secret; delete it from the computer that "+
			"uploaded it", result.id)
	case http.StatusNotFound:
		return fmt.Errorf("%s was not deleted: %s has no such result; was it ever uploaded?", result.id, spool.Clean(o.site))
	case 0:
		return fmt.Errorf("%w: %s may still be on the site; try again with:\n    %s", cmp.Or(context.Cause(ctx), err),
			result.id, siteCommand(o, "delete", result.id))
	}
	return fmt.Errorf("%s was not deleted: %w", result.id, err)
}

func deleteAll(ctx context.Context, o options, kept spool.Spool) error {
	err := kept.DeleteAll(ctx, siteOf(o))
	switch status := spool.Refused(err); {
	case status == http.StatusUnauthorized:
		return fmt.Errorf("%s knows no contributor with the secret in %s: it has no results of yours, or you uploaded them "+
			"from another computer", spool.Clean(o.site), kept.Dir)
	case status != 0:
		return err
	case err != nil:
		return fmt.Errorf("%w: some results may not be deleted, or not be marked as deleted here; try again with:\n    %s",
			cmp.Or(context.Cause(ctx), err), siteCommand(o, "delete", "--all"))
	}
	fmt.Fprintln(stdout, "Deleted from the site: all that you uploaded")
	return nil
}

// rotate gives the contributor a new secret.
func rotate(ctx context.Context, o options, rest []string) error {
	switch {
	case len(rest) > 0:
		return usagef("rotate takes no arguments: %q is one too many", rest[0])
	case o.site == "":
		return usagef("name the site at which to change the secret with --site URL")
	}
	kept, err := spool.Open()
	if err != nil {
		return usageError(err)
	}
	err = kept.Rotate(ctx, siteOf(o))
	switch {
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("%w: if the change had begun, both secrets are kept, and flashdex rotate finishes it",
			context.Cause(ctx))
	case err == nil:
		fmt.Fprintf(stdout, "The secret is changed, and %s no longer accepts the old one. Your results stay yours.\n",
			spool.Clean(o.site))
		fmt.Fprintf(stderr, "It is in %s; copy it to the other computers from which you upload as the same "+
			"contributor.\n", kept.Dir)
	}
	return err
}
