package main

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"flashdex/client/looptest"
	"flashdex/client/sitetest"
	"flashdex/client/spool"
	"flashdex/result"
	"flashdex/result/schema"

	"github.com/rogpeppe/go-internal/testscript"
)

// beTheClient makes this test binary run as the client.
const beTheClient = "FLASHDEX_TEST_CLIENT"

type (
	siteKey   struct{}
	statusKey struct{}
	testKey   struct{}
)

var update = flag.Bool("update", false, "write what the client prints now into the transcripts that compare it")

// TestTranscripts runs the transcripts in testdata/*.txt. Each has its own site at $SITE and its own kept results in
// $FLASHDEX_DIR. $EXAMPLE and $CF are files of results, and $OUTPUTS is a directory with other tools' outputs. These
// commands are ours:
//
//	flashdex ARGUMENTS       run the client, without a terminal unless ttyin precedes it
//	status N                 the last flashdex ended with this exit status
//	says TEXT                the last flashdex printed nothing to stdout, and one line with TEXT to stderr
//	keep ID                  keep the example result under this id
//	document                 the last flashdex printed JSON with a result that the schema takes
//	imported TOOL [GB]       the same, and it was measured by TOOL, was uploaded, and names nothing of this computer;
//	                         its module has 32 GB, or as many as named
//	site state STATE REASON  have the site put new results into this state
//	site tokens FAULT        have the site give out run tokens, and find this fault in them
//	site foretells FILE      have the site tell this JSON list of other hosts
//	site either MODULE...    have the site take each result for one of these modules; one after ~ is offered instead
//	site answers STATUS BODY have the site answer every request so; 0 ends it
//	site asked N             the site got N requests since the last "site" command
//	site has ID              the site has this result
//	site deleted ID          the site had this result and deleted it
//	disk MiB                 mount a new ext4 file system on $DIR
//	empty DIR                there is nothing in this directory
//	files N PATTERN          N files match the pattern
func TestTranscripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                "testdata",
		RequireUniqueNames: true,
		UpdateScripts:      *update,
		Setup: func(env *testscript.Env) error {
			site := sitetest.Start(env.T().(testing.TB))
			env.Values[testKey{}], env.Values[siteKey{}], env.Values[statusKey{}] = env.T(), site, new(int)
			env.Setenv(beTheClient, "1")
			env.Setenv("FLASHDEX_DIR", filepath.Join(env.WorkDir, "kept"))
			env.Setenv("SITE", site.URL)
			for name, path := range map[string]string{
				"EXAMPLE": exampleFile, "CF": "../result/testdata/valid/cf-card.json", "OUTPUTS": "transcript/testdata",
			} {
				absolute, err := filepath.Abs(path)
				if err != nil {
					return err
				}
				env.Setenv(name, absolute)
			}
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "root" {
				return false, errors.New("unknown condition " + name)
			}
			return os.Geteuid() == 0, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"flashdex": runClient, "status": checkStatus, "says": checkSays,
			"keep": keepExample, "document": checkDocument, "imported": checkImported,
			"site": onSite, "disk": mountDisk, "empty": checkEmpty, "files": countFiles,
		},
	})
}

func runClient(ts *testscript.TestScript, fails bool, arguments []string) {
	status := ts.Value(statusKey{}).(*int)
	*status = 0
	program, err := os.Executable()
	ts.Check(err)
	var ended *exec.ExitError
	if err := ts.Exec(program, arguments...); errors.As(err, &ended) {
		*status = ended.ExitCode()
	} else {
		ts.Check(err)
	}
	if fails != (*status != 0) {
		ts.Fatalf("exit status %d", *status)
	}
}

func checkStatus(ts *testscript.TestScript, _ bool, arguments []string) {
	if got := *ts.Value(statusKey{}).(*int); len(arguments) != 1 || strconv.Itoa(got) != arguments[0] {
		ts.Fatalf("exit status %d, want %q", got, arguments)
	}
}

func checkSays(ts *testscript.TestScript, _ bool, arguments []string) {
	said := ts.ReadFile("stderr")
	one := strings.Count(said, "\n") == 1 && strings.HasPrefix(said, "flashdex: ")
	if len(arguments) != 1 || !one || !strings.Contains(said, arguments[0]) || ts.ReadFile("stdout") != "" {
		ts.Fatalf("want one line with %q on stderr, and nothing else", arguments)
	}
}

