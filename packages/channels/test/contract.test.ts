import { createServer } from 'node:net';
import { createAddressPolicy } from '@postrider/domain';
import { type MailServer, type Receiver, startMailServer, startReceiver, status } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import type { SendResult } from '../src/sender.ts';
import { createWebhookSender } from '../src/webhook/sender.ts';
import { createEmailChannel, emailDelivery, loopbackAllowed, webhookDelivery } from './support/delivery.ts';
import { startBreakingServer } from './support/raw-smtp.ts';

let receiver: Receiver;
let mail: MailServer;
beforeAll(async () => {
  [receiver, mail] = await Promise.all([startReceiver(), startMailServer()]);
});
afterAll(async () => {
  await receiver.close();
  await mail.close();
});

/** A port that nobody listens on. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Circumstances {
  readonly allow?: readonly string[];
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Hears that all of the request has come to where it meets silence. */
  readonly onReceived?: () => void;
}

/** The same situations for both senders. */
interface Sender {
  readonly kind: string;
  deliver(circumstances?: Circumstances): Promise<SendResult>;
  meetNobody(): Promise<SendResult>;
  meetSilence(circumstances: Circumstances): Promise<SendResult>;
}

const policy = ({ allow }: Circumstances = {}) => (allow ? createAddressPolicy(allow) : loopbackAllowed);
const details = ({ timeoutMs, signal }: Circumstances = {}) => ({
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
  ...(signal ? { signal } : {}),
});

const webhookSender: Sender = {
  kind: 'webhook',
  async deliver(circumstances) {
    const channel = createWebhookSender({ isAddressAllowed: policy(circumstances) });
    const url = receiver.endpoint('/contract', status(200));
    return channel.send(webhookDelivery({ url }, details(circumstances))).finally(channel.close);
  },
  async meetNobody() {
    const channel = createWebhookSender({ isAddressAllowed: loopbackAllowed });
    const url = `http://127.0.0.1:${await closedPort()}/`;
    return channel.send(webhookDelivery({ url })).finally(channel.close);
  },
  async meetSilence(circumstances) {
    const channel = createWebhookSender({ isAddressAllowed: loopbackAllowed });
    const url = receiver.endpoint('/contract-hang', () => circumstances.onReceived?.());
    return channel.send(webhookDelivery({ url }, details(circumstances))).finally(channel.close);
  },
};

const emailSender: Sender = {
  kind: 'email',
  async deliver(circumstances) {
    const channel = createEmailChannel({ isAddressAllowed: policy(circumstances) });
    return channel.send(emailDelivery({ port: mail.port }, details(circumstances))).finally(channel.close);
  },
  async meetNobody() {
    const channel = createEmailChannel({ isAddressAllowed: loopbackAllowed });
    return channel.send(emailDelivery({ port: await closedPort() })).finally(channel.close);
  },
  async meetSilence(circumstances) {
    const { onReceived } = circumstances;
    const server = await startBreakingServer('final-dot', {
      how: 'hang',
      ...(onReceived ? { onLeave: onReceived } : {}),
    });
    const channel = createEmailChannel({ isAddressAllowed: loopbackAllowed });
    const result = await channel.send(emailDelivery({ port: server.port }, details(circumstances)));
    channel.close();
    await server.close();
    return result;
  },
};

describe.each([webhookSender, emailSender])('a channel of kind $kind', (sender) => {
  it('delivers, and reports the response', async () => {
    expect(await sender.deliver()).toMatchObject({
      outcome: 'delivered',
      response: { statusCode: expect.any(Number) },
    });
  });

  it('fails with certainty, and is retryable, if nothing listens', async () => {
    expect(await sender.meetNobody()).toMatchObject({
      outcome: 'failed',
      code: expect.stringMatching(/_connection_failed$/),
      retryable: true,
      response: null,
    });
  });

  it('connects to no address that the policy refuses, and is not retryable', async () => {
    expect(await sender.deliver({ allow: [] })).toMatchObject({ outcome: 'failed', retryable: false });
  });

  it('has an unknown outcome if the response does not arrive in time', async () => {
    expect(await sender.meetSilence({ timeoutMs: 2_000 })).toMatchObject({
      outcome: 'unknown',
      retryable: true,
    });
  });

  it('ends at once with an unknown outcome when it is aborted', async () => {
    const abort = new AbortController();
    const result = await sender.meetSilence({
      timeoutMs: 300_000,
      signal: abort.signal,
      onReceived: () => abort.abort(),
    });
    expect(result).toMatchObject({ outcome: 'unknown', retryable: true });
  });
});
