// Package postrider is the Go client of Postrider. Its types, in the package types, are generated from the OpenAPI document
// that the service serves.
package postrider

import (
	"context"
	"errors"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"example.com/postrider/client-go/types"
	"github.com/google/uuid"
)

// Options of a client. Zero values are replaced by the defaults.
type Options struct {
	// Timeout of one try, including its body. Default: 30 s.
	Timeout time.Duration
	Retry   Retry
	// HTTPClient has your own settings of connections. It never follows redirects.
	HTTPClient *http.Client
}

// Client is the public API for one environment. It can be used by several goroutines.
//
// A call is retried after a lost connection, a timeout, 5xx, 429 and 409 idempotency_in_progress, and never before
// Retry-After. Sending, replaying and cancelling have an idempotency key that is created once per call and kept for its
// tries, with the same bytes. Every call returns an *Error if it fails, or the error of the context that ended it.
type Client struct {
	baseURL, token string
	timeout        time.Duration
	retry          Retry
	http           *http.Client
}

// New creates a client. It opens no connection. The error of an invalid address or token shows neither.
func New(baseURL, token string, options Options) (*Client, error) {
	address, err := url.Parse(baseURL)
	if err != nil || (address.Scheme != "http" && address.Scheme != "https") || address.Host == "" {
		return nil, errors.New("postrider: the address is not one of HTTP")
	}
	if address.User != nil {
		return nil, errors.New("postrider: the address has a user name or password")
	}
	if token == "" || strings.ContainsFunc(token, func(r rune) bool { return r < '!' || r > '~' }) {
		return nil, errors.New("postrider: the token is missing, or has characters that no token has")
	}
	client := http.Client{}
	if options.HTTPClient != nil {
		client = *options.HTTPClient
	}
	// A redirect would send the call elsewhere.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{
		baseURL: strings.TrimRight(baseURL, "/"),
		token:   token,
		timeout: orDefault(options.Timeout, 30*time.Second),
		retry:   options.Retry.withDefaults(),
		http:    &client,
	}, nil
}

// WriteOptions of a call that creates something.
type WriteOptions struct {
	// IdempotencyKey is a UUID; created by default. To repeat a call after a crash (within 24 hours), give your own key and
	// store it with the data of the call.
	IdempotencyKey string
	// RequestID is your X-Request-ID, echoed and logged by the service.
	RequestID string
}

func write[Answer any](ctx context.Context, c *Client, path string, body any, options []WriteOptions) (*Answer, error) {
	given := WriteOptions{}
	if len(options) > 0 {
		given = options[0]
	}
	r := request{method: http.MethodPost, path: path, body: body, key: orDefault(given.IdempotencyKey, uuid.NewString())}
	if given.RequestID != "" {
		r.header = map[string]string{"X-Request-ID": given.RequestID}
	}
	return read[Answer](ctx, c, r)
}

func read[Answer any](ctx context.Context, c *Client, r request) (*Answer, error) {
	answer := new(Answer)
	if err := c.call(ctx, r, answer); err != nil {
		return nil, err
	}
	return answer, nil
}

// Do makes any other call of /api/v1 and reads its answer into out, which may be nil. A POST has no idempotency key here:
// it is only repeated after 429, when nothing was done.
func (c *Client) Do(ctx context.Context, method, path string, query url.Values, body, out any) error {
	r := request{method: method, path: path, query: query, body: body, onlyRefused: method == http.MethodPost}
	return c.call(ctx, r, out)
}

// Items yields every item of any list, such as Items[types.ConfiguredChannel](ctx, client, "/api/v1/channels", nil). Each page
// is read when the previous one is used up. It ends with the first error.
func Items[Item any](ctx context.Context, c *Client, path string, query url.Values) iter.Seq2[Item, error] {
	// A page has its items in Data, that of a message's deliveries in Runs.
	type page struct {
		Data       []Item  `json:"data"`
		Runs       []Item  `json:"delivery_runs"`
		NextCursor *string `json:"next_cursor"`
	}
	return func(yield func(Item, error) bool) {
		asked := url.Values{}
		maps.Copy(asked, query)
		for {
			found, err := read[page](ctx, c, request{method: http.MethodGet, path: path, query: asked})
			if err != nil {
				var none Item
				yield(none, err)
				return
			}
			for _, item := range append(found.Data, found.Runs...) {
				if !yield(item, nil) {
					return
				}
			}
			if found.NextCursor == nil {
				return
			}
			asked.Set("cursor", *found.NextCursor)
		}
	}
}

// Send accepts an event; it returns once the event is stored and will be delivered at least once.
func (c *Client) Send(ctx context.Context, event types.CreateEventRequest, options ...WriteOptions) (*types.Accepted, error) {
	return write[types.Accepted](ctx, c, "/api/v1/events", event, options)
}

// Messages yields every message that matches, newest first, and ends with the first error.
func (c *Client) Messages(ctx context.Context, query url.Values) iter.Seq2[types.Message, error] {
	return Items[types.Message](ctx, c, "/api/v1/messages", query)
}

// Message reads a message.
func (c *Client) Message(ctx context.Context, messageID string) (*types.Message, error) {
	return read[types.Message](ctx, c, request{method: http.MethodGet, path: "/api/v1/messages/" + segment(messageID)})
}

// Runs yields every delivery run of a message with every attempt, oldest first, and ends with the first error.
func (c *Client) Runs(ctx context.Context, messageID string) iter.Seq2[types.DeliveryRun, error] {
	return Items[types.DeliveryRun](ctx, c, "/api/v1/messages/"+segment(messageID)+"/deliveries", nil)
}

// Replay delivers the message again with the current channels and templates. It counts 1 against the quota.
func (c *Client) Replay(
	ctx context.Context, messageID string, input types.ReplayMessageRequest, options ...WriteOptions,
) (*types.Replayed, error) {
	return write[types.Replayed](ctx, c, "/api/v1/messages/"+segment(messageID)+"/replay", input, options)
}

// Reschedule gives the runs that are still scheduled another time. It returns the outcome for each.
func (c *Client) Reschedule(ctx context.Context, messageID string, at time.Time) (*types.RescheduledMessage, error) {
	path := "/api/v1/messages/" + segment(messageID)
	body := map[string]string{"schedule_at": at.Format(time.RFC3339Nano)}
	return read[types.RescheduledMessage](ctx, c, request{method: http.MethodPatch, path: path, body: body})
}

// Cancel cancels the runs that are still scheduled. It returns the outcome for each.
func (c *Client) Cancel(ctx context.Context, messageID string) (*types.CancelledMessage, error) {
	path := "/api/v1/messages/" + segment(messageID) + "/cancel"
	return read[types.CancelledMessage](ctx, c, request{method: http.MethodPost, path: path, body: struct{}{}})
}

// CancelRun cancels a run that is still scheduled.
func (c *Client) CancelRun(ctx context.Context, deliveryRunID string, options ...WriteOptions) (*types.DeliveryRun, error) {
	path := "/api/v1/delivery-runs/" + segment(deliveryRunID) + "/cancel"
	return write[types.DeliveryRun](ctx, c, path, struct{}{}, options)
}

// Usage reads the usage of the current month.
func (c *Client) Usage(ctx context.Context) (*types.Usage, error) {
	return read[types.Usage](ctx, c, request{method: http.MethodGet, path: "/api/v1/usage/current"})
}

// Limits reads what the plan allows.
func (c *Client) Limits(ctx context.Context) (*types.Limits, error) {
	return read[types.Limits](ctx, c, request{method: http.MethodGet, path: "/api/v1/limits"})
}
