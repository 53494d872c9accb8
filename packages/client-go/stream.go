package postrider

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"strconv"
	"time"

	"example.com/postrider/client-go/types"
)

const (
	// maxEventBytes bounds an incomplete event that is kept.
	maxEventBytes = 64 * 1024
	// silence after which a stream is lost: the service sends something every 15 s.
	silence = 45 * time.Second
)

// StreamEvent is a change, described by ids and statuses. After `reset` some changes were not reported: read the lists again.
type StreamEvent struct {
	Event string
	// Data is empty for `reset`.
	Data types.StreamEvent
	// LastEventID is the position to continue from; empty if none was received.
	LastEventID string
}

// splitBlocks splits an event stream at its empty lines.
func splitBlocks(data []byte, atEOF bool) (int, []byte, error) {
	if end := bytes.Index(data, []byte("\n\n")); end >= 0 {
		return end + 2, data[:end], nil
	}
	// Half an event of a lost connection comes again.
	if atEOF {
		return len(data), nil, nil
	}
	return 0, nil, nil
}

func fieldsOf(block []byte) map[string]string {
	fields := map[string]string{}
	for _, line := range bytes.Split(block, []byte("\n")) {
		name, value, _ := bytes.Cut(line, []byte(":"))
		fields[string(name)] = string(bytes.TrimPrefix(value, []byte(" ")))
	}
	return fields
}

// aliveReader calls back whenever something arrives.
type aliveReader struct {
	io.Reader
	alive func()
}

func (r aliveReader) Read(piece []byte) (int, error) {
	r.alive()
	return r.Reader.Read(piece)
}

// follower is the state of one stream over its connections.
type follower struct {
	client   *Client
	position string
	pause    time.Duration
	failures int
	// isBehind: changes may have been missed that no position covers.
	isBehind bool
	yield    func(StreamEvent, error) bool
}

// errLeft: the reader has left the loop.
var errLeft = errors.New("the reader has left")

// readStream follows one connection until it ends, breaks or is silent.
func (f *follower) readStream(ctx context.Context) error {
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	timer := time.AfterFunc(f.client.timeout, cancel)
	defer timer.Stop()
	header := map[string]string{"Accept": "text/event-stream"}
	if f.position != "" {
		header["Last-Event-ID"] = f.position
	}
	answer, err := f.client.open(limited, request{method: http.MethodGet, path: "/api/v1/stream", header: header})
	if err != nil {
		return failed(ctx, limited, err)
	}
	defer answer.Body.Close()
	blocks := bufio.NewScanner(aliveReader{answer.Body, func() { timer.Reset(silence) }})
	blocks.Buffer(nil, maxEventBytes)
	blocks.Split(splitBlocks)
	for blocks.Scan() {
		if err := f.take(fieldsOf(blocks.Bytes())); err != nil {
			return err
		}
	}
	if errors.Is(blocks.Err(), bufio.ErrTooLong) {
		return errors.New("postrider: an event of the stream is too long")
	}
	return nil
}

// take yields the event of a block, if it has one.
func (f *follower) take(fields map[string]string) error {
	f.failures = 0
	if id, isGiven := fields["id"]; isGiven {
		f.position = id
	}
	if ms, err := strconv.ParseUint(fields["retry"], 10, 31); err == nil {
		f.pause = time.Duration(ms) * time.Millisecond
	}
	if f.isBehind && f.position != "" {
		f.isBehind = false
		if !f.yield(StreamEvent{Event: "reset", LastEventID: f.position}, nil) {
			return errLeft
		}
	}
	event, data := fields["event"], fields["data"]
	if event == "" || data == "" || event == "heartbeat" {
		return nil
	}
	change := StreamEvent{Event: event, LastEventID: f.position}
	if err := json.Unmarshal([]byte(data), &change.Data); err != nil {
		return err
	}
	if !f.yield(change, nil) {
		return errLeft
	}
	return nil
}

// Stream follows changes as they happen, through ends of streams, lost connections, 5xx and 429, from the last event that
// was received. It ends with the first other error, or when the context ends. While the service has no room (503), each try
// yields a `reset`: read the lists then. Leaving the loop closes the connection.
func (c *Client) Stream(ctx context.Context, lastEventID string) iter.Seq2[StreamEvent, error] {
	return func(yield func(StreamEvent, error) bool) {
		f := &follower{client: c, position: lastEventID, pause: c.retry.BaseDelay, yield: yield}
		for {
			err := f.readStream(ctx)
			delay := c.retry.MaxDelay
			var failure *Error
			switch {
			case errors.Is(err, errLeft):
				return
			case ctx.Err() != nil:
				yield(StreamEvent{}, context.Cause(ctx))
				return
			case err == nil:
				if planned, isShort := c.retry.delay(max(1, f.failures), &f.pause); isShort {
					delay = planned
				}
			case errors.As(err, &failure) && failure.mayRepeat():
				f.failures++
				f.isBehind = f.position == ""
				if failure.Kind == APIError && !yield(StreamEvent{Event: "reset", LastEventID: f.position}, nil) {
					return
				}
				planned, isAgain := c.retry.delay(f.failures, failure.RetryAfter)
				if !isAgain {
					yield(StreamEvent{}, err)
					return
				}
				delay = planned
			default:
				yield(StreamEvent{}, err)
				return
			}
			if err := wait(ctx, delay); err != nil {
				yield(StreamEvent{}, err)
				return
			}
		}
	}
}
