package postrider

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"example.com/postrider/client-go/types"
	"github.com/google/uuid"
)

const (
	maxEvents = 100
	maxBytes  = 1024 * 1024
	// envelopeBytes are those of {"events":[],"atomic":false} and a comma.
	envelopeBytes = 32
)

// BatchEvent is one event of a batch.
type BatchEvent struct {
	Event types.CreateEventRequest
	// IdempotencyKey as for a single event. Created by default; the result then has it.
	IdempotencyKey string
}

// EventResult is the result of one event of a batch: Accepted, or its final Err.
type EventResult struct {
	IdempotencyKey string
	// Replayed says whether an earlier call had sent it.
	Replayed bool
	Accepted *types.Accepted
	Err      error
}

// prepared is an event with its JSON, which is the same for all tries because the service compares the bytes.
type prepared struct {
	index int
	key   string
	text  json.RawMessage
}

// wireResult is the result of an event in an answer.
type wireResult struct {
	Status     int             `json:"status"`
	Body       json.RawMessage `json:"body"`
	Replayed   bool            `json:"idempotent_replayed"`
	RetryAfter *int            `json:"retry_after"`
}

func (r wireResult) failure(key string) *Error {
	header := http.Header{}
	if r.RetryAfter != nil {
		header.Set("Retry-After", strconv.Itoa(*r.RetryAfter))
	}
	failure := apiError(r.Status, header, r.Body)
	failure.IdempotencyKey = key
	return failure
}

// batch is the state of one SendBatch.
type batch struct {
	client  *Client
	atomic  bool
	results []EventResult
	settled int
	// Of the current round: events that may be accepted later with their errors, and those that were not sent because the
	// rate limit refused one before them, with its result.
	refused []prepared
	errors  map[int]*Error
	unsent  []prepared
	limited *wireResult
}

func prepare(index int, given BatchEvent) (prepared, error) {
	key := orDefault(given.IdempotencyKey, uuid.NewString())
	text, err := json.Marshal(map[string]any{"idempotency_key": key, "event": given.Event})
	if err == nil && len(text)+1+envelopeBytes > maxBytes {
		err = fmt.Errorf("postrider: event %d is larger than a request can be", index)
	}
	return prepared{index: index, key: key, text: text}, err
}

func requestsOf(events []prepared) [][]prepared {
	var requests [][]prepared
	size := 0
	for _, event := range events {
		last := len(requests) - 1
		if last < 0 || len(requests[last]) == maxEvents || size+len(event.text)+1 > maxBytes {
			requests, size, last = append(requests, nil), envelopeBytes, last+1
		}
		requests[last] = append(requests[last], event)
		size += len(event.text) + 1
	}
	return requests
}

// resultsIn reads the results of the events. An answer may come from a proxy: what is missing counts as 502.
func resultsIn(answer json.RawMessage, count int) []wireResult {
	var body struct {
		Results []json.RawMessage `json:"results"`
	}
	_ = json.Unmarshal(answer, &body)
	results := make([]wireResult, count)
	for index := range results {
		isRead := index < len(body.Results) && json.Unmarshal(body.Results[index], &results[index]) == nil
		isLost := results[index].Status == http.StatusCreated && !bytes.HasPrefix(results[index].Body, []byte("{"))
		if !isRead || isLost || results[index].Status < 200 || results[index].Status > 599 {
			results[index] = wireResult{Status: http.StatusBadGateway}
		}
	}
	return results
}

func (b *batch) settle(event prepared, result EventResult) {
	result.IdempotencyKey = event.key
	b.results[event.index] = result
	b.settled++
}

func (b *batch) mayPass(failure *Error) bool {
	return failure.mayRepeat() || (b.atomic && failure.Code == "batch_aborted")
}

