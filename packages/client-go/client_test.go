package postrider_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"

	postrider "example.com/postrider/client-go"
)

// refusing fails the test if anything is sent.
type refusing struct{ *testing.T }

func (r refusing) RoundTrip(sent *http.Request) (*http.Response, error) {
	r.Errorf("the token was sent to %s", sent.URL.Host)
	return nil, http.ErrUseLastResponse
}

func TestTokenIsSentToNoOtherHost(t *testing.T) {
	options := postrider.Options{HTTPClient: &http.Client{Transport: refusing{t}}, Retry: postrider.Retry{MaxAttempts: 1}}
	client, err := postrider.New("https://api.example.com", "token", options)
	must(t, err)
	for _, path := range []string{"@other.example.com/api", ".other.example.com/api", ""} {
		if err := client.Do(context.Background(), http.MethodGet, path, nil, nil, nil); err == nil {
			t.Errorf("%q was called", path)
		}
	}
}

// endless answers with bytes that do not end, and counts them.
type endless struct{ read int }

func (e *endless) Read(into []byte) (int, error) {
	e.read += len(into)
	if e.read > 256*1024*1024 {
		return 0, io.EOF
	}
	return len(into), nil
}
func (e *endless) Close() error { return nil }
func (e *endless) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: e}, nil
}

func TestEndlessAnswerDoesNotFillTheMemory(t *testing.T) {
	body := &endless{}
	options := postrider.Options{HTTPClient: &http.Client{Transport: body}, Retry: postrider.Retry{MaxAttempts: 1}}
	client, err := postrider.New("https://api.example.com", "token", options)
	must(t, err)
	var failure *postrider.Error
	err = client.Do(context.Background(), http.MethodGet, "/api/v1/usage", nil, nil, nil)
	if !errors.As(err, &failure) || failure.Kind != postrider.ConnectionError || body.read > 80*1024*1024 {
		t.Errorf("%v after %d bytes", err, body.read)
	}
}