func keepExample(ts *testscript.TestScript, _ bool, arguments []string) {
	doc, _, err := spool.Read(exampleFile)
	ts.Check(err)
	doc.ID = arguments[0]
	kept := spool.Spool{Dir: ts.Getenv("FLASHDEX_DIR")}
	ts.Check(os.MkdirAll(kept.Dir, 0o700))
	_, _, err = kept.Save(doc)
	ts.Check(err)
}

// printed is what --json prints.
type printed struct {
	Result   json.RawMessage
	Clean    bool
	Reasons  []string `json:"not_ranked"`
	Receipt  spool.Receipt
	Standing spool.Standing
}

func readDocument(ts *testscript.TestScript) (out printed, doc *result.Document) {
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &out))
	doc, err := schema.Read(out.Result)
	ts.Check(err)
	return out, doc
}

func checkDocument(ts *testscript.TestScript, _ bool, _ []string) { readDocument(ts) }

func checkImported(ts *testscript.TestScript, _ bool, arguments []string) {
	out, doc := readDocument(ts)
	if doc.Imported == nil || doc.Imported.Tool != arguments[0] || doc.Method != result.MethodOfImport(arguments[0]) {
		ts.Fatalf("method %s, imported from %+v", doc.Method, doc.Imported)
	}
	if out.Clean || len(out.Reasons) == 0 || out.Receipt.State != "accepted" {
		ts.Fatalf("clean %v, not ranked for %q, receipt %+v", out.Clean, out.Reasons, out.Receipt)
	}
	if doc.Host != (result.Host{}) || doc.Identity.Bus != "" || doc.UnitTag != "" ||
		strconv.FormatFloat(doc.Module.CapacityGB, 'f', -1, 64) != append(arguments, "32")[1] {
		ts.Fatalf("it says of this computer or module: %+v", doc)
	}
}

func onSite(ts *testscript.TestScript, _ bool, arguments []string) {
	site := ts.Value(siteKey{}).(*sitetest.Site)
	arguments = append(arguments, "", "")
	first := arguments[1]
	body, deleted := site.Body(first)
	site.Lock()
	defer site.Unlock()
	switch arguments[0] {
	case "state":
		reason, err := strconv.Unquote(`"` + arguments[2] + `"`)
		ts.Check(err)
		site.State, site.Reason = first, reason
	case "tokens":
		site.Tokens, site.Fault = true, first
	case "foretells":
		site.Hosts = ts.ReadFile(first)
	case "either":
		site.Either = arguments[1 : len(arguments)-2]
	case "answers":
		status, err := strconv.Atoi(first)
		ts.Check(err)
		site.Status, site.Answer = status, arguments[2]
	case "asked":
		if strconv.Itoa(len(site.Log)) != first {
			ts.Fatalf("requests: %q", site.Log)
		}
	case "has", "deleted":
		if deleted != (arguments[0] == "deleted") || deleted == (body != "") {
			ts.Fatalf("the site has %d bytes of it; deleted: %v", len(body), deleted)
		}
	default:
		ts.Fatalf("no command: site %q", arguments)
	}
	site.Log = nil
}

func mountDisk(ts *testscript.TestScript, _ bool, arguments []string) {
	mib, err := strconv.ParseInt(strings.Join(arguments, " "), 10, 64)
	ts.Check(err)
	ts.Setenv("DIR", looptest.Mount(ts.Value(testKey{}).(testing.TB), mib<<20, "").Dir)
}

func checkEmpty(ts *testscript.TestScript, _ bool, arguments []string) {
	for _, dir := range arguments {
		entries, err := os.ReadDir(ts.MkAbs(dir))
		ts.Check(err)
		if len(entries) > 0 {
			ts.Fatalf("%s holds %v", dir, entries)
		}
	}
}

func countFiles(ts *testscript.TestScript, _ bool, arguments []string) {
	files, err := filepath.Glob(ts.MkAbs(arguments[1]))
	ts.Check(err)
	if strconv.Itoa(len(files)) != arguments[0] {
		ts.Fatalf("%q", files)
	}
}
