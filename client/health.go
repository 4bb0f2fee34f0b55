//go:build !small

package main

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
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

	unit    string // see unitLabel
	refused string // why nothing was asked
	failed  bool   // the module hangs or has gone: nothing else may be sent to it
}

// tells reports whether the module told anything of its wear.
func (a *answered) tells() bool { return a.Health != nil && a.Health.Tells() }

// unitLabel tells a card from the next one in the same slot; "": the kernel shows no serial number. It is too short to
// tell which serial number that is: one in 65,536 has the same label.
func unitLabel(kernel device.Kernel, disk device.Disk) string {
	tag := kernel.UnitTag(disk, []byte("flashdex health"))
	return tag[:min(len(tag), 4)]
}

// function is an SD card's function extension and, if they are public, its abilities.
type function struct {
	health.Function
	Abilities map[string]any `json:"abilities,omitempty"`
}

const (
	told  = "answered"
	sysfs = "sysfs" // the request that is none: what the kernel read when it found an eMMC
)

// tellHealth prints what a module tells about its wear.
func tellHealth(ctx context.Context, o options, arguments []string) error {
	if len(arguments) != 1 {
		return usagef("health takes one device, such as /dev/mmcblk0; flashdex lists the modules here")
	}
	if err := checkMetricsFile(o.prometheus); err != nil {
		return err
	}
	a := &answered{Device: spool.Clean(filepath.Base(arguments[0])), Requests: map[string]string{}}
	module, err := device.Running.Module(arguments[0])
	if err = usageError(err); err == nil {
		a.Device, a.Bus, a.unit = module.Disk.Name, module.Identity.Bus, unitLabel(device.Running, module.Disk)
		err = a.read(ctx, o, module)
	}
	if err == nil {
		err = a.print(o.json)
	}
	if o.prometheus != "" { // also of a module that isn't there: yesterday's figures would look like today's
		if failed := writeMetrics(o.prometheus, a); failed != nil {
			err = errors.Join(err, fmt.Errorf("%s was not written, and what was there is kept: %w", o.prometheus, failed))
		}
	}
	return err
}

// print prints what the module told. It returns an error if that is nothing.
func (a *answered) print(asJSON bool) error {
	if asJSON {
		text, err := json.MarshalIndent(a, "", "  ")
		if err != nil {
			return err
		}
		fmt.Println(string(text))
	} else {
		if a.tells() {
			fmt.Fprintln(stdout, spool.Clean(a.words()))
		}
		for _, f := range a.Functions {
			fmt.Fprintln(stdout, spool.Clean(functionWords(f)))
		}
	}
	if !a.tells() {
		return errors.New(a.silence())
	}
	return nil
}

// words says what the module told, and of when that is unless it was asked now.
func (a *answered) words() string {
	name := a.Device
	if a.Requests[sysfs] == told {
		name += ", as of when this computer started"
	}
	return name + ": " + healthWords(*a.Health)
}

// addWear puts into a result what is known of the module's wear, if the user agreed: what the module tells, and how much
// its file system counts as written. If the latter is known, it is no error that the module can't be asked.
func addWear(ctx context.Context, o options, run *measure.Run, doc *result.Document) error {
	if !o.wear {
		return nil
	}
	target, wear := &run.Target, &result.Wear{}
	a := &answered{Device: target.Disk.Name, Bus: doc.Identity.Bus, unit: unitLabel(run.Kernel, target.Disk),
		Requests: map[string]string{}}
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
	if h := a.Health; a.tells() {
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
		return a.readEMMC(ctx, module.Disk, path)
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

// readEMMC asks an eMMC for its EXT_CSD register. Where that isn't allowed, or the eMMC is there and refuses, it takes
// what the kernel read when it found the eMMC: when the computer started, since an eMMC is soldered.
func (a *answered) readEMMC(ctx context.Context, disk device.Disk, path string) error {
	life, eol := disk.Lifetime()
	if isRoot() || life == "" {
		err := a.standard(ctx, disk, path, passthrough.ExtCSD, health.ExtCSD)
		if err != nil || a.failed || a.Health != nil || life == "" {
			return err
		}
	}
	a.take(sysfs, func([]byte) (health.Health, error) { return health.Sysfs(life, eol) }, nil, nil)
	return nil
}

// readSD asks an SD card for its functions and then, in the dialects of its maker, for its health. The spool knows it
// while it asks, and after a question that the card didn't outlive: a system card that vanishes takes the computer with
// it, and a timer would ask it again at each start.
func (a *answered) readSD(ctx context.Context, o options, module device.Seen, path string) error {
	card := module.Identity.SD
	if a.refused = health.DropsOff(card.Manfid, card.OEMID, module.Disk.SizeBytes); a.refused != "" {
		return nil
	}
	if !isRoot() {
		return errNotRoot
	}
	kept, err := spool.Open()
	if err != nil {
		return usagef("%w; nothing was sent", err)
	}
	unit := cmp.Or(a.unit, a.Device)
	if err := confirmRequest(ctx, o, module, kept.Asked(unit)); err != nil {
		return err
	}
	if err := kept.KeepAsked(unit); err != nil {
		return usagef("that %s is asked can't be kept in %s, so nothing was sent: %w", a.Device, kept.Dir, err)
	}
	a.readFunctions(ctx, module.Disk, path, card.SCR)
	for _, dialect := range health.Ask(card.Manfid, card.OEMID, card.Name, card.HWRev, card.FWRev) {
		if a.failed || a.Health != nil {
			break
		}
		answer, err := a.ask(ctx, module.Disk, path, passthrough.Request(dialect), 0)
		a.take(dialect, func(b []byte) (health.Health, error) { return health.CMD56(dialect, b) }, answer, err)
	}
	if !a.failed {
		if err := kept.ForgetAsked(unit); err != nil {
			fmt.Fprintf(stderr, "That %s was asked stays in %s, so the next time --yes won't be enough: %v\n", a.Device,
				kept.Dir, err)
		}
	}
	return context.Cause(ctx)
}

// confirmRequest asks before a maker's own command is sent. A yes beforehand is none to ask a card again that hung or
// vanished when it was asked last.
func confirmRequest(ctx context.Context, o options, module device.Seen, silentAt time.Time) error {
	warning := ""
	if !silentAt.IsZero() {
		warning = fmt.Sprintf(" This card, or the computer, didn't outlive the question of %s.",
			silentAt.Format(time.DateOnly))
	}
	if o.yes && warning != "" {
		return usagef("%s is not asked again by --yes.%s Nothing was sent. Without --yes, on a terminal, you can have it "+
			"asked", module.Disk.Name, warning)
	}
	if o.yes {
		return nil
	}
	if module.System {
		warning += " The system runs from this card."
	}
	yes, err := ask(ctx, fmt.Sprintf("SD cards tell their health by commands that each maker defines (CMD56). None is "+
		"known to change data, but cards are known that vanish until they are taken out and put in again.%s Ask %s? [y/N] ",
		warning, module.Disk.Name), "nothing was sent", usagef("an SD card is asked by commands that each maker "+
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
	if a.Health != nil {
		return fmt.Sprintf("%s answers, but tells nothing of its wear; --json prints what it says", a.Device)
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
