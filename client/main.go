// Command flashdex measures a flash module in a directory or as a whole, and uploads the result if the user agrees.
package main

import (
	"cmp"
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
	exitChanged     = 4 // watch: the module gets slower or faster, which wasn't told yet
	exitBusy        = 5 // watch: something else uses the module
)

// failure is an error with its own exit code.
type failure struct {
	error
	code int
}

// usageError marks an error as wrong usage of the program. It returns nil for nil.
func usageError(err error) error {
	if err == nil {
		return nil
	}
	return failure{err, exitUsage}
}

func usagef(format string, args ...any) error { return usageError(fmt.Errorf(format, args...)) }

// notUploaded says that a result is kept but was not uploaded.
func notUploaded(format string, args ...any) error {
	return failure{fmt.Errorf(format, args...), exitNotUploaded}
}

// stopped is the cause of a context that a signal from the user ended.
type stopped struct{ signal syscall.Signal }

func (s stopped) Error() string {
	name := map[syscall.Signal]string{syscall.SIGINT: "Ctrl-C", syscall.SIGTERM: "SIGTERM", syscall.SIGHUP: "SIGHUP"}
	return "stopped by " + name[s.signal]
}

func main() {
	// A test may block one thread in a system call that Go doesn't know about (measure/random.go). Signals need another.
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
	fmt.Fprintf(stderr, "flashdex: %v\n", err)
	if end, ok := errors.AsType[stopped](err); ok {
		return 128 + int(end.signal)
	}
	if failed, ok := errors.AsType[failure](err); ok {
		return failed.code
	}
	return exitFailed
}

// untilSignal returns a context that the user's signals end, with stopped as its cause.
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

// options is the parsed command line.
type options struct {
	module                               result.Module
	site, device                         string
	prometheus                           string // of health: the file to write
	profile, filesystem, configuration   string
	end                                  string        // of resume: how a run ended that won't go on
	time                                 time.Duration // limit of random writes; 0: the profile's own
	rateBytesPerS                        int64         // of the recorder profile; 0: its own
	erase, json, all                     bool
	yes, upload, noUpload, payload, help bool
	dryRun                               bool              // of import: keep and send nothing
	plot                                 bool              // of show
	wear                                 bool              // of measuring: ask the module for its wear and give it away
	arguments                            []string          // the command and its arguments
	facts                                map[string]string // that the user gave for import, by their names in transcript
	start                                []string          // of the startup profile: the program's path and its arguments
}

// commands are the words that begin a command line. Any other word is a directory to measure.
var commands = map[string]func(ctx context.Context, o options, arguments []string) error{
	"compare": compareResults, "delete": deleteResults, "health": tellHealth, "help": printHelp, "import": importFiles,
	"list": list, "name": nameResult, "resume": resume, "rotate": rotate, "show": show, "signed": signed,
	"upload": uploadKept, "verify": verifyModule, "version": printVersion, "watch": watchModule,
}

func command(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	if o.help {
		return printHelp(ctx, o, nil)
	}
	if o.profile == result.ProfileStartup {
		return measureStartup(ctx, o)
	}
	first, rest := "", o.arguments
	if len(rest) > 0 {
		first, rest = rest[0], rest[1:]
	}
	do := commands[first]
	switch {
	case o.wear && (do != nil && first != "watch" || first == "" && o.device == ""):
		return usagef("--wear goes with measuring and with watch; flashdex help health explains")
	case first == "verify" || first == "resume": // they check --device themselves
	case o.device != "" && first != "":
		return usagef("--device measures the whole of %s: %q is one too many", o.device, first)
	case o.device != "":
		return measureModule(ctx, o, "")
	case o.erase:
		return usagef("--erase erases nothing without --device; flashdex help all explains")
	case first == "" && o.json:
		return usagef("name a directory on the module to measure, such as /mnt/card; flashdex help all explains")
	case first == "":
		return listModules(o)
	case o.json && slices.Contains([]string{"list", "compare", "upload", "name", "delete", "rotate",
		"version", "watch"}, first):
		return usagef("--json goes with measuring and with show, not with %s", first)
	case first == "list" && len(rest) > 0:
		return usagef("list takes no arguments; flashdex show FILE prints one result")
	case first == "show" && len(rest) != 1:
		return usagef("show takes one file; flashdex help all explains")
	case first == "import" && len(rest) == 0:
		return usagef("import takes files, or - for stdin; flashdex help all explains")
	case do == nil && len(rest) > 0:
		return usagef("one directory at a time: %q is one too many", rest[0])
	}
	if do != nil {
		return do(ctx, o, rest)
	}
	if info, err := os.Stat(first); strings.HasSuffix(first, ".json") && (err != nil || !info.IsDir()) {
		return show(ctx, o, []string{first})
	}
	return measureModule(ctx, o, first)
}

