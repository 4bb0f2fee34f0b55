// Package packagetest reads the packages, archives and images of a release, for tests.
package packagetest

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"strings"
	"testing"
)

// File is a file or folder of an archive.
type File struct {
	Mode    string // such as 0755; a Go mode may have more bits, which apk and opkg can't read
	Owner   string // such as root:root; an image has no names, only 0:0
	Regular bool
	Content []byte
}

// Unpack returns the files of a tarball by their paths, which begin with a slash. The tarball may be packed by gzip.
func Unpack(t testing.TB, archive []byte) map[string]*File {
	t.Helper()
	if bytes.HasPrefix(archive, []byte("\x1f\x8b")) {
		archive = Gunzip(t, archive)
	}
	files := map[string]*File{}
	for r := tar.NewReader(bytes.NewReader(archive)); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		} else if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		owner := cmp.Or(header.Uname, fmt.Sprint(header.Uid)) + ":" + cmp.Or(header.Gname, fmt.Sprint(header.Gid))
		files[path.Join("/", header.Name)] = &File{
			fmt.Sprintf("%04o", header.Mode&^0o170000), owner, header.Typeflag == tar.TypeReg, content}
	}
}

// Gunzip unpacks data that gzip packed.
func Gunzip(t testing.TB, packed []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// Image is an image's contents for one platform.
type Image struct {
	Platform string // its architecture
	Config   Config
	Files    map[string]*File
}

// Config says how a container runs.
type Config struct {
	User                 string
	Entrypoint, Cmd, Env []string
	Volumes              map[string]struct{}
}

// Parts of the OCI image format 1.0: the list of images, or one image; and how an image is run.
type (
	part  struct{ Digest string }
	image struct {
		Manifests []struct {
			part
			Platform struct{ OS, Architecture string }
		}
		Config part
		Layers []part
	}
	settings struct {
		OS, Architecture string
		Config           Config
	}
)

// Images reads an archive in OCI's layout: an image for each of its platforms, in its order.
func Images(t testing.TB, archive []byte) (images []Image) {
	t.Helper()
	files := Unpack(t, archive)
	read := func(name string) []byte {
		f := files[name]
		if f == nil {
			t.Fatalf("it lacks %q", name)
		}
		return f.Content
	}
	blob := func(p part) []byte { return read("/blobs/" + strings.Replace(p.Digest, ":", "/", 1)) }
	fill := func(into any, content []byte) {
		if err := json.Unmarshal(content, into); err != nil {
			t.Fatalf("%v in %s", err, content)
		}
	}
	var index, list image
	fill(&index, read("/index.json"))
	fill(&list, blob(index.Manifests[0].part))
	for _, listed := range list.Manifests {
		platform := listed.Platform.Architecture
		var one image
		fill(&one, blob(listed.part))
		var run settings
		fill(&run, blob(one.Config))
		if run.OS != "linux" || listed.Platform.OS != "linux" || run.Architecture != platform {
			t.Errorf("%s: the image is for %s %s", platform, run.OS, run.Architecture)
		}
		inside := map[string]*File{}
		for _, layer := range one.Layers {
			maps.Copy(inside, Unpack(t, blob(layer)))
		}
		images = append(images, Image{platform, run.Config, inside})
	}
	return images
}
