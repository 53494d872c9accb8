import { createPostrider, type PostriderAdmin } from '@postrider/client';
import { openDatabase } from '@postrider/db';
import type { Cleanup } from '@postrider/local-stack';
import { startMailServer, startReceiver, status, waitFor } from '@postrider/rig';

/** What the pictures are of. */
export interface Demo {
  readonly environmentId: string;
  readonly channelId: string;
  readonly templateId: string;
  readonly failedMessageId: string;
  readonly retryingMessageId: string;
  readonly deliveredMessageId: string;
}

const PEOPLE = [
  'Ada Lovelace',
  'Grace Hopper',
  'Alan Turing',
  'Edsger Dijkstra',
  'Barbara Liskov',
  'Ken Thompson',
];
const EVENTS = ['order.shipped', 'order.confirmed', 'invoice.paid'] as const;
const MESSAGES = 48;

const addressOf = (name: string) => `${name.split(' ')[0]?.toLowerCase()}@example.com`;

const HTML = `<mjml>
  <mj-body background-color="#f4f4f5">
    <mj-section background-color="#ffffff" padding="24px">
      <mj-column>
        <mj-text font-size="20px">Hello {{ recipient.name }},</mj-text>
        <mj-text>your order {{ payload.order_id }} is on its way with {{ payload.carrier }}.</mj-text>
        <mj-button href="https://shop.example.com/orders/{{ payload.order_id }}">Track it</mj-button>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`;

interface Place {
  readonly admin: PostriderAdmin;
  readonly url: string;
  readonly databaseUrl: string;
  readonly cleanup: Cleanup;
}

/** Gives earlier hours figures like the current ones, more by day than by night. */
async function fillYesterday(databaseUrl: string): Promise<void> {
  const db = openDatabase(databaseUrl, { poolSize: 1 });
  await waitFor(
    'the figures',
    async () => (await db.$executeRaw`SELECT 1 FROM stats WHERE span_seconds = 3600`) > 0,
  );
  await db.$executeRaw`
    INSERT INTO stats (environment_id, span_seconds, start, channel_id, event_key, error_code, latency_bucket,
                       accepted, delivered, failed, attempts)
    SELECT environment_id, span_seconds, start - make_interval(hours => hours), channel_id, event_key, error_code,
           latency_bucket, ceil(accepted * share), ceil(delivered * share), failed, ceil(attempts * share)
    FROM stats, generate_series(1, 23) AS hours,
         LATERAL (SELECT 0.55 + 0.45 * cos(hours * pi() / 12) AS share) AS shares
    WHERE span_seconds = 3600
    ON CONFLICT DO NOTHING`;
  await db.$disconnect();
}

/** Fills an empty installation with a shop whose mail and webhooks mostly arrive. */
export async function seedDemo({ admin, url, databaseUrl, cleanup }: Place): Promise<Demo> {
  const mail = cleanup.keep(await startMailServer(), (server) => server.close());
  const hooks = cleanup.keep(await startReceiver(), (server) => server.close());
  await admin.plans.create({ code: 'growth', name: 'Growth', events_per_month: 60 });
  const { id: tenantId } = await admin.tenants.create({ name: 'Nordwind Outfitters', plan: 'growth' });
  const { id: environmentId } = await admin.environments.create(tenantId, { name: 'production' });
  const retry = { max_attempts: 3, delays_seconds: [0.2, 3_000] };
  await admin.channels.create(environmentId, {
    kind: 'email',
    name: 'Transactional mail',
    retry,
    config: {
      smtp: { host: '127.0.0.1', port: mail.port, secure: false },
      from: { email: 'orders@nordwind.example', name: 'Nordwind' },
    },
  });
  await admin.channels.create(environmentId, {
    kind: 'webhook',
    name: 'Warehouse',
    event_keys: ['order.*'],
    retry,
    config: { url: hooks.endpoint('/warehouse', status(202, {}, '{"accepted":true}')) },
  });
  const failing = await admin.channels.create(environmentId, {
    kind: 'webhook',
    name: 'Accounting',
    event_keys: ['invoice.*'],
    retry: { max_attempts: 3, delays_seconds: [0.1, 2_400] },
    config: {
      url: hooks.endpoint('/accounting', status(503, {}, '{"error":"maintenance until 10:00 UTC"}')),
    },
  });
  const template = async (event_key: string, html: string, activate = true) =>
    admin.templates.create(environmentId, {
      event_key,
      channel_kind: 'email',
      subject: 'Order {{ payload.order_id }}',
      html,
      activate,
    });
  await template('order.shipped', HTML.replace('Hello', 'Hi'));
  const { id: templateId } = await template('order.shipped', HTML);
  await template(
    'order.confirmed',
    '<p>Thank you, {{ recipient.name }}. We have your order {{ payload.order_id }}.</p>',
  );
  await template('invoice.paid', '<p>Your invoice {{ payload.order_id }} is paid.</p>');
  const { token } = await admin.tokens.issue(environmentId, { name: 'shop backend' });
  const client = createPostrider({ baseUrl: url, token });

  const send = (index: number, event_key: string) => {
    const name = PEOPLE[index % PEOPLE.length] ?? 'Ada Lovelace';
    return client.events.send({
      event_key,
      recipient: { email: addressOf(name), name },
      payload: { order_id: `N-${20_400 + index}`, carrier: 'Swift Post', total: 84.5 + index },
    });
  };
  const isOver = (messageId: string) =>
    waitFor('the deliveries', async () => {
      const { delivery_runs } = await client.messages.get(messageId);
      return delivery_runs.every((run) => !['queued', 'running'].includes(run.status));
    });
  mail.fail('rcpt', 550, 2);
  const failed = await send(0, 'order.shipped');
  await isOver(failed.message_id);
  for (let index = 1; index < MESSAGES; index += 1) await send(index, EVENTS[index % 2] ?? 'order.shipped');
  const retrying = await send(MESSAGES, 'invoice.paid');
  const delivered = await send(MESSAGES + 2, 'order.shipped');
  await client.events.send({
    event_key: 'order.confirmed',
    recipient: { email: 'grace@example.com', name: 'Grace Hopper' },
    payload: { order_id: 'N-20500' },
    schedule_at: new Date(Date.now() + 7_200_000).toISOString(),
  });
  await isOver(delivered.message_id);
  await waitFor('the first retry', async () => {
    const { delivery_runs } = await client.messages.deliveries(retrying.message_id);
    return delivery_runs.some((run) => run.attempt_count === 2 && run.status === 'retrying');
  });
  await fillYesterday(databaseUrl);
  return {
    environmentId,
    channelId: failing.id,
    templateId,
    failedMessageId: failed.message_id,
    retryingMessageId: retrying.message_id,
    deliveredMessageId: delivered.message_id,
  };
}
