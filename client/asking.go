package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
)

var errNoTerminal = errors.New("no terminal")

// ask puts a question on the terminal that is answered by yes or no.
func ask(ctx context.Context, question string) (yes bool, err error) {
	line, err := typed(ctx, question)
	line = strings.ToLower(line)
	return line == "y" || line == "yes", err
}

// typed puts a question on the terminal, and not on stdin, which may be the script that started the client, and returns
// the line that the user types.
func typed(ctx context.Context, question string) (string, error) {
	terminal, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return "", errNoTerminal
	}
	defer terminal.Close()
	if _, err := fmt.Fprint(terminal, question); err != nil {
		return "", errNoTerminal
	}
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(terminal).ReadString('\n')
		answer <- line
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(terminal)
		return "", context.Cause(ctx)
	case line := <-answer:
		return strings.TrimSpace(line), nil
	}
}
