// Command flashdex measures the flash module below a directory, or as a whole, and uploads the result, if its user says so.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"flashdex/client/spool"
	"flashdex/result"
)

// version is set by the build.
var version = "0.0.0"

//go:embed help.txt
var help string

const (
	exitFailed      = 1
	exitUsage       = 2
	exitNotUploaded = 3
)

// usageError is a mistake in how the program was called.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// notUploadedError says that a result which exists wasn't uploaded.
type notUploadedError struct{ error }

// stopped is why a context ended: the user's signal.
type stopped struct{ signal syscall.Signal }

func (s stopped) Error() string {
	switch s.signal {
	case syscall.SIGINT:
		return "stopped by Ctrl-C"
	case syscall.SIGTERM:
		return "stopped by SIGTERM"
	}
	return "stopped by SIGHUP"
}

func main() {
	// One thread may be waiting for the module without Go knowing (measure/raw.go); signals need another.
	runtime.GOMAXPROCS(max(2, runtime.NumCPU()))
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int {
	ctx, stop := untilSignal()
	defer stop()
	err := command(ctx, args)
	if err == nil {
		return 0
	}
	fmt.Fprintf(os.Stderr, "flashdex: %v\n", err)
	var usage usageError
	var notUploaded notUploadedError
	var signalled stopped
	switch {
	case errors.As(err, &signalled):
		return 128 + int(signalled.signal)
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &notUploaded):
		return exitNotUploaded
	}
	return exitFailed
}

// untilSignal returns a context that ends, with stopped as its cause, when the user wants the program to end.
func untilSignal() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() { cancel(stopped{(<-signals).(syscall.Signal)}) }()
	return ctx, func() { signal.Stop(signals) }
}

// options is the command line, less the subcommand.
type options struct {
	module                                result.Module
	site, device                          string
	profile, filesystem                   string
	time                                  time.Duration // limit of random writes; 0: the profile's own
	erase, json, all                      bool
	yes, upload, noUpload, payload, usage bool
	arguments                             []string
	told                                  map[string]string // with import: facts by their names in transcript
	start                                 []string          // the command that startup starts, with the program's path
}

func command(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	if o.usage {
		fmt.Print(help)
		return nil
	}
	if o.profile == result.ProfileStartup {
		return measureStartup(ctx, o)
	}
	if len(o.arguments) > 0 && o.arguments[0] == "verify" {
		return verifyModule(ctx, o, o.arguments[1:])
	}
	if len(o.arguments) > 0 && o.arguments[0] == "resume" {
		return resume(ctx, o, o.arguments[1:])
	}
	switch {
	case o.device != "" && len(o.arguments) > 0:
		return usagef("--device measures the whole of %s: %q is one too many", o.device, o.arguments[0])
	case o.device != "":
		return measureModule(ctx, o, "")
	case o.erase:
		return usagef("--erase erases nothing without --device; flashdex --help explains")
	case len(o.arguments) == 0:
		return usagef("name a directory on the module to measure, such as /mnt/card; flashdex --help explains")
	}
	switch first, rest := o.arguments[0], o.arguments[1:]; {
	case o.json && slices.Contains([]string{"list", "upload", "delete", "rotate", "version"}, first):
		return usagef("--json goes with measuring and with show, not with %s", first)
	case first == "version":
		fmt.Println("flashdex", version, platform())
		return nil
	case first == "list" && len(rest) == 0:
		return list(os.Stdout)
	case first == "list":
		return usagef("list takes no arguments; flashdex show FILE prints one result")
	case first == "upload":
		return uploadKept(ctx, o, rest)
	case first == "delete":
		return deleteResults(ctx, o, rest)
	case first == "rotate":
		return rotate(ctx, o, rest)
	case first == "import" && len(rest) == 1:
		return importFile(ctx, o, rest[0])
	case first == "import":
		return usagef("import takes one file; flashdex --help explains")
	case first == "show" && len(rest) == 1:
		return show(o, rest[0])
	case first == "show":
		return usagef("show takes one file; flashdex --help explains")
	case len(rest) > 0:
		return usagef("one directory at a time: %q is one too many", rest[0])
	case strings.HasSuffix(first, ".json") && !isDir(first):
		return show(o, first)
	default:
		return measureModule(ctx, o, first)
	}
}

// parse reads flags wherever they stand among the arguments.
func parse(args []string) (options, error) {
	var o options
	var capacity, limit, price, bought string
	flags := flag.NewFlagSet("flashdex", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	flags.StringVar(&o.module.Vendor, "vendor", "", "")
	flags.StringVar(&o.module.Product, "product", "", "")
	flags.StringVar(&capacity, "capacity", "", "")
	flags.StringVar(&o.module.Form, "form", "", "")
	flags.StringVar(&price, "price", "", "")
	flags.StringVar(&bought, "bought", "", "")
	flags.StringVar(&o.site, "site", "", "")
	flags.StringVar(&o.device, "device", "", "")
	flags.BoolVar(&o.erase, "erase", false, "")
	flags.StringVar(&o.profile, "profile", result.ProfileStandard, "")
	flags.StringVar(&o.filesystem, "filesystem", "", "")
	flags.StringVar(&limit, "time", "", "")
	for fact := range importQuestions {
		flags.Func(fact, "", func(value string) (err error) {
			if o.told == nil {
				o.told = map[string]string{}
			}
			o.told[fact], err = checkFact(fact, value)
			return err
		})
	}
	flags.BoolVar(&o.json, "json", false, "")
	flags.BoolVar(&o.all, "all", false, "")
	flags.BoolVar(&o.yes, "yes", false, "")
	flags.BoolVar(&o.upload, "upload", false, "")
	flags.BoolVar(&o.noUpload, "no-upload", false, "")
	flags.BoolVar(&o.payload, "print-payload", false, "")
	for len(args) > 0 {
		if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
			return options{usage: true}, nil
		} else if err != nil {
			return o, usagef("%s; flashdex --help lists what there is",
				strings.Replace(err.Error(), "flag provided but not defined: -", "there is no flag --", 1))
		}
		rest := flags.Args()
		// After "--" everything is an argument.
		if ended := len(args) - len(rest); ended > 0 && args[ended-1] == "--" {
			o.arguments = append(o.arguments, rest...)
			break
		}
		if len(rest) == 0 {
			break
		}
		o.arguments = append(o.arguments, rest[0])
		args = rest[1:]
	}
	if o.noUpload && o.upload {
		return o, usagef("--upload and --no-upload contradict each other")
	}
	if o.all && (len(o.arguments) == 0 || o.arguments[0] != "delete") {
		return o, usagef("--all goes with delete; flashdex --help explains")
	}
	if o.json && o.payload {
		return o, usagef("--json and --print-payload would both print on stdout; choose one")
	}
	if o.told != nil && (len(o.arguments) == 0 || o.arguments[0] != "import") {
		return o, usagef("--test, --block-size, --direct, --sync and --unit go with import; flashdex --help explains")
	}
	if err := o.checkSite(); err != nil {
		return o, err
	}
	if err := o.checkProfile(limit); err != nil {
		return o, err
	}
	if err := o.checkFilesystem(); err != nil {
		return o, err
	}
	if err := o.checkPrice(price, bought); err != nil {
		return o, err
	}
	return o, o.checkModule(capacity)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func show(o options, path string) error {
	doc, data, err := spool.Read(path)
	if err != nil {
		return usageError{err}
	}
	if o.json {
		return printJSON(os.Stdout, path, doc, data, nil)
	}
	printResult(os.Stdout, doc)
	return nil
}
