package compose

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

const (
	debianImage = "flashdex-test-debian"
	goImage     = "flashdex-test-go"
)

// build builds the images of docker-compose.yml on bases made from Debian's packages and this machine's Go. The context
// is a copy of the checkout with signed clients, so the images must take these as they are.
func (e *engine) build() {
	e.t.Helper()
	e.makeDebian(debianImage, "make")
	e.makeGo()
	e.set("DEBIAN_IMAGE", debianImage)
	e.set("GO_IMAGE", goImage)
	e.set("FLASHDEX_VERSION", "tested")
	context := engine{t: e.t, env: e.env, dir: e.t.TempDir()} // of the build
	e.clients = filepath.Join(context.dir, "var/clients")
	const copied = `tar --exclude=./.git --exclude=./bin --exclude=./e2e --exclude=./var -c . | tar -C "$1" -x
		mkdir "$1/var"
		cp -aL var/clients "$1/var"
		rm -f "$1"/var/clients/*.sig "$1"/var/clients/*.pub`
	e.run("sh", "-ec", copied, "sh", context.dir)
	const key = "var/docker/flashdex-test-key.pem" // kept like the images: other signatures would rebuild them
	if _, err := os.Stat(filepath.Join(root, key)); err != nil {
		e.run("openssl", "genpkey", "-algorithm", "ed25519", "-out", key)
	}
	e.run("go", "run", "./client/sign", "-key", key, "-release", "1", e.clients)
	context.compose("build")
}

// load gives the engine an image of a release, as NAME:test.
func (e *engine) load(name string) {
	e.t.Helper()
	dir := filepath.Join(e.t.TempDir(), "release")
	e.run("sh", "packaging/release.sh", dir, runtime.GOARCH)
	archives, err := filepath.Glob(filepath.Join(dir, name+"_*.oci.tar"))
	if err != nil || len(archives) != 1 {
		e.t.Fatal(archives, err)
	}
	host := slices.IndexFunc(e.env, func(set string) bool { return strings.HasPrefix(set, "DOCKER_HOST=") })
	e.run("skopeo", "copy", "--quiet", "--dest-daemon-host", strings.TrimPrefix(e.env[host], "DOCKER_HOST="),
		"oci-archive:"+archives[0], "docker-daemon:"+name+":test")
	e.t.Cleanup(func() { e.docker("image", "rm", name+":test") })
}

// signed checks that the site offers the signed clients, byte for byte.
func (e *engine) signed() {
	e.t.Helper()
	for _, name := range []string{"SHA256SUMS", "SHA256SUMS.sig", "flashdex-linux-amd64"} {
		want, err := os.ReadFile(filepath.Join(e.clients, name))
		if err != nil {
			e.t.Fatal(err)
		}
		if a := get(e.t, web+"/client/"+name); a.status != http.StatusOK || !bytes.Equal(a.body, want) {
			e.t.Errorf("/client/%s is answered with %d and %d bytes, want %d others", name, a.status, len(a.body), len(want))
		}
	}
}

// makeDebian makes a minimal Debian 12 with some packages from this machine's mirror, and with this machine's trusted
// certificate authorities.
func (e *engine) makeDebian(image, packages string) {
	e.t.Helper()
	if _, err := e.try("docker", "image", "inspect", image); err == nil {
		return
	}
	dir := e.t.TempDir()
	from := strings.Fields(
		e.run("apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Origin: Debian"))
	e.run("debootstrap", "--variant=minbase", "--include=ca-certificates,"+packages, "bookworm", dir, from[0])
	authorities := "/etc/ssl/certs/ca-certificates.crt"
	e.run("cp", authorities, dir+authorities)
	e.run("sh", "-c", `tar -C "$1" -c . | docker import - "$2"`, "sh", dir, image)
}

// makeGo makes an image with Go and the slowest result of `make build`, which make then finds up to date.
func (e *engine) makeGo() {
	e.t.Helper()
	dir := e.t.TempDir()
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		e.t.Fatal(err)
	}
	e.run("cp", "-a", strings.TrimSpace(string(goroot)), dir+"/go")
	e.run("cp", "-aL", "bin/hugo", dir)
	const text = `FROM ` + debianImage + `
COPY go /usr/local/go
COPY hugo /src/bin/
RUN touch /src/bin/hugo
ENV PATH=/usr/local/go/bin:/usr/bin:/bin GOTOOLCHAIN=local
`
	if err := os.WriteFile(filepath.Join(dir, "Dockerfile"), []byte(text), 0o600); err != nil {
		e.t.Fatal(err)
	}
	e.docker("build", "-t", goImage, dir)
}

// previous returns the newest commit that lacks a migration and has no other than today's, or nothing if this checkout
// has no such history. Some commits between number a migration otherwise; nobody ran them.
func (e *engine) previous() string {
	e.t.Helper()
	today := e.migrationsAt("HEAD")
	changes, err := e.try("git", "log", "--format=%H", "--", "migrations")
	if err != nil {
		return ""
	}
	other := func(path string) bool { return !slices.Contains(today, path) }
	for _, changed := range strings.Fields(changes) {
		then := e.migrationsAt(changed + "^")
		if len(then) > 0 && len(then) < len(today) && !slices.ContainsFunc(then, other) {
			return changed + "^"
		}
	}
	return ""
}

// migrationsAt returns the paths of a commit's migrations, and none if there is no such commit.
func (e *engine) migrationsAt(commit string) (paths []string) {
	e.t.Helper()
	files, _ := e.try("git", "ls-tree", "--name-only", commit, "migrations/")
	for _, path := range strings.Fields(files) {
		if strings.HasSuffix(path, ".sql") {
			paths = append(paths, path)
		}
	}
	return paths
}

// makePrevious makes an image of the version before the newest migration, and returns the image's name and the folder
// with that version's files. Both are empty if this checkout has no such history.
func (e *engine) makePrevious() (image, checkout string) {
	e.t.Helper()
	commit := e.previous()
	if commit == "" {
		return "", ""
	}
	dir := e.t.TempDir()
	e.run("sh", "-c", `git archive "$1" | tar -C "$2" -x`, "sh", commit, dir)
	e.run("sh", "-c", `cd "$1" && CGO_ENABLED=0 go build -trimpath -o previous ./api`, "sh", dir)
	const text = `FROM flashdex-api
COPY previous /usr/lib/flashdex/api
COPY site /usr/lib/flashdex/previous
ENV FLASHDEX_SITE_PROJECT=/usr/lib/flashdex/previous
`
	if err := os.WriteFile(filepath.Join(dir, "Dockerfile"), []byte(text), 0o600); err != nil {
		e.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".dockerignore"), []byte("*\n!previous\n!site\n"), 0o600); err != nil {
		e.t.Fatal(err)
	}
	image = "flashdex-test-previous"
	e.docker("build", "-t", image, dir)
	return image, dir
}
