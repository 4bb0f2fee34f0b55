package fakecard

import (
	"net"
	"os"
	"path/filepath"
	"testing"
)

// Insert puts a card of so many bytes in service until the test ends. fill, unless it is nil, may write to the card's
// image first. The address is that of a socket.
func Insert(t testing.TB, bytes int64, model Model, fill func(image string)) (card *Card, address string) {
	t.Helper()
	// Not t.TempDir, which is named for the test: a socket's path must be short, and an option of QEMU has no comma.
	dir, err := os.MkdirTemp("", "card-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	image := filepath.Join(dir, "image")
	file, err := os.Create(image)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	if err := file.Truncate(bytes); err != nil {
		t.Fatal(err)
	}
	if fill != nil {
		fill(image)
	}
	// Now that the file has no name, nothing can leave it behind.
	if err := os.Remove(image); err != nil {
		t.Fatal(err)
	}
	if card, err = New(file, model); err != nil {
		t.Fatal(err)
	}
	address = filepath.Join(dir, "socket")
	listener, err := net.Listen("unix", address)
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- card.Serve(listener) }()
	t.Cleanup(func() {
		listener.Close()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return card, address
}
