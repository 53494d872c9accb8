/**
 * Receives webhooks, verifies that they come from your installation, and processes each once. With `--once` it exits
 * after the first.
 *
 * WEBHOOK_SECRET=whsec_… PORT=4100 \
 *     npx tsx --conditions=@postrider/source packages/client/examples/receive-webhooks.ts
 */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { verifyWebhook, WebhookVerificationError } from '@postrider/client';

const { WEBHOOK_SECRET = '', PORT = '4100' } = process.env;
// Delivery is at least once. Store the ids persistently, in the transaction that processes the event.
const dealtWith = new Set<string>();

const server = createServer(async (request, response) => {
  try {
    const { id, body } = verifyWebhook(
      { body: await text(request), headers: request.headers },
      WEBHOOK_SECRET,
    );
    if (!dealtWith.has(id)) process.stdout.write(`${body.type} ${JSON.stringify(body.data.payload)}\n`);
    dealtWith.add(id);
    response.writeHead(204).end();
    if (process.argv.includes('--once')) server.close();
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
  }
});
server.listen(Number(PORT), '127.0.0.1', () => process.stdout.write('listening\n'));
