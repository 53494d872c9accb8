import { createWebhookSecret, signWebhook } from '@postrider/domain';
import { type ReceivedRequest, startWebhookReceiver, type WebhookReceiver } from '@postrider/local-stack';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';

const secret = createWebhookSecret();
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startWebhookReceiver({ secret });
});
afterAll(() => receiver.close());

async function send(body: string, headers: Record<string, string>): Promise<number> {
  const response = await fetch(receiver.hookUrl, { method: 'POST', body, headers });
  await response.arrayBuffer();
  return response.status;
}

async function newest(): Promise<ReceivedRequest | undefined> {
  const response = await fetch(new URL('/requests', receiver.hookUrl));
  const { data } = (await response.json()) as { data: ReceivedRequest[] };
  return data[0];
}

function sign(body: string, secrets = [secret], timestamp = Math.floor(Date.now() / 1000)) {
  return signWebhook({ secrets, id: 'run_1', timestamp, body });
}

describe('the webhook receiver', () => {
  it('shows that a signature with its secret is valid', async () => {
    expect(await send('{"a":1}', sign('{"a":1}'))).toBe(200);
    expect(await newest()).toMatchObject({ body: '{"a":1}', signature: { holds: true } });
  });

  it.each([
    ['with another secret', '{}', () => sign('{}', [createWebhookSecret()])],
    ['for another body', '{"a":2}', () => sign('{"a":1}')],
    ['an hour ago', '{}', () => sign('{}', [secret], Math.floor(Date.now() / 1000) - 3_600)],
    ['not at all', '{}', () => ({})],
  ])('shows that a signature is invalid %s', async (_how, body, headers) => {
    expect(await send(body, headers())).toBe(200);
    expect(await newest()).toMatchObject({ signature: { holds: false, reason: expect.any(String) } });
  });

  it('shows the newest first, with headers and body, all as text', async () => {
    const evil = '<script>alert("1")</script>';
    await send('{"order":"first"}', sign('{"order":"first"}'));
    await send(evil, { 'x-evil': evil });
    const page = await (await fetch(new URL('/', receiver.hookUrl))).text();
    expect(page).not.toContain('<script');
    expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
    expect(page).toContain('x-evil');
    expect(page.indexOf('alert')).toBeLessThan(page.indexOf('&quot;first&quot;'));
  });

  it('refuses bodies that are larger than those of the service', async () => {
    expect(await send('x'.repeat(1_048_577), {})).toBe(413);
    expect((await newest())?.body.length).toBeLessThan(1_000);
  });
});
