package deploy

import (
	"errors"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"flashdex/migrations"
)

// Postgres knows a service by its uid. So each service has its own user, with the same name as its role in the image.
func TestEachServiceHasARoleOfItsOwn(t *testing.T) {
	t.Parallel()
	uids := map[string]string{}
	for _, found := range regexp.MustCompile(`(\d+):(flashdex\w*)[ ;]`).FindAllStringSubmatch(read(t, "Dockerfile"), -1) {
		uids[found[2]] = found[1]
	}
	services := regexp.MustCompile(`(?m)^  (\w+):$`).Split(read(t, "../../docker-compose.yml"), -1)
	names := regexp.MustCompile(`(?m)^  (\w+):$`).FindAllStringSubmatch(read(t, "../../docker-compose.yml"), -1)
	want := map[string]string{"migrate": "flashdex", "api": migrations.ServerRole, "worker": migrations.WorkerRole}
	for i, name := range names {
		role, has := want[name[1]]
		uid := "10001" // of the image
		if found := regexp.MustCompile(`\n    user: "(\d+):`).FindStringSubmatch(services[i+1]); found != nil {
			uid = found[1]
		}
		roles := regexp.MustCompile(`user=(\w+)`).FindAllStringSubmatch(services[i+1], -1)
		switch {
		case !has && len(roles) > 0:
			t.Errorf("%s has the role %s", name[1], roles)
		case has && (len(roles) != 1 || roles[0][1] != role || uids[role] != uid):
			t.Errorf("%s runs as %s with %v, want %s, whose uid is %q", name[1], uid, roles, role, uids[role])
		}
		delete(want, name[1])
	}
	if len(want) > 0 || len(uids) != 3 {
		t.Errorf("not there: %v; users %v", want, uids)
	}
}

// A cluster of an older version gets the roles when its container starts.
func TestOldClusterGetsTheRoles(t *testing.T) {
	t.Parallel()
	programs, _ := filepath.Glob("/usr/lib/postgresql/*/bin/psql")
	account, err := user.Lookup("postgres")
	if err != nil || len(programs) != 1 || os.Getuid() != 0 {
		t.Skip("needs root, and Debian's Postgres in one version, as the image has it")
	}
	uid, _ := strconv.Atoi(account.Uid)
	dir, err := os.MkdirTemp("", "flashdex-deploy-") // t.TempDir() is closed to other users
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := errors.Join(os.Chmod(dir, 0o755), os.Chown(dir, uid, -1)); err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs("postgres.sh")
	if err != nil {
		t.Fatal(err)
	}
	text := read(t, script) // the account may be unable to enter the checkout
	as := func(program string, args ...string) *exec.Cmd {
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Env = dir, []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "PGDATA=" + dir + "/data"}
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}, Pdeathsig: syscall.SIGINT}
		return cmd
	}
	psql := func(statement string) (string, error) {
		output, err := as(programs[0], "-h", dir, "-Atc", statement, "postgres").Output()
		return strings.TrimSpace(string(output)), err
	}
	runtime.LockOSThread() // the death signal comes when the thread that started the process ends
	defer runtime.UnlockOSThread()
	const roles = `
		select string_agg(rolname, ' ' order by rolname) from pg_roles where rolname like 'flashdex%' and rolcanlogin`
	for range 2 {
		server := as("sh", "-c", text, "postgres.sh", "-k", dir)
		said, err := os.Create(filepath.Join(dir, "log"))
		if err != nil {
			t.Fatal(err)
		}
		server.Stdout, server.Stderr = said, said
		if err := server.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- server.Wait() }()
		var got string
		for {
			if got, err = psql(roles); err == nil {
				break
			}
			select {
			case err := <-ended:
				t.Fatalf("Postgres ended: %v\n%s", err, read(t, said.Name()))
			case <-time.After(50 * time.Millisecond):
			}
		}
		if got != "flashdex flashdex_server flashdex_worker" {
			t.Errorf("the roles are %q", got)
		}
		if _, err := psql("drop role flashdex_server, flashdex_worker"); err != nil { // as an older version left it
			t.Error(err)
		}
		_ = server.Process.Signal(syscall.SIGQUIT) // at once, so that the next start recovers
		<-ended
	}
}
