import { type Handle, startHttpReceiver } from '@postrider/rig';
import { createWebhookSender } from '../../src/webhook/sender.ts';
import { webhookDelivery } from '../support/delivery.ts';
import { describeSender, type Peer } from './suite.ts';

const PASSWORD = 'webhook-secret-4711';
const AUTHORIZATION = `Basic ${Buffer.from(`shop:${PASSWORD}`).toString('base64')}`;

async function startPeer(): Promise<Peer> {
  const bodies: string[] = [];
  let refused: number | null = null;
  const handle: Handle = ({ headers, body }, response) => {
    const isKnown = headers.authorization === AUTHORIZATION;
    const code = isKnown ? (refused ?? 200) : 401;
    if (code === 200) bodies.push(body);
    response.writeHead(code).end(`${code} for ${headers.authorization}`);
  };
  const { url, close } = await startHttpReceiver(handle);
  return {
    port: Number(new URL(url).port),
    received: () => bodies,
    refuse(how) {
      refused = how === 'for now' ? 503 : 410;
    },
    close,
  };
}

for (const httpClient of ['node', 'got'] as const) {
  describeSender({
    name: `webhooks by ${httpClient}`,
    codes: /^webhook_/,
    credential: PASSWORD,
    startPeer,
    createSender: (options) => createWebhookSender({ ...options, httpClient }),
    delivery(port, body, { credential, ...details }) {
      return webhookDelivery(
        { url: `http://127.0.0.1:${port}/`, auth: { type: 'basic', username: 'shop' } },
        { content: { body }, credentials: { 'auth/password': credential }, ...details },
      );
    },
  });
}
