package postrider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// request is a call of the API, whose tries all have the same bytes.
type request struct {
	method, path string
	query        url.Values
	// body is the value that the JSON in content is made from.
	body    any
	content []byte
	key     string
	header  map[string]string
	// onlyRefused: it is only repeated after 429, when nothing was done.
	onlyRefused bool
}

// segment encodes an id as one segment of a path. One that is only dots would be resolved away, even percent-encoded once.
// Without an empty one the path would be that of the list: a space is no id either.
func segment(id string) string {
	switch id {
	case ".", "..":
		id = strings.ReplaceAll(id, ".", "%2E")
	case "":
		id = " "
	}
	return url.PathEscape(id)
}

// maxAnswerBytes is more than any answer has: a page of 100 messages with the largest payloads is about half of it.
const maxAnswerBytes = 64 * 1024 * 1024

// readBody reads a body of at most maxAnswerBytes, so that a wrong server cannot fill the memory.
func readBody(answer *http.Response) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswerBytes+1))
	if err == nil && len(body) > maxAnswerBytes {
		err = errors.New("the answer is too large")
	}
	return body, err
}

// open sends one try and returns an answer of success, whose body has not been read yet.
func (c *Client) open(ctx context.Context, r request) (*http.Response, error) {
	address := c.baseURL + r.path
	if len(r.query) > 0 {
		address += "?" + r.query.Encode()
	}
	sent, err := http.NewRequestWithContext(ctx, r.method, address, bytes.NewReader(r.content))
	if err != nil {
		return nil, err
	}
	sent.Header.Set("Accept", "application/json")
	for name, value := range r.header {
		sent.Header.Set(name, value)
	}
	if r.content != nil {
		sent.Header.Set("Content-Type", "application/json")
	}
	if r.key != "" {
		sent.Header.Set("Idempotency-Key", r.key)
	}
	sent.Header.Set("Authorization", "Bearer "+c.token)
	answer, err := c.http.Do(sent)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode >= 200 && answer.StatusCode < 300 {
		return answer, nil
	}
	defer answer.Body.Close()
	body, err := readBody(answer)
	if err != nil {
		return nil, err
	}
	return nil, apiError(answer.StatusCode, answer.Header, body)
}

// failed makes an Error of what a try returned, unless the caller's context ended it.
func failed(caller, try context.Context, err error) error {
	var failure *Error
	switch {
	case errors.As(err, &failure):
		return err
	case caller.Err() != nil:
		return context.Cause(caller)
	case errors.Is(try.Err(), context.DeadlineExceeded):
		return &Error{Kind: TimeoutError, Err: err}
	default:
		return &Error{Kind: ConnectionError, Err: err}
	}
}

// try makes one try within its time limit, including its body. A success that is not JSON counts as a lost answer.
func (c *Client) try(ctx context.Context, r request) ([]byte, error) {
	limited, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	answer, err := c.open(limited, r)
	if err != nil {
		return nil, failed(ctx, limited, err)
	}
	defer answer.Body.Close()
	body, err := readBody(answer)
	if err == nil && answer.StatusCode != http.StatusNoContent && !json.Valid(body) {
		err = errors.New("the answer is not JSON")
	}
	if err != nil {
		return nil, failed(ctx, limited, err)
	}
	return body, nil
}

// call makes a call, with retries if necessary, and reads the JSON of its success into out.
func (c *Client) call(ctx context.Context, r request, out any) error {
	// Anything else, such as @example.com/, would change the host to which the token is sent.
	if !strings.HasPrefix(r.path, "/") {
		return errors.New("postrider: the path does not begin with /")
	}
	if r.body != nil {
		var err error
		if r.content, err = json.Marshal(r.body); err != nil {
			return err
		}
	}
	for attempt := 1; ; attempt++ {
		body, err := c.try(ctx, r)
		if err == nil {
			if len(body) == 0 || out == nil {
				return nil
			}
			return json.Unmarshal(body, out)
		}
		delay, isAgain := c.delayAfter(attempt, err, r)
		if !isAgain {
			return err
		}
		if err := wait(ctx, delay); err != nil {
			return err
		}
	}
}

// delayAfter returns the time until the next try of a call that failed; false if there is none.
func (c *Client) delayAfter(attempt int, err error, r request) (time.Duration, bool) {
	var failure *Error
	if !errors.As(err, &failure) {
		return 0, false
	}
	failure.IdempotencyKey = r.key
	isRefused := failure.Status == http.StatusTooManyRequests
	if attempt >= c.retry.MaxAttempts || !failure.mayRepeat() || (r.onlyRefused && !isRefused) {
		return 0, false
	}
	return c.retry.delay(attempt, failure.RetryAfter)
}
