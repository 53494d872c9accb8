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

// blocks yields the fields of each block of one connection until it ends, breaks or is silent, or the error that refused it.
func (c *Client) blocks(ctx context.Context, position string) iter.Seq2[map[string]string, error] {
	return func(yield func(map[string]string, error) bool) {
		limited, cancel := context.WithCancel(ctx)
		defer cancel()
		timer := time.AfterFunc(c.timeout, cancel)
		defer timer.Stop()
		header := map[string]string{"Accept": "text/event-stream"}
		if position != "" {
			header["Last-Event-ID"] = position
		}
		answer, err := c.open(limited, request{method: http.MethodGet, path: "/api/v1/stream", header: header})
		if err != nil {
			yield(nil, failed(ctx, limited, err))
			return
		}
		defer answer.Body.Close()
		scanner := bufio.NewScanner(aliveReader{answer.Body, func() { timer.Reset(silence) }})
		scanner.Buffer(nil, maxEventBytes)
		scanner.Split(splitBlocks)
		for scanner.Scan() {
			if !yield(fieldsOf(scanner.Bytes()), nil) {
				return
			}
		}
		if errors.Is(scanner.Err(), bufio.ErrTooLong) {
			yield(nil, errors.New("postrider: an event of the stream is too long"))
		}
	}
}

// Stream follows changes as they happen, through ends of streams, lost connections, 5xx and 429, from the last event that
// was received. It ends with the first other error, or when the context ends. While the service has no room (503), each try
// yields a `reset`: read the lists then. Leaving the loop closes the connection.
func (c *Client) Stream(ctx context.Context, lastEventID string) iter.Seq2[StreamEvent, error] {
	return func(yield func(StreamEvent, error) bool) {
		position, pause, failures := lastEventID, c.retry.BaseDelay, 0
		// isBehind: changes may have been missed that no position covers.
		isBehind := false
		for {
			var err error
			var fields map[string]string
			for fields, err = range c.blocks(ctx, position) {
				if err != nil {
					break
				}
				failures = 0
				if id, isGiven := fields["id"]; isGiven {
					position = id
				}
				if ms, err := strconv.ParseUint(fields["retry"], 10, 31); err == nil {
					pause = time.Duration(ms) * time.Millisecond
				}
				if isBehind && position != "" {
					isBehind = false
					if !yield(StreamEvent{Event: "reset", LastEventID: position}, nil) {
						return
					}
				}
				event, data := fields["event"], fields["data"]
				if event == "" || data == "" || event == "heartbeat" {
					continue
				}
				change := StreamEvent{Event: event, LastEventID: position}
				if err = json.Unmarshal([]byte(data), &change.Data); err != nil {
					break
				}
				if !yield(change, nil) {
					return
				}
			}
			retryAfter := &pause
			var failure *Error
			mayContinue := err == nil
			if errors.As(err, &failure) && failure.mayRepeat() {
				failures++
				isBehind = position == ""
				retryAfter, mayContinue = failure.RetryAfter, true
				if failure.Kind == APIError && !yield(StreamEvent{Event: "reset", LastEventID: position}, nil) {
					return
				}
			}
			delay, isShort := c.retry.delay(max(1, failures), retryAfter)
			if err == nil && !isShort {
				delay, isShort = c.retry.MaxDelay, true
			}
			if mayContinue && isShort {
				err = wait(ctx, delay)
			}
			if err != nil {
				yield(StreamEvent{}, err)
				return
			}
		}
	}
}
