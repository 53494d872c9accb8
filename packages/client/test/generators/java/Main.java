import org.openapitools.client.ApiClient;
import org.openapitools.client.api.ChannelsApi;
import org.openapitools.client.api.EventsApi;
import org.openapitools.client.api.MessagesApi;
import org.openapitools.client.model.CreateEventRequest;
import org.openapitools.client.model.EmailChannel;
import org.openapitools.client.model.Message;
import org.openapitools.client.model.Recipient;
import org.openapitools.client.model.WebhookChannel;

/** Sends an event, lists it, and lists the environment's channels, with the client of openapi-generator. */
public class Main {
  private static ApiClient clientWith(String token) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("POSTRIDER_URL"));
    return client.setRequestInterceptor(
        request -> request.header("Authorization", "Bearer " + System.getenv(token)));
  }

  public static void main(String[] args) throws Exception {
    ApiClient client = clientWith("POSTRIDER_TOKEN");
    CreateEventRequest event =
        new CreateEventRequest()
            .eventKey("order.shipped")
            .recipient(new Recipient().email("ada@example.com"))
            .putPayloadItem("order_id", "A-1");
    String sent =
        new EventsApi(client).createEvent(System.getenv("IDEMPOTENCY_KEY"), event, null).getMessageId();

    var messages =
        new MessagesApi(client).listMessages(
            null, null, null, null, null, null, null, null, null, null);
    for (var item : messages.getData()) {
      Message message = item.getMessage();
      if (message.getId().equals(sent)) {
        System.out.println(message.getId() + " " + message.getPayload().get("order_id"));
      }
    }

    var channels =
        new ChannelsApi(clientWith("ADMIN_TOKEN"))
            .listChannels(System.getenv("POSTRIDER_ENVIRONMENT"), null, null, null, null, null, null);
    for (var item : channels.getData()) {
      Object channel = item.getActualInstance();
      if (channel instanceof WebhookChannel) {
        System.out.println("webhook " + ((WebhookChannel) channel).getConfig().getUrl());
      }
      if (channel instanceof EmailChannel) {
        System.out.println("email " + ((EmailChannel) channel).getConfig().getFrom().getEmail());
      }
    }
  }
}
