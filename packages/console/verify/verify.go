package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const toleranceSeconds = 300

// IsGenuine tells whether a request comes from us. body is its unchanged bytes.
func IsGenuine(body []byte, header http.Header) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || err != nil || math.Abs(float64(time.Now().Unix()-seconds)) > toleranceSeconds {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	if err != nil || len(key) == 0 {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, given := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(given), expected) {
			return true
		}
	}
	return false
}
