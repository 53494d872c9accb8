package postrider

import (
	"context"
	"math/rand/v2"
	"time"
)

// Retry says how often and with which delays a call is tried again. Zero values are replaced by the defaults.
type Retry struct {
	// MaxAttempts is the number of tries in total, including the first. Default: 5.
	MaxAttempts int
	// BaseDelay is the delay before the second try; it doubles with each further one. Default: 250 ms.
	BaseDelay time.Duration
	// MaxDelay is the longest delay that the client chooses. Default: 8 s.
	MaxDelay time.Duration
	// MaxRetryAfter is the longest Retry-After that the client waits for; with a longer one the call fails. Default: 1 min.
	MaxRetryAfter time.Duration
}

func orDefault[Value comparable](value, otherwise Value) Value {
	var zero Value
	if value == zero {
		return otherwise
	}
	return value
}

func (r Retry) withDefaults() Retry {
	return Retry{
		MaxAttempts:   orDefault(r.MaxAttempts, 5),
		BaseDelay:     orDefault(r.BaseDelay, 250*time.Millisecond),
		MaxDelay:      orDefault(r.MaxDelay, 8*time.Second),
		MaxRetryAfter: orDefault(r.MaxRetryAfter, time.Minute),
	}
}

// delay returns the time until the next try, never less than retryAfter; false if retryAfter is too long. Half of what
// the client adds is random, so that many clients do not try again at the same time.
func (r Retry) delay(attempt int, retryAfter *time.Duration) (time.Duration, bool) {
	if retryAfter != nil && *retryAfter > r.MaxRetryAfter {
		return 0, false
	}
	backoff := r.BaseDelay
	for n := 1; n < attempt && backoff < r.MaxDelay; n++ {
		backoff *= 2
	}
	half := min(backoff, r.MaxDelay) / 2
	spread := time.Duration(rand.Float64() * float64(half))
	if retryAfter != nil {
		return *retryAfter + spread, true
	}
	return half + spread, true
}

// wait returns early with the error of the context if that ends.
func wait(ctx context.Context, delay time.Duration) error {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
