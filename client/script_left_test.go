package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"flashdex/client/looptest"
)

// uuid is the only name that the script gives its files when its kernel knows no other.
const uuid = "11111111-2222-4333-8444-555555555555"

// Nobody who can write to the folder, or to the shared memory, makes the script open a file of their choice.
func TestScriptOpensNothingThatWasThereBefore(t *testing.T) {
	inShells(t, func(t *testing.T, shell string) {
		random := filepath.Join(t.TempDir(), "uuid")
		if err := os.WriteFile(random, []byte(uuid+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ link, says string }{
			// Old names, and guesses of new ones.
			{"$FOLDER/.flashdex-$$.tmp", "kept in"},
			{"/dev/shm/flashdex.$$", "kept in"},
			{"/dev/shm/flashdex-$$.tmp", "kept in"},
			// The exact names.
			{"$FOLDER/.flashdex-" + uuid + ".tmp", "can't be written to; nothing was written"},
			{"$MEMORY/flashdex-" + uuid + ".tmp", "can't be written to; nothing was written"},
		} {
			disk, kept, memory := looptest.Mount(t, 400<<20, ""), t.TempDir(), t.TempDir()
			text := shorter(t, script(t))
			if !strings.Contains(c.says, "kept") {
				if strings.Count(text, "/proc/sys/kernel/random/uuid") != 1 || strings.Count(text, "memory=/dev/shm\n") != 1 {
					t.Fatal("the script's names come from elsewhere")
				}
				text = strings.Replace(text, "/proc/sys/kernel/random/uuid", random, 1)
				text = strings.Replace(text, "memory=/dev/shm\n", "memory="+memory+"\n", 1)
			}
			for _, content := range []string{"precious", ""} { // "": the link leads nowhere
				victim := filepath.Join(t.TempDir(), "victim")
				if content != "" {
					if err := os.WriteFile(victim, []byte(content), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				words := strings.Fields(shell)
				if _, err := exec.LookPath(words[0]); err != nil {
					t.Skipf("needs %s", words[0])
				}
				// A shell places the link, and then becomes the shell that runs the script.
				command := exec.Command("sh", append([]string{"-c", `ln -s "$VICTIM" "` + c.link + `" && echo "` + c.link +
					`" >"$PLACED" && exec "$@"`, "sh"}, append(words, "-s", "--", disk.Dir, "--no-upload")...)...)
				placed := filepath.Join(t.TempDir(), "placed")
				command.Stdin = strings.NewReader(text)
				command.Env = append(os.Environ(), onAVAX(t), "FLASHDEX_DIR="+kept, "TMPDIR="+t.TempDir(), "FOLDER="+disk.Dir,
					"MEMORY="+memory, "VICTIM="+victim, "PLACED="+placed)
				said, _ := command.CombinedOutput()
				link, err := os.ReadFile(placed)
				if err != nil {
					t.Fatal(err)
				}
				_ = os.Remove(strings.TrimSpace(string(link))) // the script may have removed it: it is nobody's file
				if now, err := os.ReadFile(victim); string(now) != content || (err != nil) != (content == "") {
					t.Errorf("%s: the file at the other end has %d bytes, %v", c.link, len(now), err)
				}
				if !strings.Contains(string(said), c.says) {
					t.Errorf("%s: said %q, want %q", c.link, said, c.says)
				}
				mustBeEmpty(t, disk.Dir)
				mustBeEmpty(t, memory)
			}
		}
	})
}

// However the script ends, it leaves nothing. The pipe with its output ends with it at Ctrl-C (… 2>&1 | tee), or before
// it (… | head), or the script is killed (kill -9).
func TestScriptLeavesNothingBehind(t *testing.T) {
	inShells(t, func(t *testing.T, shell string) {
		for what, signals := range map[string][]syscall.Signal{
			"Ctrl-C, with tee": {syscall.SIGINT}, "a pipe that ends": nil, "kill -9": {syscall.SIGKILL},
		} {
			disk := looptest.Mount(t, 400<<20, "")
			read, write, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			command, temporary := shellCommand(t, shell, script(t), disk.Dir, "--no-upload")
			command.Env = append(command.Env, onAVAX(t), "FLASHDEX_DIR="+t.TempDir())
			command.Stdout, command.Stderr = write, write
			command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			write.Close()
			for said, part := "", make([]byte, 4096); !strings.Contains(said, "seq-write"); {
				n, err := read.Read(part)
				if err != nil {
					t.Fatalf("%s: said %q, %v", what, said, err)
				}
				said += string(part[:n])
			}
			read.Close()
			for _, signal := range signals {
				if err := syscall.Kill(-command.Process.Pid, signal); err != nil {
					t.Fatal(err)
				}
			}
			_ = command.Wait()
			if left, _ := os.ReadDir(disk.Dir); len(left) > 0 {
				t.Errorf("%s: left behind: %v", what, left)
			}
			mustBeEmpty(t, temporary)
		}
	})
}

// The script also removes the client's folder if nobody reads what it says about fetching it.
func TestScriptLeavesNoClientBehind(t *testing.T) {
	inShells(t, func(t *testing.T, shell string) {
		server := site(t, fakeClient, fakeClient, platforms)
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		read.Close()
		command, temporary := shellCommand(t, shell, script(t), "x")
		command.Env = append(command.Env, "FLASHDEX_SITE="+server.URL)
		command.Stdout, command.Stderr = write, write
		_ = command.Run()
		write.Close()
		mustBeEmpty(t, temporary)
	})
}
