package fakecard

import (
	"net"
	"os"
	"path/filepath"
	"testing"
)

// Insert puts a card of the given size in service until the test ends, and returns the address of its socket. fill,
// unless it is nil, may first write to the card's image.
func Insert(t testing.TB, bytes int64, model Model, fill func(image string)) (card *Card, address string) {
	t.Helper()
	// t.TempDir contains the test's name. A socket's path must be short, and an option of QEMU has no comma.
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
	// The file has no name from here on, so nothing can leave it behind.
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
