package cluster

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is the user that runs Postgres, with a directory that this user can enter and the folder of the programs.
type account struct {
	dir        string
	binaries   string
	credential *syscall.Credential // nil: the account that runs this program
}

// accountFor picks the user. Postgres refuses to run as root, so a program run by root starts it as postgres or
// nobody. If that user can't enter dir, for example because the checkout is in root's home, the cluster is in
// /var/lib/flashdex and dir becomes a symbolic link to it.
func accountFor(dir string, log func(string)) (account, error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return account{}, err
	}
	if os.Getuid() != 0 {
		return account{dir: dir}, os.MkdirAll(dir, 0o700)
	}
	unprivileged, err := user.Lookup("postgres")
	if err != nil {
		unprivileged, err = user.Lookup("nobody")
	}
	if err != nil {
		return account{}, errors.New("postgres can't run as root, and this system has neither a user postgres nor a " +
			"user nobody: start as an ordinary user")
	}
	uid, _ := strconv.ParseUint(unprivileged.Uid, 10, 32)
	gid, _ := strconv.ParseUint(unprivileged.Gid, 10, 32)
	a := account{dir: dir, credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	if target, err := os.Readlink(dir); err == nil {
		a.dir = target
	} else if !a.canEnter(filepath.Dir(dir)) {
		a.dir = fmt.Sprintf("/var/lib/flashdex/%x", sha256.Sum256([]byte(dir)))[:len("/var/lib/flashdex/")+16]
		log(fmt.Sprintf("user %s can't enter %s, so Postgres keeps its data in %s",
			unprivileged.Username, filepath.Dir(dir), a.dir))
		if err := os.Symlink(a.dir, dir); err != nil {
			return account{}, err
		}
	}
	return a, cmp.Or(os.MkdirAll(a.dir, 0o755), a.own(a.dir))
}

func (a account) canEnter(dir string) bool {
	a.dir = "/"
	return a.command(context.Background(), "/bin/sh", "-c", `cd -- "$1"`, "sh", dir).Run() == nil
}

// own gives a directory to the account alone.
func (a account) own(dir string) error {
	if a.credential != nil {
		if err := os.Chown(dir, int(a.credential.Uid), int(a.credential.Gid)); err != nil {
			return err
		}
	}
	return os.Chmod(dir, 0o700)
}

// command prepares a program of Postgres to run as the account.
func (a account) command(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(a.binaries, program), args...)
	cmd.Dir = a.dir
	cmd.Env = []string{"LC_ALL=C", "PATH=/usr/bin:/bin", "HOME=" + a.dir}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: a.credential}
	return cmd
}
