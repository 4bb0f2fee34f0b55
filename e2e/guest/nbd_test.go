package guest

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync"
)

// The NBD protocol, as far as QEMU needs it: fixed newstyle negotiation, simple replies
// (https://github.com/NetworkBlockDevice/nbd/blob/master/doc/proto.md). Numbers are big-endian.
const (
	greeting     = "NBDMAGICIHAVEOPT"
	optionMagic  = 0x3e889045565a9
	requestMagic = 0x25609513
	replyMagic   = 0x67446698

	flagFixedNewstyle = 1
	flagNoZeroes      = 2
	flagHasFlags      = 1
	flagSendFlush     = 4
	flagSendTrim      = 32

	optionAbort = 2
	optionInfo  = 6
	optionGo    = 7

	replyAck         = 1
	replyInfo        = 3
	replyUnsupported = 1<<31 | 1

	commandRead  = 0
	commandWrite = 1
	commandEnd   = 2
	commandFlush = 3
	commandTrim  = 4

	errorIO      = 5
	errorInvalid = 22

	maxBytes = 32 << 20 // the most that a request sends or wants, by the protocol
)

var errProtocol = errors.New("the client doesn't speak NBD as expected")

// Serve answers one client after the other until the listener is closed.
func (c *fakeCard) Serve(listener net.Listener) error {
	for {
		connection, err := listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		err = c.converse(connection)
		connection.Close()
		// A guest that is switched off hangs up at any time.
		if errors.Is(err, errProtocol) {
			return err
		}
	}
}

// converse serves a connection and returns the reason why it ended.
func (c *fakeCard) converse(connection io.ReadWriter) error {
	hello := binary.BigEndian.AppendUint16([]byte(greeting), flagFixedNewstyle|flagNoZeroes)
	if _, err := connection.Write(hello); err != nil {
		return err
	}
	var flags [4]byte
	if _, err := io.ReadFull(connection, flags[:]); err != nil {
		return err
	}
	for {
		chosen, err := c.negotiate(connection)
		if err != nil {
			return err
		}
		if chosen {
			break
		}
	}
	// One request at a time like an SD card, or as many as the card has slots for.
	slots := make(chan struct{}, max(c.model.Slots, 1))
	var running sync.WaitGroup
	var replies sync.Mutex
	defer running.Wait()
	for {
		answer, err := c.request(connection)
		if err != nil {
			return err
		}
		slots <- struct{}{}
		do := func() error {
			defer func() { <-slots }()
			reply := answer()
			replies.Lock()
			defer replies.Unlock()
			_, err := connection.Write(reply)
			return err
		}
		if c.model.Slots > 1 {
			running.Go(func() { _ = do() }) // the next read of the connection says why
		} else if err := do(); err != nil {
			return err
		}
	}
}

// negotiate answers one option. It returns true when the client wants to begin.
func (c *fakeCard) negotiate(connection io.ReadWriter) (bool, error) {
	var head [16]byte
	if _, err := io.ReadFull(connection, head[:]); err != nil {
		return false, err
	}
	option, length := binary.BigEndian.Uint32(head[8:]), binary.BigEndian.Uint32(head[12:])
	if length > maxBytes {
		return false, errProtocol
	}
	if _, err := io.CopyN(io.Discard, connection, int64(length)); err != nil {
		return false, err
	}
	reply := func(kind uint32, payload []byte) []byte {
		b := binary.BigEndian.AppendUint64(nil, optionMagic)
		b = binary.BigEndian.AppendUint32(b, option)
		b = binary.BigEndian.AppendUint32(b, kind)
		b = binary.BigEndian.AppendUint32(b, uint32(len(payload)))
		return append(b, payload...)
	}
	switch option {
	case optionInfo, optionGo:
		export := make([]byte, 2, 12) // the kind of information: an export
		export = binary.BigEndian.AppendUint64(export, uint64(c.bytes))
		export = binary.BigEndian.AppendUint16(export, flagHasFlags|flagSendFlush|flagSendTrim)
		_, err := connection.Write(append(reply(replyInfo, export), reply(replyAck, nil)...))
		return option == optionGo, err
	case optionAbort:
		return false, io.EOF
	}
	_, err := connection.Write(reply(replyUnsupported, nil))
	return false, err
}

// request reads one request. The function that it returns carries the request out and returns the reply. The error is
// io.EOF after the client's last request.
func (c *fakeCard) request(connection io.ReadWriter) (answer func() []byte, err error) {
	var head [28]byte
	if _, err := io.ReadFull(connection, head[:]); err != nil {
		return nil, err
	}
	command, offset := binary.BigEndian.Uint16(head[6:]), int64(binary.BigEndian.Uint64(head[16:]))
	length := binary.BigEndian.Uint32(head[24:])
	if binary.BigEndian.Uint32(head[:]) != requestMagic || length > maxBytes && command != commandTrim {
		return nil, errProtocol
	}
	var payload []byte
	switch command {
	case commandWrite:
		payload = make([]byte, length)
		if _, err := io.ReadFull(connection, payload); err != nil {
			return nil, err
		}
	case commandEnd:
		return nil, io.EOF
	}
	return func() []byte {
		var data []byte
		var failure uint32
		switch command {
		case commandRead:
			data = make([]byte, length)
			if c.read(data, offset) != nil {
				data, failure = nil, errorIO
			}
		case commandWrite:
			if c.write(payload, offset) != nil {
				failure = errorIO
			}
		case commandFlush: // every write is done when it is answered
		case commandTrim:
			if c.discard(offset, int64(length)) != nil {
				failure = errorIO
			}
		default:
			failure = errorInvalid
		}
		reply := binary.BigEndian.AppendUint32(nil, replyMagic)
		reply = binary.BigEndian.AppendUint32(reply, failure)
		return append(append(reply, head[8:16]...), data...)
	}, nil
}
