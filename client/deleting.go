package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"flashdex/client/spool"
)

// uploaded is a result to take back; path is "" if it isn't kept here.
type uploaded struct{ id, path string }

// deleteResults takes results back from the site: those that the user names by file or id, or all. What is kept here stays.
func deleteResults(ctx context.Context, o options, names []string) error {
	switch {
	case o.site == "":
		return usagef("name the site to delete from with --site URL")
	case o.all && len(names) > 0:
		return usagef("delete --all takes back everything: %q is one too many", names[0])
	case !o.all && len(names) == 0:
		return usagef("name the results to take back by file or id (flashdex list shows them), or all with --all")
	}
	kept, err := spool.Open()
	if err != nil {
		return usageError{err}
	}
	if o.all {
		return deleteAll(ctx, o, kept)
	}
	var results []uploaded
	for _, name := range names {
		result, err := find(kept, name)
		if err != nil {
			return usageError{err}
		}
		results = append(results, result)
	}
	what := "the result " + results[0].id
	if len(results) > 1 {
		what = fmt.Sprintf("these %d results", len(results))
	}
	if err := confirmDelete(ctx, o, what); err != nil {
		return err
	}
	site := siteOf(o)
	var failed []error
	for i, result := range results {
		err := kept.Delete(ctx, site, result.id, result.path)
		if err == nil {
			fmt.Println("Deleted from the site:", result.id)
			continue
		}
		failed = append(failed, notDeleted(ctx, o, result, err))
		var refused *spool.RefusedError
		if left := len(results) - i - 1; !errors.As(err, &refused) && left > 0 {
			failed = append(failed, fmt.Errorf("%d more were not tried", left))
			break
		}
	}
	return errors.Join(failed...)
}

// isID reports whether a name is a UUID as results have it: hex digits in groups of 8, 4, 4, 4 and 12.
func isID(name string) bool {
	const form = "00000000-0000-0000-0000-000000000000"
	return form == strings.Map(func(r rune) rune {
		if strings.ContainsRune("123456789abcdef", r) {
			return '0'
		}
		return r
	}, name)
}

// find takes a name for an id or for the file of a result.
func find(kept spool.Spool, name string) (uploaded, error) {
	if isID(name) {
		return uploaded{name, kept.Find(name)}, nil
	}
	if !strings.HasSuffix(name, ".json") {
		return uploaded{}, fmt.Errorf("%q is neither the id of a result nor its file; flashdex list shows the ids", plain(name))
	}
	doc, _, err := spool.Read(name)
	if err != nil {
		return uploaded{}, err
	}
	return uploaded{doc.ID, name}, nil
}

// confirmDelete has the user type yes: what is deleted from the site can't be brought back.
func confirmDelete(ctx context.Context, o options, what string) error {
	if o.yes {
		return nil
	}
	line, err := typed(ctx, fmt.Sprintf("This erases %s from %s for good, and from the tables and the data set with the next publication; files that are kept here stay.\nType yes to go on, anything else to stop: ", what, plain(o.site)))
	switch {
	case errors.Is(err, errNoTerminal):
		return usagef("there is no terminal to ask on; nothing was deleted. Run it on one, or with --yes")
	case err != nil:
		return fmt.Errorf("%w: nothing was deleted", err)
	case line != "yes":
		return usagef("%q is not \"yes\"; nothing was deleted", line)
	}
	return nil
}

func notDeleted(ctx context.Context, o options, result uploaded, err error) error {
	var refused *spool.RefusedError
	switch {
	case errors.As(err, &refused) && refused.Status == http.StatusForbidden:
		return fmt.Errorf("%s was not deleted: it was uploaded with another secret than the one here, so it takes the computer from which that was done", result.id)
	case errors.As(err, &refused) && refused.Status == http.StatusNotFound:
		return fmt.Errorf("%s was not deleted: %s has no such result. If it was never uploaded, there is nothing to take back", result.id, plain(o.site))
	case errors.As(err, &refused):
		return fmt.Errorf("%s was not deleted: %w", result.id, err)
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	}
	return fmt.Errorf("%w: %s may not be deleted yet; to be sure, once more: %s", err, result.id, siteCommand(o, "delete", result.id))
}

func deleteAll(ctx context.Context, o options, kept spool.Spool) error {
	if err := confirmDelete(ctx, o, "everything that you ever uploaded"); err != nil {
		return err
	}
	err := kept.DeleteAll(ctx, siteOf(o))
	var refused *spool.RefusedError
	switch {
	case errors.As(err, &refused) && refused.Status == http.StatusUnauthorized:
		return fmt.Errorf("%s knows no contributor with the secret in %s: it has nothing of yours, or it was uploaded from another computer", plain(o.site), kept.Dir)
	case errors.As(err, &refused):
		return err
	case err != nil:
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return fmt.Errorf("%w: not all may be deleted, or noted as deleted; to be sure, once more: %s", err, siteCommand(o, "delete", "--all"))
	}
	fmt.Println("Deleted from the site: all that you uploaded")
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
		return usageError{err}
	}
	if err := kept.Rotate(ctx, siteOf(o)); err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("%w: whether the secret was changed is asked by the next upload, delete or rotate", context.Cause(ctx))
		}
		return err
	}
	fmt.Printf("The secret is changed, and the old one is worth nothing at %s. Your results and modules are yours as before.\n", plain(o.site))
	fmt.Fprintln(os.Stderr, "It is in", kept.Dir+"; copy it from there to other computers from which you upload as the same contributor.")
	return nil
}
