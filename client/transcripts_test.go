package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"flashdex/client/looptest"
	"flashdex/client/sitetest"

	"github.com/rogpeppe/go-internal/testscript"
)

// beTheClient makes this test binary run as the client.
const beTheClient = "FLASHDEX_TEST_CLIENT"

type (
	siteKey   struct{}
	statusKey struct{}
	testKey   struct{}
)

// TestTranscripts runs the transcripts in testdata/*.txt. Each has its own site at $SITE and its own kept results in
// $FLASHDEX_DIR. $EXAMPLE is the file of a result, and $OUTPUTS holds what other tools printed. These commands are ours:
//
//	flashdex ARGUMENTS       run the client, without a terminal unless ttyin precedes it
//	status N                 the last flashdex ended with this exit status
//	says TEXT                the last flashdex printed nothing to stdout, and one line with TEXT to stderr
//	site state STATE REASON  have the site put new results into this state
//	site has ID              the site has this result
//	site deleted ID          the site had this result and deleted it
//	disk MiB                 mount a new ext4 file system on $DIR; its loop device is $DEVICE
//	empty DIR                there is nothing in this directory
func TestTranscripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                "testdata",
		RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			site := sitetest.Start(env.T().(testing.TB))
			env.Values[testKey{}], env.Values[siteKey{}], env.Values[statusKey{}] = env.T(), site, new(int)
			env.Setenv(beTheClient, "1")
			env.Setenv("FLASHDEX_DIR", filepath.Join(env.WorkDir, "kept"))
			env.Setenv("SITE", site.URL)
			for name, path := range map[string]string{"EXAMPLE": exampleFile, "OUTPUTS": "transcript/testdata"} {
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
			"flashdex": runClient, "status": checkStatus, "says": checkSays, "site": siteCommands, "disk": mountDisk,
			"empty": checkEmpty,
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
	if got := strconv.Itoa(*ts.Value(statusKey{}).(*int)); len(arguments) != 1 || got != arguments[0] {
		ts.Fatalf("exit status %s, want %q", got, arguments)
	}
}

func checkSays(ts *testscript.TestScript, _ bool, arguments []string) {
	said := ts.ReadFile("stderr")
	one := strings.Count(said, "\n") == 1 && strings.HasPrefix(said, "flashdex: ")
	if len(arguments) != 1 || !one || !strings.Contains(said, arguments[0]) || ts.ReadFile("stdout") != "" {
		ts.Fatalf("want one line with %q on stderr, and nothing else", arguments)
	}
}

func siteCommands(ts *testscript.TestScript, _ bool, arguments []string) {
	site := ts.Value(siteKey{}).(*sitetest.Site)
	switch {
	case len(arguments) == 3 && arguments[0] == "state":
		site.State, site.Reason = arguments[1], arguments[2]
	case len(arguments) == 2 && (arguments[0] == "has" || arguments[0] == "deleted"):
		body, deleted := site.Body(arguments[1])
		if deleted != (arguments[0] == "deleted") || deleted == (body != "") {
			ts.Fatalf("the site has %d bytes of it; deleted: %v", len(body), deleted)
		}
	default:
		ts.Fatalf("site: unknown arguments %q", arguments)
	}
}

func mountDisk(ts *testscript.TestScript, _ bool, arguments []string) {
	mib, err := strconv.ParseInt(strings.Join(arguments, " "), 10, 64)
	ts.Check(err)
	disk := looptest.Mount(ts.Value(testKey{}).(testing.TB), mib<<20, "")
	ts.Setenv("DIR", disk.Dir)
	ts.Setenv("DEVICE", disk.Device)
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
