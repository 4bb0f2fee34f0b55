//go:build !small

package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"flashdex/client/device"
	"flashdex/client/measure"
	"flashdex/client/passthrough"
	"flashdex/client/spool"
	"flashdex/result"
	"flashdex/result/register/health"
)

func init() { commands[askAlone] = sendAlone }

// answered holds a module's health and the answers that it is known from.
type answered struct {
	Device    string            `json:"device"`
	Bus       string            `json:"bus"`
	Health    *health.Health    `json:"health"` // null: it doesn't tell
	Functions []function        `json:"functions,omitempty"`
	Requests  map[string]string `json:"requests"` // what became of each request, by its name

	refused string // why nothing was asked
	failed  bool   // the module hangs or has gone: nothing else may be sent to it
}

// function is an SD card's function extension and, if they are public, its abilities.
type function struct {
	health.Function
	Abilities map[string]any `json:"abilities,omitempty"`
}

const told = "answered"

// tellHealth prints what a module tells about its wear.
func tellHealth(ctx context.Context, o options, arguments []string) error {
	if len(arguments) != 1 {
		return usagef("health takes one device, such as /dev/mmcblk0; flashdex lists the modules here")
	}
	module, err := device.Running.Module(arguments[0])
	if err != nil {
		return usageError(err)
	}
	a := &answered{Device: module.Disk.Name, Bus: module.Identity.Bus, Requests: map[string]string{}}
	if err := a.read(ctx, o, module); err != nil {
		return err
	}
	if o.prometheus != "" {
		if err := writeMetrics(o.prometheus, a); err != nil {
			return fmt.Errorf("%s was not written, and what was there is kept: %w", o.prometheus, err)
		}
	}
	if o.json {
		text, err := json.MarshalIndent(a, "", "  ")
		if err != nil {
			return err
		}
		fmt.Println(string(text))
	} else if a.Health != nil {
		fmt.Fprintln(stdout, spool.Clean(a.Device+": "+healthWords(*a.Health)))
		for _, f := range a.Functions {
			fmt.Fprintln(stdout, spool.Clean(functionWords(f)))
		}
	}
	if a.Health == nil {
		return errors.New(a.silence())
	}
	return nil
}

// addWear adds the module's wear to a result, if the user agreed: what the module tells, and how much its file system
// counts as written. If the file system has a count, addWear doesn't fail when the module can't be asked.
func addWear(ctx context.Context, o options, run *measure.Run, doc *result.Document) error {
	if !o.wear {
		return nil
	}
	target, wear := &run.Target, &result.Wear{}
	a := &answered{Device: target.Disk.Name, Bus: doc.Identity.Bus, Requests: map[string]string{}}
	if target.Disk.Stack != nil {
		return usagef("--wear asks one module, and %s is a stack of several; nothing was measured", a.Device)
	}
	if wear.WrittenGB = result.WrittenGB(run.Kernel.WrittenBytes(target)); wear.WrittenGB > 0 {
		wear.WrittenBy, doc.Identity.Wear = target.Filesystem, wear
	}
	asked := a.Bus == "mmc" || a.Bus == "ata" || a.Bus == "nvme" || a.Bus == "sd"
	if wear.WrittenGB > 0 && !asked {
		return nil
	}
	err := a.read(ctx, o, device.Seen{Disk: target.Disk, Identity: doc.Identity, System: target.RootDisk})
	switch {
	case wear.WrittenGB > 0 && errors.Is(err, errNotRoot):
		fmt.Fprintf(stderr, "%v, or the result says only what %s counts as written\n", err, wear.WrittenBy)
		return nil
	case err != nil:
		return err
	case a.failed:
		return errors.New(a.silence() + ". Nothing was measured")
	case a.refused != "":
		fmt.Fprintln(stderr, a.silence())
		return nil
	}
	doc.Identity.Wear, wear.ToldBy = wear, result.WearNotTold
	if h := a.Health; h != nil {
		wear.ToldBy, wear.LifeTenths, wear.PreEOL = h.Dialect, h.Tenths(), h.PreEOL
		if h.WrittenBytes != nil && result.WrittenGB(*h.WrittenBytes) > 0 {
			wear.WrittenGB, wear.WrittenBy = result.WrittenGB(*h.WrittenBytes), result.WrittenByModule
		}
	}
	return nil
}