// sendRequest sends one request, and settles its events that are done.
func (b *batch) sendRequest(ctx context.Context, events []prepared) error {
	texts := make([]json.RawMessage, len(events))
	for index, event := range events {
		texts[index] = event.text
	}
	body := map[string]any{"events": texts, "atomic": b.atomic}
	var answer json.RawMessage
	r := request{method: http.MethodPost, path: "/api/v1/events/batch", body: body}
	if err := b.client.call(ctx, r, &answer); err != nil {
		return err
	}
	results := resultsIn(answer, len(events))
	failures := make([]*Error, len(events))
	// An atomic batch is sent again as a whole, or not at all.
	isOver := false
	for index, result := range results {
		if result.Status != http.StatusCreated {
			failures[index] = result.failure(events[index].key)
			isOver = isOver || (b.atomic && !b.mayPass(failures[index]))
		}
		if result.Status == http.StatusTooManyRequests && b.limited == nil {
			b.limited = &results[index]
		}
	}
	for index, event := range events {
		failure := failures[index]
		switch {
		case failure == nil:
			accepted := &types.Accepted{}
			if err := json.Unmarshal(results[index].Body, accepted); err != nil {
				return err
			}
			b.settle(event, EventResult{Accepted: accepted, Replayed: results[index].Replayed})
		case !isOver && b.mayPass(failure):
			b.refused = append(b.refused, event)
			b.errors[event.index] = failure
		default:
			b.settle(event, EventResult{Err: failure})
		}
	}
	return nil
}

// sendRound sends each open event once, until the rate limit refuses one or the service does not answer. It fails only
// with the error of the context.
func (b *batch) sendRound(ctx context.Context, requests [][]prepared) error {
	b.refused, b.errors, b.unsent, b.limited = nil, map[int]*Error{}, nil, nil
	rest := func(from int) (events []prepared) {
		for _, request := range requests[from:] {
			events = append(events, request...)
		}
		return events
	}
	for number, events := range requests {
		if err := b.sendRequest(ctx, events); err != nil {
			if ctx.Err() != nil {
				return err
			}
			for _, event := range append(b.refused, rest(number)...) {
				b.settle(event, EventResult{Err: err})
			}
			b.refused = nil
			return nil
		}
		if b.limited != nil {
			// The next request would be refused for the same reason.
			b.unsent = rest(number + 1)
			return nil
		}
	}
	return nil
}

// giveUp stores errors for all open events. Events that were not sent get that of the rate limit.
func (b *batch) giveUp() {
	for _, event := range b.refused {
		b.settle(event, EventResult{Err: b.errors[event.index]})
	}
	for _, event := range b.unsent {
		b.settle(event, EventResult{Err: b.limited.failure(event.key)})
	}
}

// SendBatch sends any number of events, up to 100 per request, and returns a result for each, in order.
//
// Events that may succeed later are sent again. Tries are limited as for a single event, but the count restarts whenever an
// event gets its result. If the service does not answer, the events without a result get that error. An atomic batch stores
// all events or none; they must fit into one request.
//
// It fails if an atomic batch needs several requests, an event is too large for one, or the context ends. Then there are no
// results: give your own keys if a context may end it, and send the events with them again.
func (c *Client) SendBatch(ctx context.Context, events []BatchEvent, atomic bool) ([]EventResult, error) {
	b := &batch{client: c, atomic: atomic, results: make([]EventResult, len(events))}
	open := make([]prepared, len(events))
	for index, event := range events {
		var err error
		if open[index], err = prepare(index, event); err != nil {
			return nil, err
		}
	}
	for attempt := 1; len(open) > 0; attempt++ {
		requests := requestsOf(open)
		if atomic && len(requests) > 1 {
			return nil, fmt.Errorf("postrider: an atomic batch must fit into one request")
		}
		settledBefore := b.settled
		if err := b.sendRound(ctx, requests); err != nil {
			return nil, err
		}
		open = append(b.refused, b.unsent...)
		if len(open) == 0 {
			break
		}
		// Retry-After is for one event, so a plan with a rate limit may need many rounds.
		if b.settled > settledBefore {
			attempt = 1
		}
		delay, isAgain := c.retry.delay(attempt, b.longestRetryAfter())
		if attempt >= c.retry.MaxAttempts || !isAgain {
			b.giveUp()
			break
		}
		if err := wait(ctx, delay); err != nil {
			return nil, err
		}
	}
	return b.results, nil
}

func (b *batch) longestRetryAfter() *time.Duration {
	var longest *time.Duration
	for _, failure := range b.errors {
		if failure.RetryAfter != nil && (longest == nil || *failure.RetryAfter > *longest) {
			longest = failure.RetryAfter
		}
	}
	return longest
}