// parse reads the command line. Flags may stand anywhere among the arguments.
func parse(args []string) (options, error) {
	o := options{facts: map[string]string{}}
	var capacity, limit, rate, price, bought string
	flags := flag.NewFlagSet("flashdex", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	for name, value := range map[string]*string{
		"vendor": &o.module.Vendor, "product": &o.module.Product, "capacity": &capacity, "form": &o.module.Form,
		"price": &price, "bought": &bought, "site": &o.site, "device": &o.device, "filesystem": &o.filesystem, "time": &limit,
		"configuration": &o.configuration, "rate": &rate, "end": &o.end, "prometheus": &o.prometheus,
	} {
		flags.StringVar(value, name, "", "")
	}
	for name, value := range map[string]*bool{
		"erase": &o.erase, "json": &o.json, "all": &o.all, "yes": &o.yes, "upload": &o.upload, "no-upload": &o.noUpload,
		"print-payload": &o.payload, "dry-run": &o.dryRun, "plot": &o.plot, "wear": &o.wear,
	} {
		flags.BoolVar(value, name, false, "")
	}
	flags.StringVar(&o.profile, "profile", result.ProfileStandard, "")
	o.addFacts(flags)
	for len(args) > 0 {
		if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
			return options{help: true}, nil
		} else if err != nil {
			return o, usagef("%s; flashdex help all lists the flags",
				strings.Replace(err.Error(), "flag provided but not defined: -", "there is no flag --", 1))
		}
		rest := flags.Args()
		next := min(1, len(rest))
		if ended := len(args) - len(rest); ended > 0 && args[ended-1] == "--" { // only arguments follow it
			next = len(rest)
		}
		o.arguments = append(o.arguments, rest[:next]...)
		args = rest[next:]
	}
	is := func(command string) bool { return len(o.arguments) > 0 && o.arguments[0] == command }
	switch {
	case o.noUpload && o.upload:
		return o, usagef("--upload and --no-upload contradict each other")
	case o.all && !is("delete"):
		return o, usagef("--all goes with delete; flashdex help all explains")
	case o.json && o.payload:
		return o, usagef("--json and --print-payload would both print on stdout; choose one")
	case o.plot && !is("show"):
		return o, usagef("--plot goes with show; flashdex help results explains")
	case o.plot && o.json:
		return o, usagef("--json and --plot would both print on stdout; choose one")
	case o.end != "" && !is("resume"):
		return o, usagef("--end goes with resume; flashdex help all explains")
	case o.end != "" && o.end != string(result.Stopped) && o.end != string(result.Gone):
		return o, usagef("--end %q is neither stopped nor gone: a module that still works, or one that no host can use "+
			"any more", o.end)
	case o.prometheus != "" && !is("health"):
		return o, usagef("--prometheus goes with health; flashdex help health explains")
	case o.dryRun && !is("import"):
		return o, usagef("--dry-run goes with import; flashdex help all explains")
	case o.dryRun && o.json:
		return o, usagef("--dry-run makes no result that --json could print; choose one")
	case len(o.facts) > 0 && !is("import"):
		return o, usagef("--test, --block-size, --direct, --sync and --unit go with import; flashdex help all explains")
	}
	if o.site != "" {
		if _, err := (spool.Site{URL: o.site}).Address(); err != nil {
			return o, usageError(err)
		}
	}
	return o, cmp.Or(o.checkProfile(limit, rate), o.checkPrice(price, bought), o.checkModule(capacity))
}

// printHelp prints the first part of help.txt, or the part that a topic names, or all parts.
func printHelp(_ context.Context, _ options, topics []string) error {
	first, rest, _ := strings.Cut(help, "\n# ")
	if len(topics) == 0 || topics[0] == "all" {
		fmt.Println(strings.TrimSpace(first))
	}
	known := len(topics) == 0
	for part := range strings.SplitSeq(rest, "\n# ") {
		if topic, _, _ := strings.Cut(part, ":"); len(topics) == 1 && (topics[0] == topic || topics[0] == "all") {
			fmt.Printf("\n%s\n", strings.TrimSpace(part))
			known = true
		}
	}
	if !known {
		return usagef("there is no help on %q; flashdex help names the topics", strings.Join(topics, " "))
	}
	return nil
}

func printVersion(context.Context, options, []string) error {
	fmt.Println("flashdex", version, platform())
	return nil
}

func show(_ context.Context, o options, files []string) error {
	doc, data, err := spool.Read(files[0])
	if err == nil && o.json {
		return printJSON(os.Stdout, files[0], doc, data, nil)
	} else if err == nil {
		printResult(os.Stdout, doc)
		if o.plot {
			fmt.Print(plot(doc, min(cmp.Or(terminalColumns(os.Stdout), textColumns), textColumns), ramps[showsUTF8()]))
		}
	}
	return usageError(err)
}