// read asks the module in the way that its bus needs.
func (a *answered) read(ctx context.Context, o options, module device.Seen) error {
	path := "/dev/" + a.Device
	switch a.Bus {
	case "mmc":
		if life, eol := module.Disk.Lifetime(); life != "" {
			a.take("sysfs", func([]byte) (health.Health, error) { return health.Sysfs(life, eol) }, nil, nil)
			return nil
		}
		return a.standard(ctx, module.Disk, path, passthrough.ExtCSD, health.ExtCSD)
	case "ata":
		return a.standard(ctx, module.Disk, path, passthrough.SMART, health.SMART)
	case "nvme":
		return a.standard(ctx, module.Disk, path, passthrough.NVMeLog, health.NVMeLog)
	case "sd":
		return a.readSD(ctx, o, module, path)
	case "usb":
		return usagef("%s is on USB, and readers and sticks pass no such request on: put the card into a slot of a "+
			"computer that shows it as mmcblk", a.Device)
	}
	return usagef("%s is no SD card, eMMC, CompactFlash card or SD Express card, so it has no health to ask for", a.Device)
}

var errNotRoot = usagef("the kernel lets only root ask a module for its health; nothing was sent. Run it as root")

// standard sends a request that a standard defines. It doesn't ask the user first.
func (a *answered) standard(ctx context.Context, disk device.Disk, path string, request passthrough.Request,
	decode func([]byte) (health.Health, error)) error {
	if !isRoot() {
		return errNotRoot
	}
	answer, err := a.ask(ctx, disk, path, request, 0)
	a.take(string(request), decode, answer, err)
	return context.Cause(ctx)
}

// readSD asks an SD card for its functions and then, in the dialects of its maker, for its health.
func (a *answered) readSD(ctx context.Context, o options, module device.Seen, path string) error {
	card := module.Identity.SD
	if a.refused = health.DropsOff(card.Manfid, card.OEMID, module.Disk.SizeBytes); a.refused != "" {
		return nil
	}
	if !isRoot() {
		return errNotRoot
	}
	if err := confirmRequest(ctx, o, module); err != nil {
		return err
	}
	a.readFunctions(ctx, module.Disk, path, card.SCR)
	for _, dialect := range health.Ask(card.Manfid, card.OEMID, card.Name, card.HWRev, card.FWRev) {
		if a.failed || a.Health != nil {
			break
		}
		answer, err := a.ask(ctx, module.Disk, path, passthrough.Request(dialect), 0)
		a.take(dialect, func(b []byte) (health.Health, error) { return health.CMD56(dialect, b) }, answer, err)
	}
	return context.Cause(ctx)
}

// confirmRequest asks before a maker's own command is sent.
func confirmRequest(ctx context.Context, o options, module device.Seen) error {
	if o.yes {
		return nil
	}
	system := ""
	if module.System {
		system = " The system runs from this card."
	}
	yes, err := ask(ctx, fmt.Sprintf("SD cards tell their health by commands that each maker defines (CMD56). None is "+
		"known to change data, but cards are known that vanish until they are taken out and put in again.%s Ask %s? [y/N] ",
		system, module.Disk.Name), "nothing was sent", usagef("an SD card is asked by commands that each maker "+
		"defines (CMD56); nothing was sent. Run it on a terminal, or with --yes if you agree"))
	if err == nil && !yes {
		err = usagef("nothing was sent")
	}
	return err
}

// readFunctions reads a card's functions, if its SCR says that it knows CMD48 (SD 5.6, bit 34).
func (a *answered) readFunctions(ctx context.Context, disk device.Disk, path, scr string) {
	register, err := hex.DecodeString(scr)
	if err != nil || len(register) != 8 || register[3]>>2&1 == 0 {
		return
	}
	page, err := a.ask(ctx, disk, path, passthrough.Functions, 0)
	if err != nil {
		a.Requests[string(passthrough.Functions)] = err.Error()
		return
	}
	all, err := health.Functions(page)
	if a.Requests[string(passthrough.Functions)] = told; err != nil {
		a.Requests[string(passthrough.Functions)] = err.Error()
	}
	requests := map[int]passthrough.Request{
		health.PowerManagement: passthrough.Power, health.PerformanceEnhancement: passthrough.Performance,
	}
	for _, f := range all {
		one, request := function{Function: f}, requests[f.Code]
		if request != "" && f.Address >= 0 && !a.failed {
			registers, err := a.ask(ctx, disk, path, request, uint32(f.Number)<<27|uint32(f.Address)<<9)
			if err == nil {
				one.Abilities, err = health.Abilities(f.Code, registers)
			}
			if a.Requests[string(request)] = told; err != nil {
				a.Requests[string(request)] = err.Error()
			}
		}
		a.Functions = append(a.Functions, one)
	}
}

// take decodes an answer and notes what became of the request.
func (a *answered) take(request string, decode func([]byte) (health.Health, error), answer []byte, err error) {
	var h health.Health
	if err == nil {
		h, err = decode(answer)
	}
	if err != nil {
		a.Requests[request] = err.Error()
		return
	}
	a.Requests[request], a.Health = told, &h
}

