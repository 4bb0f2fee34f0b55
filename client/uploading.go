package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"flashdex/client/spool"
)

const (
	sent = `
Sent:      the figures and their samples; what the kernel shows of the module, and of this computer (board, processor,
           memory, kernel version); a tag by which your own runs on one module belong together.
Not sent:  serial numbers, host name, user name, addresses, paths. --print-payload shows every byte.
`
	sentOfImport = `
Sent:      the figures, which tool measured them and with which options, what you said of the module and the test.
Not sent:  the file, its name, anything of this computer but its platform. --print-payload shows every byte.
`
	question = "Upload and publish this result under CC0? [y/N] "
)

// offer uploads the result in path if the user wants that, and says how to do it later if not. What it returns is nil
// if the result was not uploaded, or stands nowhere.
func offer(ctx context.Context, o options, kept spool.Spool, path string, imported bool) (*spool.Standing, error) {
	if o.noUpload {
		return nil, nil
	}
	if o.site == "" {
		if o.upload {
			return nil, notUploadedError{fmt.Errorf("not uploaded, since no site was named; upload later with: %s", uploadCommand(o, path))}
		}
		fmt.Fprintf(os.Stderr, "Not uploaded, since no site was named. Upload with: %s\n", uploadCommand(o, path))
		return nil, nil
	}
	if !o.upload || !o.yes {
		what := sent
		if imported {
			what = sentOfImport
		}
		agreed, err := ask(ctx, what+question)
		if errors.Is(err, errNoTerminal) {
			err := fmt.Errorf("not uploaded: there is no terminal to ask on; upload with: %s (or run with --yes --upload)", uploadCommand(o, path))
			if o.upload {
				return nil, notUploadedError{err}
			}
			fmt.Fprintln(os.Stderr, "flashdex:", err)
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%w: nothing was sent; the result is kept in %s", err, path)
		}
		if !agreed {
			fmt.Fprintf(os.Stderr, "Not uploaded. If you change your mind: %s\n", uploadCommand(o, path))
			return nil, nil
		}
	}
	return uploadOne(ctx, o, siteOf(o), kept, path)
}

// uploadKept uploads files, or everything that waits in the spool. Naming the command is the consent.
func uploadKept(ctx context.Context, o options, files []string) error {
	if o.site == "" {
		return usagef("name the site to upload to with --site URL")
	}
	kept, err := spool.Open()
	if err != nil {
		return err
	}
	var failed []error
	for _, file := range files {
		if _, _, err := spool.Read(file); err != nil {
			return usageError{err}
		}
	}
	if len(files) == 0 {
		if files, err = kept.Pending(); err != nil {
			return err
		}
		// What else lies there keeps no result from being uploaded.
		files = slices.DeleteFunc(files, func(file string) bool {
			_, _, err := spool.Read(file)
			if err != nil {
				failed = append(failed, err)
			}
			return err != nil
		})
		if len(files) == 0 {
			fmt.Fprintln(os.Stderr, "Nothing waits to be uploaded in", kept.Dir)
			return errors.Join(failed...)
		}
	}
	site := siteOf(o)
	for i, file := range files {
		_, err := uploadOne(ctx, o, site, kept, file)
		if err == nil {
			continue
		}
		failed = append(failed, err)
		// What the site refuses says nothing of the next result; a site that can't be reached does.
		var refused *spool.RefusedError
		if left := len(files) - i - 1; !errors.As(err, &refused) && left > 0 {
			failed = append(failed, fmt.Errorf("%d more were not tried; all that wait are uploaded with: %s", left, siteCommand(o, "upload")))
			break
		}
	}
	return errors.Join(failed...)
}

// checkSite checks the address of the site before anything is measured.
func (o *options) checkSite() error {
	if o.site == "" {
		return nil
	}
	if err := (spool.Site{URL: o.site}).Check(); err != nil {
		return usageError{err}
	}
	return nil
}

// siteOf is the site that the user named. It warns once if the secret would go there in plain text.
func siteOf(o options) spool.Site {
	site := spool.Site{URL: o.site, Log: func(message string) { fmt.Fprintln(os.Stderr, " ", message) }}
	if site.Exposed() {
		fmt.Fprintf(os.Stderr, "Warning: %s is not encrypted, so whoever can listen on the way learns your secret and can take your results back; use https if the site has it.\n",
			plain(o.site))
	}
	return site
}

func uploadOne(ctx context.Context, o options, site spool.Site, kept spool.Spool, path string) (*spool.Standing, error) {
	fmt.Fprintf(os.Stderr, "Uploading to %s ...\n", plain(o.site))
	receipt, err := kept.Upload(ctx, site, path)
	var refused *spool.RefusedError
	switch {
	case errors.As(err, &refused):
		return nil, notUploadedError{fmt.Errorf("%w\nThe result is kept in %s", err, path)}
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%w: the upload may not have arrived; kept in %s; upload later with: %s", context.Cause(ctx), path, uploadCommand(o, path))
	case err != nil:
		return nil, notUploadedError{fmt.Errorf("%w\nThe result is kept in %s; upload later with: %s", err, path, uploadCommand(o, path))}
	}
	standing := site.Standing(ctx, receipt.ID)
	out := os.Stdout
	if o.json {
		out = os.Stderr
	}
	fmt.Fprintf(out, "Uploaded: %s\n  result  %s\n  module  %s  %s\n", became(receipt), receipt.ResultURL, receipt.Module.URL, receipt.Module.Name)
	if line := stands(standing); line != "" && receipt.State == accepted {
		fmt.Fprintf(out, "  rank    %s\n", line)
	}
	return standing, nil
}

const accepted = "accepted"

// became says what the site did with an upload, and why it isn't shown if it isn't.
func became(receipt spool.Receipt) string {
	text := receipt.State
	if text == "quarantined" {
		text += ", so not shown with the others until somebody has looked at it"
	}
	if receipt.Reason != "" {
		text += ": " + receipt.Reason
	}
	return text
}

// stands puts a standing into words; "" if there is none, or of a figure that this client doesn't know.
func stands(standing *spool.Standing) string {
	if standing == nil || standing.Figure != "rand_write_iops" {
		return ""
	}
	if standing.Above == 0 {
		return fmt.Sprintf("4K random write: no measured module is faster (rank 1 of %d)", standing.Modules)
	}
	slower := standing.Modules - standing.Above
	return fmt.Sprintf("4K random write: faster than %d %% of %d measured modules (rank %d)", 100*slower/standing.Modules, standing.Modules, standing.Above+1)
}

// uploadCommand is what to type to upload path later.
func uploadCommand(o options, path string) string { return siteCommand(o, "upload", path) }

// siteCommand is what to type to have something done at the site later. The client that runs now may be gone by then: the
// script that fetches it never is.
func siteCommand(o options, words ...string) string {
	for i, word := range words {
		words[i] = quote(word)
	}
	command := strings.Join(words, " ")
	if o.site == "" {
		return "flashdex --site URL " + command
	}
	return fmt.Sprintf("curl -fsSL %s | sh -s -- %s", quote(strings.TrimSuffix(o.site, "/")+"/run.sh"), command)
}

// quote writes s as one word of a shell.
func quote(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._:-") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
