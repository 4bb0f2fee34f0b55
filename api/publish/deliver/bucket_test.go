package deliver

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"flashdex/api/publish/static"

	"github.com/minio/minio-go/v7"
)

// The store is real: Versity's gateway, which keeps objects in a folder. e2e/tools.sh installs it.
func TestBucket(t *testing.T) {
	program, err := filepath.Abs("../../../var/tools/versitygw")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(program); err != nil {
		t.Skip("needs versitygw (make tools)")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	store := exec.Command(program, "--quiet", "--port", address, "--access", "key", "--secret", "a secret", "posix",
		"--sidecar", t.TempDir(), t.TempDir())
	store.Stdout, store.Stderr = t.Output(), t.Output()
	store.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := store.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = store.Process.Kill()
		_ = store.Wait()
	})
	for name, value := range map[string]string{"AWS_ENDPOINT_URL": "http://" + address, "AWS_ACCESS_KEY_ID": "key",
		"AWS_SECRET_ACCESS_KEY": "a secret", "AWS_REGION": "us-east-1"} {
		t.Setenv(name, value)
	}
	place, err := Open("s3://site/below", nil)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := place.(bucket)
	for start := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		if err = b.client.MakeBucket(t.Context(), "site", minio.MakeBucketOptions{}); err == nil {
			break
		}
		if time.Since(start) > time.Minute {
			t.Fatal(err)
		}
	}
	delivers(t, place)
	if _, err := Deliver(t.Context(), place, publication(t,
		map[string]string{"index.html": "home", stylesheet: "p{}", "modules/a.csv": "a"}), time.Now()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][2]string{
		"index.html":    {"text/html; charset=utf-8", pageCaching},
		"modules/a.csv": {"text/csv; charset=utf-8", pageCaching},
		stylesheet:      {"text/css; charset=utf-8", static.Forever},
		manifestName:    {"application/json", "no-store"},
	} {
		info, err := b.client.StatObject(t.Context(), "site", "below/"+name, minio.StatObjectOptions{})
		if err != nil {
			t.Fatal(name, err)
		}
		if got := [2]string{info.ContentType, info.Metadata.Get("Cache-Control")}; got != want || info.ETag == "" {
			t.Errorf("%s is answered with %q and ETag %q, want %q", name, got, info.ETag, want)
		}
	}
	t.Setenv("AWS_SECRET_ACCESS_KEY", "another")
	if place, err = Open("s3://site/below", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := Deliver(t.Context(), place, publication(t, map[string]string{"index.html": "theirs"}),
		time.Now()); err == nil {
		t.Error("a wrong key delivers")
	}
}
