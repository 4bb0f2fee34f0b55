package packaging

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"flashdex/packaging/packagetest"
)

// The platforms for which the test makes packages: one that is mostly this machine's, and one that mostly isn't. Each
// is in all four formats.
const native, foreign = "amd64", "riscv64"

// installed holds the files of a package, and where they come from.
func installed(platform, format string) map[string]string {
	program := "../var/clients/flashdex-linux-" + platform
	if format == "ipk" {
		return map[string]string{"/usr/bin/flashdex": program, "/lib/upgrade/keep.d/flashdex": ""}
	}
	of := everywhere(program, format)
	if format != "apk" { // Alpine has no systemd
		for _, unit := range []string{"watch/flashdex-watch@.service", "watch/flashdex-watch@.timer",
			"monitoring/flashdex-health@.service", "monitoring/flashdex-health@.timer"} {
			of["/usr/lib/systemd/system/"+filepath.Base(unit)] = unit
		}
	}
	return of
}

// everywhere holds the files of each package except OpenWrt's.
func everywhere(program, format string) map[string]string {
	zsh := "site-functions"
	if format == "deb" {
		zsh = "vendor-completions"
	}
	return map[string]string{
		"/usr/bin/flashdex":                                  program,
		"/usr/share/man/man1/flashdex.1.gz":                  "flashdex.1",
		"/usr/share/bash-completion/completions/flashdex":    "completions/flashdex.bash",
		"/usr/share/zsh/" + zsh + "/_flashdex":               "completions/_flashdex",
		"/usr/share/fish/vendor_completions.d/flashdex.fish": "completions/flashdex.fish",
		"/usr/share/doc/flashdex/copyright":                  "../LICENSE",
		"/usr/share/doc/flashdex/watch.cron":                 "watch/watch.cron",
	}
}

// packages makes the packages and the image as a user with this umask and time zone would.
func packages(t *testing.T, umask, zone string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "release")
	cmd := exec.Command("sh", "-c", "umask "+umask+` && exec sh release.sh "$@"`, "sh", dir, native, foreign)
	cmd.Env = append(os.Environ(), "TZ="+zone)
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return dir
}

// TestPackages makes the packages and the image twice, compares them and looks into each. It installs and removes the
// packages that it can.
func TestPackages(t *testing.T) {
	t.Parallel()
	pin := regexp.MustCompile(`(?m)^NFPM *:= (.*\n)`).FindStringSubmatch(read(t, "../Makefile"))
	if made, err := os.ReadFile("../var/tools/.nfpm"); err != nil || string(made) != pin[1] {
		t.Skipf("nfpm isn't here: make tools (%v)", err)
	}
	if said, err := exec.Command("buildah", "info").CombinedOutput(); err != nil {
		t.Skipf("buildah can't make images here: make tools (%v)\n%s", err, said)
	}
	for _, path := range []string{"../.git", "../var/clients/flashdex-linux-" + foreign} {
		if _, err := os.Stat(path); err != nil {
			t.Skipf("this needs a clone and its clients: make build (%v)", err)
		}
	}
	dir, again := packages(t, "022", "UTC"), packages(t, "077", "Asia/Kolkata")
	sums := read(t, filepath.Join(dir, "SHA256SUMS"))
	if other := read(t, filepath.Join(again, "SHA256SUMS")); sums != other {
		t.Errorf("two runs made different packages:\n%s\n%s", sums, other)
	}
	if files := strings.Count(sums, "\n"); files != 9 {
		t.Errorf("%d files instead of four for each platform and an image:\n%s", files, sums)
	}
	t.Run("image", func(t *testing.T) { lookIntoImage(t, dir) })
	for format, architectures := range map[string][2]string{
		"deb": {"_amd64", "_riscv64"}, "rpm": {".x86_64", ".riscv64"},
		"apk": {"_x86_64", "_riscv64"}, "ipk": {"_x86_64", "_riscv64_riscv64"},
	} {
		for i, platform := range []string{native, foreign} {
			t.Run(format+" for "+platform, func(t *testing.T) {
				found, err := filepath.Glob(filepath.Join(dir, "flashdex*"+architectures[i]+"."+format))
				if err != nil || len(found) != 1 {
					t.Fatalf("%v %v in\n%s", found, err, sums)
				}
				look(t, found[0], platform, format, strings.Trim(architectures[i], "_."))
			})
		}
	}
}

