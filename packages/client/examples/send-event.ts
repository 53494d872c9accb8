/**
 * Sends an event, waits until it is delivered, and shows each attempt.
 *
 *   POSTRIDER_URL=http://localhost:3000 POSTRIDER_TOKEN=pr_… \
 *     npx tsx --conditions=@postrider/source packages/client/examples/send-event.ts
 */
import { setTimeout as pause } from 'node:timers/promises';
import { createPostrider, PostriderApiError } from '@postrider/client';

const { POSTRIDER_URL = 'http://localhost:3000', POSTRIDER_TOKEN = '' } = process.env;
const postrider = createPostrider({ baseUrl: POSTRIDER_URL, token: POSTRIDER_TOKEN });

try {
  // Retries after a lost connection, 5xx and 429 happen inside, with one idempotency key: there is one
  // message in the end.
  const { message_id } = await postrider.events.send({
    event_key: 'order.shipped',
    recipient: { email: 'ada@example.com', name: 'Ada' },
    payload: { order_id: 'A-1001', carrier: 'Swift Post', tracking_number: 'SP123456' },
  });
  process.stdout.write(`accepted as ${message_id}\n`);

  while ((await postrider.messages.get(message_id)).status === 'pending') await pause(200);

  const { delivery_runs } = await postrider.messages.deliveries(message_id);
  for (const { channel, attempts } of delivery_runs) {
    for (const { number, status, duration_ms } of attempts) {
      process.stdout.write(
        `${channel.kind} "${channel.name}": attempt ${number} ${status}, ${duration_ms} ms\n`,
      );
    }
  }
} catch (error) {
  if (!(error instanceof PostriderApiError)) throw error;
  process.stderr.write(`${error.status} ${error.code}: ${error.message} (trace ${error.traceId})\n`);
  for (const { path, message } of error.details) process.stderr.write(`  ${path} ${message}\n`);
  process.exitCode = 1;
}
