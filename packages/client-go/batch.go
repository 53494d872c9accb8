package postrider

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"example.com/postrider/client-go/types"
	"github.com/google/uuid"
)

const (
	maxEvents = 100
	maxBytes  = 1024 * 1024
	// wrapperBytes are those of {"events":[],"atomic":false} and a comma.
	wrapperBytes = 32
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
	open    []prepared
	// Of the current round: the errors of events that may be accepted later, and the first result that the rate limit refused.
	refused map[int]*Error
	limited *wireResult
}

func prepare(index int, given BatchEvent) (prepared, error) {
	key := orDefault(given.IdempotencyKey, uuid.NewString())
	text, err := json.Marshal(map[string]any{"idempotency_key": key, "event": given.Event})
	if err == nil && len(text)+1+wrapperBytes > maxBytes {
		err = fmt.Errorf("postrider: event %d is too large for a request", index)
	}
	return prepared{index: index, key: key, text: text}, err
}

func requestsOf(events []prepared) [][]prepared {
	var requests [][]prepared
	size := 0
	for _, event := range events {
		last := len(requests) - 1
		if last < 0 || len(requests[last]) == maxEvents || size+len(event.text)+1 > maxBytes {
			requests, size, last = append(requests, nil), wrapperBytes, last+1
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
			b.refused[event.index] = failure
		default:
			b.settle(event, EventResult{Err: failure})
		}
	}
	return nil
}

// sendRound sends each open event once, until the rate limit refuses one or the service does not answer: that error.
func (b *batch) sendRound(ctx context.Context, requests [][]prepared) error {
	b.refused, b.limited = map[int]*Error{}, nil
	for _, events := range requests {
		// After a refusal of the rate limit the next request would be refused for the same reason.
		if err := b.sendRequest(ctx, events); err != nil || b.limited != nil {
			return err
		}
	}
	return nil
}

// giveUp stores errors for the events that are still open. One that was not sent gets that of the rate limit.
func (b *batch) giveUp(lost error) {
	for _, event := range b.open {
		failure := lost
		if refusal, isKnown := b.refused[event.index]; failure == nil && isKnown {
			failure = refusal
		} else if failure == nil {
			failure = b.limited.failure(event.key)
		}
		b.settle(event, EventResult{Err: failure})
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
	b := &batch{client: c, atomic: atomic, results: make([]EventResult, len(events)), open: make([]prepared, len(events))}
	for index, event := range events {
		var err error
		if b.open[index], err = prepare(index, event); err != nil {
			return nil, err
		}
	}
	for attempt := 1; len(b.open) > 0; attempt++ {
		requests := requestsOf(b.open)
		if atomic && len(requests) > 1 {
			return nil, fmt.Errorf("postrider: an atomic batch must fit into one request")
		}
		before := len(b.open)
		lost := b.sendRound(ctx, requests)
		if lost != nil && ctx.Err() != nil {
			return nil, lost
		}
		b.open = slices.DeleteFunc(b.open, func(event prepared) bool { return b.results[event.index].IdempotencyKey != "" })
		if len(b.open) == 0 {
			break
		}
		// Retry-After is for one event, so a plan with a rate limit may need many rounds.
		if len(b.open) < before {
			attempt = 1
		}
		delay, isAgain := c.retry.delay(attempt, b.longestRetryAfter())
		if lost != nil || attempt >= c.retry.MaxAttempts || !isAgain {
			b.giveUp(lost)
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
	for _, failure := range b.refused {
		if failure.RetryAfter != nil && (longest == nil || *failure.RetryAfter > *longest) {
			longest = failure.RetryAfter
		}
	}
	return longest
}