// look checks a package's description, that it runs nothing, and its files.
func look(t *testing.T, file, platform, format, architecture string) {
	t.Helper()
	if tool := map[string]string{"deb": "dpkg-deb", "rpm": "rpm"}[format]; tool != "" {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("this needs %s: make tools, as root on Debian", tool)
		}
	}
	about, control, files := "", []string{}, map[string]*packagetest.File{}
	switch format {
	case "deb":
		about = output(t, "dpkg-deb", "--info", file)
		control = slices.Sorted(maps.Keys(packagetest.Unpack(t, []byte(output(t, "dpkg-deb", "--ctrl-tarfile", file)))))
		files = packagetest.Unpack(t, []byte(output(t, "dpkg-deb", "--fsys-tarfile", file)))
	case "rpm":
		about = output(t, "rpm", "-qp", "--info", file)
		if scripts := output(t, "rpm", "-qp", "--scripts", "--triggers", file); scripts != "" {
			t.Errorf("it runs scripts: %s", scripts)
		}
		listed := strings.Fields(output(t, "rpm", "-qp", "--queryformat",
			"[%{FILENAMES} %{FILEMODES:octal} %{FILEUSERNAME}:%{FILEGROUPNAME}\n]", file))
		for i := 0; i+2 < len(listed); i += 3 {
			mode := listed[i+1]
			regular := strings.HasPrefix(mode, "100")
			files[listed[i]] = &packagetest.File{Mode: mode[len(mode)-4:], Owner: listed[i+2], Regular: regular}
			// Another package has the other folders, perhaps with another mode.
			if strings.HasPrefix(mode, "40") && listed[i] != "/usr/share/doc/flashdex" {
				t.Errorf("it has the folder %s", listed[i])
			}
		}
	case "apk":
		files = packagetest.Unpack(t, []byte(read(t, file)))
		about = string(files["/.PKGINFO"].Content)
		delete(files, "/.PKGINFO")
	case "ipk":
		parts := packagetest.Unpack(t, []byte(read(t, file)))
		if version := string(parts["/debian-binary"].Content); version != "2.0\n" {
			t.Errorf("the format's version is %q", version)
		}
		inside := packagetest.Unpack(t, parts["/control.tar.gz"].Content)
		about, control = string(inside["/control"].Content), slices.Sorted(maps.Keys(inside))
		files = packagetest.Unpack(t, parts["/data.tar.gz"].Content)
	}
	says := []string{"flashdex", architecture, "https://flashdex.example", "MIT", "measures how fast flash modules"}
	if format == "rpm" { // any other name would be this machine's, so other machines would make other bytes
		says = append(says, "Build Host  : flashdex\n")
	}
	for _, want := range says {
		if !strings.Contains(about, want) {
			t.Errorf("it doesn't say %q about itself:\n%s", want, about)
		}
	}
	for _, name := range control {
		if name != "/control" && name != "/md5sums" && name != "/conffiles" {
			t.Errorf("its control has %s", name)
		}
	}
	wanted := installed(platform, format)
	for path, f := range files {
		if _, ok := wanted[path]; f.Regular && !ok {
			t.Errorf("it has %s, too", path)
		}
		mode := "0644"
		if path == "/usr/bin/flashdex" || !f.Regular {
			mode = "0755"
		}
		if f.Mode != mode || f.Owner != "root:root" {
			t.Errorf("%s has mode %s and owner %s", path, f.Mode, f.Owner)
		}
	}
	for path, source := range wanted {
		f := files[path]
		if f == nil {
			t.Errorf("it lacks %s", path)
		} else if format != "rpm" { // install compares rpm's files
			compare(t, path, f.Content, source)
		}
	}
	if platform == runtime.GOARCH && (format == "deb" || format == "rpm") {
		install(t, file, format, wanted)
	}
}

// compare compares a package's file with the file that it is made from.
func compare(t *testing.T, path string, content []byte, source string) {
	t.Helper()
	want := "/root/.local/share/flashdex/\n"
	if source != "" {
		want = read(t, source)
	}
	if strings.HasSuffix(path, ".gz") {
		content = packagetest.Gunzip(t, content)
	}
	if notices, ok := strings.CutPrefix(string(content), want); ok && strings.HasSuffix(path, "/copyright") {
		for _, author := range []string{"The Go Authors", "Coda Hale"} { // of hdrhistogram-go
			if !strings.Contains(notices, author) {
				t.Errorf("%s lacks the notice of %s", path, author)
			}
		}
	} else if string(content) != want {
		t.Errorf("%s has %d bytes that differ from the %d of %s", path, len(content), len(want), source)
	}
}

// install installs a package into an empty folder, runs its program, and removes the package.
func install(t *testing.T, file, format string, wanted map[string]string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("only root can install a package")
	}
	root := t.TempDir()
	remove := []string{"rpm", "--root", root, "--dbpath", "/var/lib/rpm", "-e", "flashdex"}
	add := []string{"rpm", "--root", root, "--dbpath", "/var/lib/rpm", "-i", file}
	if format == "deb" {
		for _, folder := range []string{"info", "updates", "triggers"} {
			if err := os.MkdirAll(filepath.Join(root, "var/lib/dpkg", folder), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg/status"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		dpkg := []string{"dpkg", "--root=" + root, "--force-script-chrootless", "--log=/dev/null"}
		add, remove = append(slices.Clone(dpkg), "--install", file), append(dpkg, "--remove", "flashdex")
	}
	output(t, add[0], add[1:]...)
	for path, source := range wanted {
		compare(t, path, []byte(read(t, filepath.Join(root, path))), source)
	}
	if said := output(t, filepath.Join(root, "usr/bin/flashdex"), "version"); !strings.HasPrefix(said, "flashdex ") {
		t.Errorf("it says %q", said)
	}
	output(t, remove[0], remove[1:]...)
	for path := range wanted {
		if _, err := os.Lstat(filepath.Join(root, path)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there after it was removed (%v)", path, err)
		}
	}
}

func output(t *testing.T, program string, args ...string) string {
	t.Helper()
	var failure bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Env, cmd.Stderr = append(os.Environ(), "LC_ALL=C"), &failure
	said, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", program, strings.Join(args, " "), err, said, &failure)
	}
	return string(said)
}
