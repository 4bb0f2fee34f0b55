package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"flashdex/client/spool"
	"flashdex/result"
)

const (
	sent = `
Sent:      the figures and their samples; what the kernel shows of the module and of this computer (board, processor,
           memory, kernel version); a tag that links your own runs on one module; with --wear how worn it is, and
           how much was written to it, to two digits: several such results tell how much you write.
Not sent:  serial numbers, host name, user name, addresses, paths. --print-payload shows every byte.
`
	sentOfImport = `
Sent:      the figures, the tool that measured them with its options, and your answers about the module and the test.
Not sent:  the file, its name, anything of this computer but its platform. --print-payload shows every byte.
`
	sentOfCheck = `
Sent:      what was found, and how much was written and read back; what the kernel shows of the module and of this
           computer (board, processor, memory, kernel version); a tag that links your own results of one module.
Not sent:  serial numbers, host name, user name, addresses, paths. --print-payload shows every byte.
`
	question = "Upload and publish this result under CC0? [y/N] "
)

// offer uploads the result at path if the user agrees, or says how to upload it later. It returns the rank, if any.
func offer(ctx context.Context, o options, kept spool.Spool, path string, doc *result.Document) (
	*spool.Standing, error) {
	command := siteCommand(o, "upload", path)
	switch {
	case o.noUpload:
		return nil, nil
	case o.site == "" && o.upload:
		return nil, notUploaded("not uploaded, since no site was named; upload it later with:\n    %s", command)
	case o.site == "":
		fmt.Fprintf(stderr, "Not uploaded, since no site was named. Upload it with:\n    %s\n", command)
		return nil, nil
	case o.upload && o.yes:
		return uploadOne(ctx, o, siteOf(o), kept, path, true)
	}
	what := sent
	switch {
	case doc.Imported != nil:
		what = sentOfImport
	case doc.Method == result.MethodVerify1:
		what = sentOfCheck
	}
	agreed, err := ask(ctx, what+question, "nothing was sent; the result is kept in "+path, notUploaded(
		"not uploaded: there is no terminal to ask on. Run with --yes --upload, or upload it with:\n    %s", command))
	switch {
	case err != nil && (o.upload || ctx.Err() != nil):
		return nil, err
	case err != nil:
		fmt.Fprintln(stderr, "flashdex:", err)
		return nil, nil
	case !agreed:
		fmt.Fprintf(stderr, "Not uploaded. If you change your mind:\n    %s\n", command)
		return nil, nil
	}
	return uploadOne(ctx, o, siteOf(o), kept, path, true)
}

// uploadKept uploads the named files, or all that wait in the spool. The command itself is the consent. It asks only
// which module a result is of, if the site can't tell.
func uploadKept(ctx context.Context, o options, files []string) error {
	if o.site == "" {
		return usagef("name the site to upload to with --site URL")
	}
	kept, err := spool.Open()
	if err != nil {
		return err
	}
	named := len(files) > 0
	if !named {
		if files, err = kept.Pending(); err != nil {
			return err
		}
	}
	var failed []error
	files = slices.DeleteFunc(files, func(file string) bool {
		_, _, err := spool.Read(file)
		if err != nil {
			failed = append(failed, err)
		}
		return err != nil
	})
	switch {
	case named && len(failed) > 0:
		return usageError(failed[0])
	case len(files) == 0: // a file that holds no result doesn't keep the others from being uploaded
		fmt.Fprintln(stderr, "Nothing waits to be uploaded in", kept.Dir)
		return errors.Join(failed...)
	}
	site := siteOf(o)
	for i, file := range files {
		_, err := uploadOne(ctx, o, site, kept, file, len(files) == 1)
		if err == nil {
			continue
		}
		failed = append(failed, err)
		// A site that refuses one result may take the next. A site that can't be reached won't.
		if left := len(files) - i - 1; spool.Refused(err) == 0 && left > 0 {
			failed = append(failed, fmt.Errorf("%d more were not tried; upload all that wait with:\n    %s", left,
				siteCommand(o, "upload")))
			break
		}
	}
	return errors.Join(failed...)
}

// siteOf returns the site that the user named. It warns if the secret would go there unencrypted.
func siteOf(o options) spool.Site {
	site := spool.Site{URL: o.site, Log: func(message string) { fmt.Fprintln(stderr, " ", message) }}
	if site.Exposed() {
		fmt.Fprintf(stderr, "Warning: the connection to %s is not encrypted, so whoever listens on the way learns your "+
			"secret and can delete your results; use https if the site has it.\n", spool.Clean(o.site))
	}
	return site
}

// uploadOne uploads a result and shows the site's answer. If it is the only result, uploadOne draws its address, too.
func uploadOne(
	ctx context.Context, o options, site spool.Site, kept spool.Spool, path string, only bool,
) (*spool.Standing, error) {
	fmt.Fprintf(stderr, "Uploading to %s ...\n", spool.Clean(o.site))
	receipt, err := kept.Upload(ctx, site, path)
	command := siteCommand(o, "upload", path)
	switch {
	case spool.Refused(err) != 0:
		return nil, notUploaded("%w\nThe result is kept in %s", err, path)
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%w: the upload may not have arrived; the result is kept in %s; upload it later with:\n    %s",
			context.Cause(ctx), path, command)
	case err != nil:
		return nil, notUploaded("%w\nThe result is kept in %s; upload it later with:\n    %s", err, path, command)
	}
	standing := site.Standing(ctx, receipt.ID)
	out := os.Stdout
	if o.json {
		out = os.Stderr
	}
	printReceipt(out, receipt, standing)
	err = askModule(ctx, o, site, kept, receipt, out)
	if only && out == os.Stdout && receipt.State == "accepted" {
		drawAddress(out, receipt.ResultURL)
	}
	return standing, err
}

