package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"flashdex/client/spool"
)

const question = `
Sent:      the figures and their samples; what the kernel shows of the module, and of this computer (board, processor,
           memory, kernel version); a tag by which your own runs on one module belong together.
Not sent:  serial numbers, host name, user name, addresses, paths. --print-payload shows every byte.
Upload and publish this result under CC0? [y/N] `

// offer uploads the result in path if the user wants that, and says how to do it later if not.
func offer(ctx context.Context, o options, kept spool.Spool, path string) error {
	if o.noUpload {
		return nil
	}
	if o.site == "" {
		if o.upload {
			return notUploadedError{fmt.Errorf("not uploaded, since no site was named; upload later with: %s", uploadCommand(o, path))}
		}
		fmt.Fprintf(os.Stderr, "Not uploaded, since no site was named. Upload with: %s\n", uploadCommand(o, path))
		return nil
	}
	if !o.upload || !o.yes {
		agreed, err := ask(ctx, question)
		if errors.Is(err, errNoTerminal) {
			err := fmt.Errorf("not uploaded: there is no terminal to ask on; upload with: %s (or run with --yes --upload)", uploadCommand(o, path))
			if o.upload {
				return notUploadedError{err}
			}
			fmt.Fprintln(os.Stderr, "flashdex:", err)
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w: nothing was sent; the result is kept in %s", err, path)
		}
		if !agreed {
			fmt.Fprintf(os.Stderr, "Not uploaded. If you change your mind: %s\n", uploadCommand(o, path))
			return nil
		}
	}
	return uploadOne(ctx, o, kept, path)
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
	if len(files) == 0 {
		if files, err = kept.Pending(); err != nil {
			return err
		}
		if len(files) == 0 {
			fmt.Fprintln(os.Stderr, "Nothing waits to be uploaded in", kept.Dir)
			return nil
		}
	}
	var failed []error
	for _, file := range files {
		if _, _, err := spool.Read(file); err != nil {
			return usageError{err}
		}
	}
	for _, file := range files {
		if err := uploadOne(ctx, o, kept, file); err != nil {
			failed = append(failed, err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(failed...)
}

func uploadOne(ctx context.Context, o options, kept spool.Spool, path string) error {
	fmt.Fprintf(os.Stderr, "Uploading to %s ...\n", o.site)
	site := spool.Site{URL: o.site, Log: func(message string) { fmt.Fprintln(os.Stderr, " ", message) }}
	receipt, err := kept.Upload(ctx, site, path)
	var refused *spool.RefusedError
	switch {
	case errors.As(err, &refused):
		return notUploadedError{fmt.Errorf("%w\nThe result is kept in %s", err, path)}
	case ctx.Err() != nil:
		return fmt.Errorf("%w: the upload may not have arrived; kept in %s; upload later with: %s", context.Cause(ctx), path, uploadCommand(o, path))
	case err != nil:
		return notUploadedError{fmt.Errorf("%w\nThe result is kept in %s; upload later with: %s", err, path, uploadCommand(o, path))}
	}
	out := os.Stdout
	if o.json {
		out = os.Stderr
	}
	fmt.Fprintf(out, "Uploaded: %s\n  result  %s\n  module  %s  %s\n", receipt.State, receipt.ResultURL, receipt.Module.URL, receipt.Module.Name)
	return nil
}

// uploadCommand is what to type to upload path later. The client that runs now may be gone by then: the script that
// fetches it never is.
func uploadCommand(o options, path string) string {
	if o.site == "" {
		return "flashdex upload --site URL " + quote(path)
	}
	return fmt.Sprintf("curl -fsSL %s | sh -s -- upload %s", quote(strings.TrimSuffix(o.site, "/")+"/run.sh"), quote(path))
}

// quote writes s as one word of a shell.
func quote(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._:-") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

var errNoTerminal = errors.New("no terminal")

// ask puts a question on the terminal that is answered by yes or no.
func ask(ctx context.Context, question string) (yes bool, err error) {
	line, err := typed(ctx, question)
	line = strings.ToLower(line)
	return line == "y" || line == "yes", err
}
