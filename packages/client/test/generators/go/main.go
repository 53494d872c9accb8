// Sends an event, lists it, and lists the environment's channels, with the client that oapi-codegen generates.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"example.com/shop/postrider"
)

func withToken(token string) postrider.ClientOption {
	return postrider.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token)
		return nil
	})
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	url := os.Getenv("POSTRIDER_URL")
	client := must(postrider.NewClientWithResponses(url, withToken(os.Getenv("POSTRIDER_TOKEN"))))

	email := openapi_types.Email("ada@example.com")
	sent := must(client.CreateEventWithResponse(
		ctx,
		&postrider.CreateEventParams{IdempotencyKey: os.Getenv("IDEMPOTENCY_KEY")},
		postrider.CreateEventRequest{
			EventKey:  "order.shipped",
			Recipient: postrider.Recipient{Email: &email},
			Payload:   map[string]interface{}{"order_id": "A-1"},
		},
	))
	if sent.JSON201 == nil {
		log.Fatalf("the event was not accepted: %s", sent.Body)
	}

	listed := must(client.ListMessagesWithResponse(ctx, &postrider.ListMessagesParams{}))
	if listed.JSON200 == nil {
		log.Fatalf("messages were not listed: %s", listed.Body)
	}
	for _, item := range listed.JSON200.Data {
		if message := must(item.AsMessage()); message.Id == sent.JSON201.MessageId {
			fmt.Println(message.Id, message.Payload["order_id"])
		}
	}

	admin := must(postrider.NewClientWithResponses(url, withToken(os.Getenv("ADMIN_TOKEN"))))
	channels := must(admin.ListChannelsWithResponse(
		ctx, os.Getenv("POSTRIDER_ENVIRONMENT"), &postrider.ListChannelsParams{},
	))
	if channels.JSON200 == nil {
		log.Fatalf("channels were not listed: %s", channels.Body)
	}
	for _, channel := range channels.JSON200.Data {
		switch channel := must(channel.ValueByDiscriminator()).(type) {
		case postrider.WebhookChannel:
			fmt.Println("webhook", channel.Config.Url)
		case postrider.EmailChannel:
			fmt.Println("email", channel.Config.From.Email)
		}
	}
}
