package postrider

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"example.com/postrider/client-go/types"
)

// ErrorKind says what failed.
type ErrorKind string

const (
	// APIError: the service answered with an error.
	APIError ErrorKind = "api"
	// ConnectionError: there was no complete answer. It is unknown whether the request was executed.
	ConnectionError ErrorKind = "connection"
	// TimeoutError: there was no answer in time. It is unknown whether the request was executed.
	TimeoutError ErrorKind = "timeout"
)

// Error is the failure of a call. Those of the context that ends a call are returned unchanged.
type Error struct {
	Kind ErrorKind
	// IdempotencyKey is the key of the call, to repeat it later without doing anything twice; empty if it had none.
	IdempotencyKey string
	// Err is the error below; nil if the service answered.
	Err error

	// Status of the answer, and the fields below: only of an APIError.
	Status int
	// Code is for programs. It is `unexpected_response` if the answer did not come from the service but, for example,
	// from a proxy.
	Code string
	// Message is for people.
	Message string
	// Details has every issue of the request, or the facts of the refusal; may be empty.
	Details   []types.ErrorDetail
	RequestID string
	// TraceID is the service's id of the request, to find it in the logs.
	TraceID string
	// RetryAfter is nil if the service did not say when to ask again.
	RetryAfter *time.Duration
}

func (e *Error) Error() string {
	if e.Kind == APIError {
		return fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Message)
	}
	return fmt.Sprintf("%s: %v", e.Kind, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// mayRepeat says whether a call that failed so may be repeated with the same idempotency key.
func (e *Error) mayRepeat() bool {
	return e.Kind != APIError || e.Status == http.StatusTooManyRequests || e.Status >= 500 || e.Code == "idempotency_in_progress"
}

func apiError(status int, header http.Header, body []byte) *Error {
	var answer struct {
		Error struct {
			Code      string              `json:"code"`
			Message   string              `json:"message"`
			RequestID string              `json:"request_id"`
			Details   []types.ErrorDetail `json:"details"`
		} `json:"error"`
	}
	failure := &Error{
		Kind:       APIError,
		Status:     status,
		Code:       "unexpected_response",
		Message:    "an answer without an error object of the service",
		RequestID:  "unknown",
		TraceID:    header.Get("X-Trace-ID"),
		RetryAfter: parseRetryAfter(header.Get("Retry-After")),
	}
	if json.Unmarshal(body, &answer) == nil && answer.Error.Code != "" {
		failure.Code, failure.Message = answer.Error.Code, answer.Error.Message
		failure.RequestID, failure.Details = answer.Error.RequestID, answer.Error.Details
	}
	return failure
}

// parseRetryAfter reads seconds or a date (RFC 9110 section 10.2.3); nil if it is absent or unreadable.
func parseRetryAfter(value string) *time.Duration {
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		wait := time.Duration(seconds) * time.Second
		return &wait
	}
	if date, err := http.ParseTime(value); err == nil {
		wait := max(0, time.Until(date))
		return &wait
	}
	return nil
}
