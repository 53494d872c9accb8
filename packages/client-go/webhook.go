package postrider

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// tolerance between the time of a signature and now.
const tolerance = 5 * time.Minute

// ErrNotVerified says that the signature, the time or a header of a webhook is invalid. Answer with 400.
var ErrNotVerified = errors.New("postrider: the webhook is not verified")

// Webhook is a verified request.
type Webhook struct {
	// ID is the delivery run, the same on every attempt. Drop requests with an id that you have already processed.
	ID string
	// SignedAt is when this attempt was signed.
	SignedAt time.Time
}

// verifies says whether a signature of a version is from the key: the channel's secret (whsec_…) for v1, or a public key
// (whpk_…) for v1a.
func verifies(key string, content []byte, version, signature string) (bool, error) {
	given, err := base64.StdEncoding.DecodeString(signature)
	isReadable := err == nil
	encoded, isPublic := strings.CutPrefix(key, "whpk_")
	bytes, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(encoded, "whsec_"))
	if err != nil {
		return false, errors.New("postrider: a key is not base64")
	}
	if isPublic {
		if len(bytes) != ed25519.PublicKeySize {
			return false, errors.New("postrider: v1a needs an ed25519 key")
		}
		return isReadable && version == "v1a" && ed25519.Verify(bytes, content, given), nil
	}
	// Anybody can sign with an empty secret, such as that of a variable that is not set.
	if len(bytes) == 0 {
		return false, errors.New("postrider: the secret is empty")
	}
	mac := hmac.New(sha256.New, bytes)
	mac.Write(content)
	return isReadable && version == "v1" && hmac.Equal(mac.Sum(nil), given), nil
}

// VerifyWebhook verifies that a webhook comes from this installation and is at most 5 minutes old (Standard Webhooks 1.0).
// The body is unchanged: JSON that was parsed and formatted again has another signature. Without a template it is a
// types.DeliveryWebhook. Of several keys one must match: during a rotation the old and the new one are both valid. The error
// is ErrNotVerified if the signature, the time or a header is invalid.
func VerifyWebhook(body []byte, header http.Header, keys ...string) (*Webhook, error) {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	signatures := header.Get("webhook-signature")
	if id == "" || timestamp == "" || signatures == "" {
		return nil, fmt.Errorf("%w: a header is missing", ErrNotVerified)
	}
	seconds, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil {
		return nil, fmt.Errorf("%w: the time is not a number", ErrNotVerified)
	}
	signedAt := time.Unix(int64(seconds), 0)
	if time.Since(signedAt).Abs() > tolerance {
		return nil, fmt.Errorf("%w: it is too old, or from the future", ErrNotVerified)
	}
	if len(keys) == 0 {
		return nil, errors.New("postrider: a webhook cannot be verified without a key")
	}
	content := append([]byte(id+"."+timestamp+"."), body...)
	for _, key := range keys {
		for _, signature := range strings.Split(signatures, " ") {
			version, encoded, _ := strings.Cut(signature, ",")
			isValid, err := verifies(key, content, version, encoded)
			if err != nil {
				return nil, err
			}
			if isValid {
				return &Webhook{ID: id, SignedAt: signedAt}, nil
			}
		}
	}
	return nil, fmt.Errorf("%w: no signature is from one of the keys", ErrNotVerified)
}
