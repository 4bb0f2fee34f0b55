package deliver

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"flashdex/api/publish/static"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// bucket is a place in an object store that speaks S3.
type bucket struct {
	client *minio.Client
	name   string
	prefix string
}

// atOnce is how many files are sent or removed at the same time. Most are small, and an answer takes tens of
// milliseconds.
const atOnce = 16

// pageCaching lets caches show a page for a minute, and for ten more while they ask for a newer one. So nothing has to
// be purged, and visitors see changes after a minute.
const pageCaching = "public, max-age=60, stale-while-revalidate=600"

// openBucket finds the store and its keys like other programs: from AWS_ENDPOINT_URL (default: Amazon), AWS_REGION,
// AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, the file of credentials, or the machine's role.
func openBucket(address string) (Place, error) {
	name, prefix, _ := strings.Cut(strings.TrimSuffix(address, "/"), "/")
	given := cmp.Or(os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"), "https://s3.amazonaws.com")
	endpoint, err := url.Parse(given)
	if err != nil || endpoint.Host == "" {
		return nil, fmt.Errorf("deliver: AWS_ENDPOINT_URL must be like https://s3.example, not %q", endpoint)
	}
	client, err := minio.New(endpoint.Host, &minio.Options{
		Creds: credentials.NewChainCredentials([]credentials.Provider{
			&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{},
		}),
		Secure: endpoint.Scheme == "https", Region: cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION")),
	})
	if err != nil {
		return nil, fmt.Errorf("deliver: %w", err)
	}
	return bucket{client, name, prefix}, nil
}

func (b bucket) key(name string) string { return path.Join(b.prefix, name) }

// Read implements Place.
func (b bucket) Read(ctx context.Context, name string) ([]byte, error) {
	object, err := b.client.GetObject(ctx, b.name, b.key(name), minio.GetObjectOptions{})
	if err != nil {
		return nil, err
	}
	defer object.Close()
	text, err := io.ReadAll(object)
	if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return nil, fs.ErrNotExist
	}
	return text, err
}

// Put implements Place.
func (b bucket) Put(ctx context.Context, from string, names []string) error {
	return each(ctx, names, func(ctx context.Context, name string) error {
		caching := pageCaching
		if static.Fingerprinted(name) {
			caching = static.Forever
		} else if name == manifestName {
			caching = "no-store"
		}
		_, err := b.client.FPutObject(ctx, b.name, b.key(name), filepath.Join(from, filepath.FromSlash(name)),
			minio.PutObjectOptions{ContentType: static.ContentType(name), CacheControl: caching, NumThreads: 1})
		if err != nil {
			return fmt.Errorf("s3://%s/%s: %w", b.name, b.key(name), err)
		}
		return nil
	})
}

// Remove implements Place.
func (b bucket) Remove(ctx context.Context, names []string) error {
	return each(ctx, names, func(ctx context.Context, name string) error {
		return b.client.RemoveObject(ctx, b.name, b.key(name), minio.RemoveObjectOptions{})
	})
}

// each calls do for every name, atOnce of them at a time, and stops at the first error.
func each(ctx context.Context, names []string, do func(ctx context.Context, name string) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var doing sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for _, name := range names {
		slots <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		doing.Go(func() {
			defer func() { <-slots }()
			if err := do(ctx, name); err != nil {
				stop(err)
			}
		})
	}
	doing.Wait()
	return context.Cause(ctx)
}

// folder is a place on this machine.
type folder string

func (f folder) at(name string) string { return filepath.Join(string(f), filepath.FromSlash(name)) }

// Read implements Place.
func (f folder) Read(_ context.Context, name string) ([]byte, error) { return os.ReadFile(f.at(name)) }

// Put implements Place. It writes each file beside the target and renames it. It syncs the file before that, because
// after a power cut the manifest must not list an empty file.
func (f folder) Put(ctx context.Context, from string, names []string) error {
	return each(ctx, names, func(_ context.Context, name string) error {
		to := f.at(name)
		text, err := os.ReadFile(folder(from).at(name))
		if err = errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o755)); err != nil {
			return err
		}
		fresh := to + ".new"
		if err = writeToDisk(fresh, text); err == nil {
			err = os.Rename(fresh, to)
		}
		if err != nil {
			return errors.Join(err, os.RemoveAll(fresh))
		}
		return nil
	})
}

// writeToDisk writes a file and syncs it to the disk.
func writeToDisk(path string, text []byte) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Sync(), file.Close())
}

// Remove implements Place. It also removes folders that become empty.
func (f folder) Remove(_ context.Context, names []string) error {
	for _, name := range names {
		if err := os.Remove(f.at(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for dir := filepath.Dir(filepath.FromSlash(name)); dir != "."; dir = filepath.Dir(dir) {
			if os.Remove(f.at(dir)) != nil { // it isn't empty
				break
			}
		}
	}
	return nil
}

// machine is a folder on another machine, as rsync names it. The user configures how rsync gets there (RSYNC_RSH,
// RSYNC_PASSWORD).
type machine struct {
	address string
	lock    *os.File // rsync holds it, too
}

// Read implements Place.
func (m machine) Read(ctx context.Context, name string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "flashdex-deliver-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := m.rsync(ctx, []string{name}, []string{"--ignore-missing-args"}, m.at(), dir); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, name))
}

// Put implements Place. All files of one call are replaced at its end, quickly.
func (m machine) Put(ctx context.Context, from string, names []string) error {
	return m.rsync(ctx, names, []string{"--perms", "--ignore-times", "--compress", "--delay-updates"}, from+"/", m.at())
}

// Remove implements Place. rsync removes files that it is told to send and that don't exist here. Their folders must
// exist here.
func (m machine) Remove(ctx context.Context, names []string) error {
	empty, err := os.MkdirTemp("", "flashdex-deliver-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(empty)
	for _, name := range names {
		if err := os.MkdirAll(filepath.Join(empty, filepath.Dir(filepath.FromSlash(name))), 0o700); err != nil {
			return err
		}
	}
	return m.rsync(ctx, names, []string{"--delete-missing-args"}, empty+"/", m.at())
}

func (m machine) at() string { return strings.TrimSuffix(m.address, "/") + "/" }

// rsync copies the named files from one place to another.
func (m machine) rsync(ctx context.Context, names, flags []string, from, to string) error {
	cmd := exec.CommandContext(ctx, "rsync", append(flags, "--files-from=-", "--from0", "--", from, to)...)
	cmd.Stdin = strings.NewReader(strings.Join(names, "\x00"))
	if m.lock != nil { // rsync continues if this process is killed: no other delivery may begin before it ends
		cmd.ExtraFiles = []*os.File{m.lock}
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("rsync: %w: %s", err, strings.TrimSpace(said.String()))
	}
	return nil
}
