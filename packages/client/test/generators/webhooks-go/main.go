// Verifies webhooks with the library of Standard Webhooks. Each line of the input is one, as JSON; prints its type or `refused`.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type request struct {
	Secret  string            `json:"secret"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
}

func main() {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var sent request
		must(json.Unmarshal(lines.Bytes(), &sent))
		webhook, err := standardwebhooks.NewWebhook(sent.Secret)
		must(err)
		headers := http.Header{}
		for name, value := range sent.Headers {
			headers.Set(name, value)
		}
		if webhook.Verify([]byte(sent.Body), headers) != nil {
			fmt.Println("refused")
			continue
		}
		var event struct {
			Type string `json:"type"`
		}
		must(json.Unmarshal([]byte(sent.Body), &event))
		fmt.Println(event.Type)
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