// silence says why nothing is known.
func (a *answered) silence() string {
	if a.refused != "" {
		return fmt.Sprintf("%s was not asked: %s. Nothing was sent", a.Device, a.refused)
	}
	var reasons []string
	for _, request := range sortedKeys(a.Requests) {
		reasons = append(reasons, fmt.Sprintf("%s: %s", request, a.Requests[request]))
	}
	said := fmt.Sprintf("%s doesn't tell its health (%s)", a.Device, strings.Join(reasons, "; "))
	if a.failed {
		said += ". Nothing else was sent to it; take it out and put it in again before you use it"
	}
	return said
}

const (
	// askAlone is the command of the process that sends one request. If a card hangs, only this process hangs. Even
	// SIGKILL may not end it.
	askAlone = "health-request"
	// patience is the time for one request. The user gets the answer, or the error, within two seconds.
	patience = 1900 * time.Millisecond
)

// sendRequest sends a request from this process, and isRoot says whether the kernel would let it. Tests replace them
// with a fake device.
var (
	sendRequest = passthrough.Ask
	isRoot      = func() bool { return os.Geteuid() == 0 }
)

// reply is what the process of a request prints.
type reply struct {
	Answer, Error string
	Gone          bool // the kernel says that the module isn't there any more
	Silent        bool // no answer came: the module doesn't know the request, or is as good as gone
}

// ask sends one request from a process of its own. If it returns an error and a.failed isn't set, the module is alive
// and refused.
func (a *answered) ask(ctx context.Context, disk device.Disk, path string, request passthrough.Request, at uint32) (
	[]byte, error) {
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	child := exec.Command("/proc/self/exe", askAlone, path, string(request), fmt.Sprint(at))
	child.Stdout, child.SysProcAttr = writer, &syscall.SysProcAttr{Setpgid: true}
	err = child.Start()
	writer.Close()
	if err != nil {
		return nil, err
	}
	said := make(chan []byte, 1)
	go func() {
		text, _ := io.ReadAll(reader)
		_ = child.Wait()
		said <- text
	}()
	select {
	case text := <-said:
		var r reply
		if err := json.Unmarshal(text, &r); err != nil {
			return nil, errors.New("the process that asked ended without a word")
		}
		if r.Gone || !disk.Here() {
			a.failed = true
			return nil, errors.New("the module has gone from this computer after this request")
		}
		if r.Silent && a.Bus == "sd" && request != passthrough.Status {
			// A card that has dropped off is silent, too, and the kernel may show it for long. Every other card answers
			// this.
			if _, err := a.ask(ctx, disk, path, passthrough.Status, 0); err != nil {
				a.failed = true
				return nil, errors.New("the card answers nothing any more after this request")
			}
		}
		if r.Error != "" {
			return nil, errors.New(r.Error)
		}
		return hex.DecodeString(r.Answer)
	case <-time.After(patience):
		a.failed, err = true, errors.New("no answer within 2 seconds")
	case <-ctx.Done():
		a.failed, err = true, context.Cause(ctx)
	}
	_ = child.Process.Kill()
	return nil, err
}

// sendAlone runs in the process of one request. Its arguments are the path, the request and the address.
func sendAlone(_ context.Context, _ options, arguments []string) error {
	if len(arguments) != 3 {
		return usagef("%s is a part of health; flashdex help all explains", askAlone)
	}
	at, err := strconv.ParseUint(arguments[2], 10, 32)
	if err != nil {
		return usageError(err)
	}
	var r reply
	answer, err := sendRequest(arguments[0], passthrough.Request(arguments[1]), uint32(at))
	if err != nil {
		r.Error, r.Gone, r.Silent = requestWords(err), passthrough.Gone(err), !notSent(err)
	} else {
		r.Answer = hex.EncodeToString(answer)
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}

// notSent reports whether the kernel's error means that it didn't pass the request on to the module.
func notSent(err error) bool {
	return slices.ContainsFunc([]error{syscall.EPERM, syscall.EACCES, syscall.ENOTTY, syscall.EINVAL, syscall.EOPNOTSUPP,
		syscall.ENOENT}, func(e error) bool { return errors.Is(err, e) })
}

// requestWords puts the kernel's most common errors into words.
func requestWords(err error) string {
	switch {
	case errors.Is(err, syscall.ETIMEDOUT):
		return "the card doesn't know this command (timeout)"
	case errors.Is(err, syscall.EPERM), errors.Is(err, syscall.EACCES):
		return "the kernel doesn't allow this request"
	case errors.Is(err, syscall.ENOTTY), errors.Is(err, syscall.EINVAL):
		return "this computer's driver passes no such request on"
	}
	return err.Error()
}