func printReceipt(out *os.File, receipt spool.Receipt, standing *spool.Standing) {
	state := receipt.State
	if state == "quarantined" {
		state += ", so not shown with the others until somebody has looked at it"
	}
	if receipt.Reason != "" {
		state += ": " + receipt.Reason
	}
	m := receipt.Module
	fmt.Fprintf(out, "Uploaded: %s\n  result  %s\n  module  %s\n", state, receipt.ResultURL,
		strings.TrimSpace(m.URL+"  "+m.Name))
	if receipt.TokenFault != "" {
		fmt.Fprintf(out, "  counts  not: %s\n", receipt.TokenFault)
	}
	if m.NotListed != "" {
		fmt.Fprintf(out, "          %s\n", m.NotListed)
	}
	if receipt.State != "accepted" {
		return
	}
	if receipt.Probation != "" {
		fmt.Fprintf(out, "  counts  not yet: your result is shown, and %s\n", receipt.Probation)
	}
	if rank, percent := rankOf(standing); rank != "" {
		fmt.Fprintf(out, "  rank    %s\n", rank)
		const indent = "          "
		if columns := terminalColumns(out) - len(indent); columns > 0 {
			fmt.Fprintf(out, "%s%s\n", indent, share(percent, columns, showsUTF8()))
		}
	}
	if len(receipt.Foretold) > 0 {
		fmt.Fprintln(out, "  hosts   4K random write of this module elsewhere, with 95 % intervals:")
	}
	for _, f := range receipt.Foretold {
		fmt.Fprintf(out, "          %s\n", inHost(f))
	}
}

// inHost says what a module does in a class of hosts.
func inHost(f spool.Foretold) string {
	where, from := f.Label, "foretold from other hosts"
	if strings.HasPrefix(where, "Raspberry Pi") {
		where = "a " + where
	}
	if f.Measured {
		from = "measured there"
	}
	return fmt.Sprintf("In %s about %s IOPS (%s to %s), %s.", where, result.Number(f.RandWriteIOPS),
		result.NumberBeside(f.Low, f.RandWriteIOPS), result.NumberBeside(f.High, f.RandWriteIOPS), from)
}

// formPlurals names the modules of a form. For other forms, nobody would know what their modules are.
var formPlurals = map[string]string{
	"sd": "SD cards", "microsd": "microSD cards", "sdexpress": "SD Express cards", "cf": "CompactFlash cards",
	"usb": "USB sticks", "emmc": "eMMC modules",
}

// fewestOfForm is the smallest number of modules of a form at which a rank among them is worth telling.
const fewestOfForm = 10

// rankOf puts a rank into words. It is the rank among the modules of the form, if the site knows enough of them.
// Percent is the share of modules that the module is faster than. The text is "" if there is no rank, or if this client
// doesn't know its figure.
func rankOf(standing *spool.Standing) (text string, percent int) {
	if standing == nil || standing.Figure != "rand_write_iops" {
		return "", 0
	}
	above, modules, names := standing.Above, standing.Modules, "measured modules"
	first := "no measured module is faster (rank 1 of " + result.Count(modules) + ")"
	if f := standing.OfForm; f != nil && f.Modules >= fewestOfForm && formPlurals[f.Form] != "" {
		above, modules, names = f.Above, f.Modules, formPlurals[f.Form]
		first = fmt.Sprintf("none of %s %s is faster (rank 1)", result.Count(modules), names)
	}
	if above == 0 {
		return "4K random write: " + first, 100 * (modules - 1) / modules // it is not faster than itself
	}
	percent = 100 * (modules - above) / modules
	return fmt.Sprintf("4K random write: faster than %d %% of %s %s (rank %s)", percent, result.Count(modules), names,
		result.Count(above+1)), percent
}

// share draws a share in percent as a bar, and the rest as a line. Together they have at most 50 columns.
func share(percent, columns int, utf8 bool) string {
	whole, line := ramps[utf8][len(ramps[utf8])-1], "-"
	if utf8 {
		line = "─"
	}
	columns = max(min(columns, 50), 0)
	done := percent * columns / 100
	return strings.Repeat(string(whole), done) + strings.Repeat(line, columns-done)
}

// siteCommand is a shell command that fetches and runs the client, since the running one may be gone by then.
func siteCommand(o options, words ...string) string {
	if o.site == "" {
		return "flashdex --site URL " + quoted(words)
	}
	return fmt.Sprintf("curl -fsSL %s | sh -s -- %s", quote(strings.TrimSuffix(o.site, "/")+"/run.sh"), quoted(words))
}

// clientCommand is a shell command that runs the client again: by its name, or as the site's script does.
func clientCommand(o options, words ...string) string {
	if o.site == "" {
		return "flashdex " + quoted(words)
	}
	return siteCommand(o, words...)
}

// quoted writes the words of a command for a shell.
func quoted(words []string) string {
	quotes := make([]string, len(words))
	for i, word := range words {
		quotes[i] = quote(word)
	}
	return strings.Join(quotes, " ")
}

// quote writes s as one word of a shell.
func quote(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._:-") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
