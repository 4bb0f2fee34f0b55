package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"flashdex/client/device"
)

// typed prints a question on the terminal and returns the line that the user types. It doesn't use stdin, which may be
// the script that started the client. Its error is noTerminal, or the cause of the context's end with outcome, which says
// what did not happen then, such as "nothing was written".
func typed(ctx context.Context, question, outcome string, noTerminal error) (string, error) {
	terminal, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err == nil {
		defer terminal.Close()
		_, err = fmt.Fprint(terminal, question)
	}
	if err != nil {
		return "", noTerminal
	}
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(terminal).ReadString('\n')
		answer <- line
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(terminal)
		return "", fmt.Errorf("%w: %s", context.Cause(ctx), outcome)
	case line := <-answer:
		return strings.TrimSpace(line), nil
	}
}

// ask asks a question whose answer is yes or no.
func ask(ctx context.Context, question, outcome string, noTerminal error) (yes bool, err error) {
	line, err := typed(ctx, question, outcome, noTerminal)
	line = strings.ToLower(line)
	return line == "y" || line == "yes", err
}

// confirm asks a question, unless --yes was given, and returns an error unless the user types want.
func (o options) confirm(ctx context.Context, question, want, outcome string, noTerminal error) error {
	if o.yes {
		return nil
	}
	line, err := typed(ctx, question, outcome, noTerminal)
	if err == nil && line != want {
		err = usagef("%q is not %q; %s", line, want, outcome)
	}
	return err
}

// confirmErase has the user type the device's name before anything is written to it.
func confirmErase(ctx context.Context, o options, target device.Target) error {
	name := target.Disk.Name
	return o.confirm(ctx, fmt.Sprintf("Type %s to erase it, anything else to stop: ", name), name, "nothing was written",
		usagef("there is no terminal to type the device's name on; nothing was written. Run it on a terminal, or with "+
			"--yes if you are sure that %s is the right device", o.device))
}
