package postrider_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"strconv"
	"testing"
	"time"

	postrider "example.com/postrider/client-go"
	"example.com/postrider/client-go/types"
)

var server = os.Getenv("CONFORMANCE_URL")

// given are the arguments of a call of any case.
type given struct {
	Call           string
	Event          types.CreateEventRequest
	Events         []postrider.BatchEvent
	Atomic         bool
	Input          types.ReplayMessageRequest
	Query          map[string]any
	Take           int
	Body           string
	Headers        map[string]string
	Keys           []string
	MessageID      string `json:"message_id"`
	DeliveryRunID  string `json:"delivery_run_id"`
	IdempotencyKey string `json:"idempotency_key"`
	RequestID      string `json:"request_id"`
	LastEventID    string `json:"last_event_id"`
}

type run struct {
	Token   string
	Options map[string]int
	Calls   []given
}

func ask(t *testing.T, path string, body, out any) {
	t.Helper()
	content, err := json.Marshal(body)
	must(t, err)
	answer, err := http.Post(server+"/conformance/"+path, "application/json", bytes.NewReader(content))
	must(t, err)
	defer answer.Body.Close()
	must(t, json.NewDecoder(answer.Body).Decode(out))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func describe(err error) map[string]any {
	var failure *postrider.Error
	switch {
	case errors.Is(err, postrider.ErrNotVerified):
		return map[string]any{"kind": "verification"}
	case !errors.As(err, &failure):
		return map[string]any{"kind": "argument", "message": err.Error()}
	}
	described := map[string]any{"kind": failure.Kind}
	if failure.IdempotencyKey != "" {
		described["idempotency_key"] = failure.IdempotencyKey
	}
	if failure.Kind == postrider.APIError {
		described["status"], described["code"], described["message"] = failure.Status, failure.Code, failure.Message
		described["details"], described["request_id"] = failure.Details, failure.RequestID
		described["trace_id"] = failure.TraceID
		if failure.RetryAfter != nil {
			described["retry_after_ms"] = failure.RetryAfter.Milliseconds()
		}
	}
	return described
}

func collect[Item any](items iter.Seq2[Item, error], take int) (any, error) {
	found := []Item{}
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		if found = append(found, item); len(found) == take {
			break
		}
	}
	return found, nil
}

func values(query map[string]any) url.Values {
	values := url.Values{}
	for name, value := range query {
		if number, isNumber := value.(float64); isNumber {
			value = strconv.Itoa(int(number))
		}
		values.Set(name, value.(string))
	}
	return values
}

func sendBatch(ctx context.Context, client *postrider.Client, g given) (any, error) {
	results, err := client.SendBatch(ctx, g.Events, g.Atomic)
	found := []map[string]any{}
	for _, result := range results {
		described := map[string]any{"idempotency_key": result.IdempotencyKey, "replayed": result.Replayed}
		if result.Err != nil {
			described["error"] = describe(result.Err)
		} else {
			described["accepted"] = result.Accepted
		}
		found = append(found, described)
	}
	return found, err
}

func stream(ctx context.Context, client *postrider.Client, g given) (any, error) {
	found := []map[string]any{}
	for event, err := range client.Stream(ctx, g.LastEventID) {
		if err != nil {
			return nil, err
		}
		described := map[string]any{"event": event.Event, "data": event.Data}
		if event.LastEventID != "" {
			described["last_event_id"] = event.LastEventID
		}
		if found = append(found, described); len(found) == g.Take {
			break
		}
	}
	return found, nil
}

func verify(g given) (any, error) {
	header := http.Header{}
	for name, value := range g.Headers {
		header.Set(name, value)
	}
	webhook, err := postrider.VerifyWebhook([]byte(g.Body), header, g.Keys...)
	if err != nil {
		return nil, err
	}
	return map[string]any{"id": webhook.ID, "body": json.RawMessage(g.Body)}, nil
}

func perform(ctx context.Context, client *postrider.Client, g given) (any, error) {
	options := postrider.WriteOptions{IdempotencyKey: g.IdempotencyKey, RequestID: g.RequestID}
	switch g.Call {
	case "send":
		return client.Send(ctx, g.Event, options)
	case "send_batch":
		return sendBatch(ctx, client, g)
	case "replay":
		return client.Replay(ctx, g.MessageID, g.Input, options)
	case "cancel_run":
		return client.CancelRun(ctx, g.DeliveryRunID, options)
	case "get":
		return client.Message(ctx, g.MessageID)
	case "limits":
		return client.Limits(ctx)
	case "list":
		return collect(client.Messages(ctx, values(g.Query)), g.Take)
	case "runs":
		return collect(client.Runs(ctx, g.MessageID), 0)
	case "stream":
		return stream(ctx, client, g)
	case "verify":
		return verify(g)
	}
	return nil, errors.New("the cases have a call that this test does not know: " + g.Call)
}

// TestConformance runs the cases of the conformance suite (packages/rig/conformance), whose server CONFORMANCE_URL names.
func TestConformance(t *testing.T) {
	if server == "" {
		t.Skip("CONFORMANCE_URL is not set: start the server with npm run conformance")
	}
	var listed struct{ Cases []string }
	ask(t, "cases", nil, &listed)
	for _, name := range listed.Cases {
		t.Run(name, func(t *testing.T) {
			var asked run
			ask(t, "runs", map[string]string{"case": name}, &asked)
			ms := func(name string) time.Duration { return time.Duration(asked.Options[name]) * time.Millisecond }
			client, err := postrider.New(server, asked.Token, postrider.Options{
				Timeout: ms("timeout_ms"),
				Retry: postrider.Retry{
					MaxAttempts:   asked.Options["max_attempts"],
					BaseDelay:     ms("base_delay_ms"),
					MaxDelay:      ms("max_delay_ms"),
					MaxRetryAfter: ms("max_retry_after_ms"),
				},
			})
			must(t, err)
			outcomes := []map[string]any{}
			for _, call := range asked.Calls {
				if result, err := perform(t.Context(), client, call); err != nil {
					outcomes = append(outcomes, map[string]any{"error": describe(err)})
				} else {
					outcomes = append(outcomes, map[string]any{"result": result})
				}
			}
			var verdict struct{ Problems []string }
			ask(t, "outcomes", map[string]any{"token": asked.Token, "outcomes": outcomes}, &verdict)
			if !reflect.DeepEqual(verdict.Problems, []string{}) {
				t.Error(verdict.Problems)
			}
		})
	}
}
