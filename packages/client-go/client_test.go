package postrider_test

import (
	"context"
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
