import { ChannelsApi, Configuration, EventsApi, MessagesApi } from './postrider/index.js';

const {
  POSTRIDER_URL: basePath = '',
  POSTRIDER_TOKEN: accessToken = '',
  POSTRIDER_ENVIRONMENT: environmentId = '',
  ADMIN_TOKEN: adminToken = '',
  IDEMPOTENCY_KEY: idempotencyKey = '',
} = process.env;

/** Sends an event, lists it, and lists the environment's channels, with the client of openapi-generator. */
async function main(): Promise<void> {
  const configuration = new Configuration({ basePath, accessToken });
  const sent = await new EventsApi(configuration).createEvent({
    idempotencyKey,
    createEventRequest: {
      event_key: 'order.shipped',
      recipient: { email: 'ada@example.com' },
      payload: { order_id: 'A-1' },
    },
  });

  const messages = await new MessagesApi(configuration).listMessages();
  for (const { id, payload } of messages.data) {
    if (id === sent.message_id) process.stdout.write(`${id} ${payload?.order_id}\n`);
  }

  const admin = new Configuration({ basePath, accessToken: adminToken });
  const channels = await new ChannelsApi(admin).listChannels({ environmentId });
  for (const channel of channels.data) {
    if (channel.kind === 'webhook') process.stdout.write(`webhook ${channel.config.url}\n`);
    if (channel.kind === 'email') process.stdout.write(`email ${channel.config.from?.email}\n`);
  }
}

void main();
