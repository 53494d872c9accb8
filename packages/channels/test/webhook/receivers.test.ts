import { createHmac } from 'node:crypto';
import { verify as verifyGithub } from '@octokit/webhooks-methods';
import { createWebhookSecret, type JsonObject, type TemplateContext } from '@postrider/domain';
import { status } from '@postrider/rig';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { type CloudEvent, HTTP } from 'cloudevents';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { openSharedRenderer } from '../../../rendering/test/shared-renderer.ts';
import { WEBHOOK_SETTINGS, type WebhookConfig } from '../../src/webhook/config.ts';
import { webhookKind } from '../../src/webhook/index.ts';
import { GIVEN_SECRET } from '../../src/webhook/request.ts';
import { RUN_ID, webhookDelivery } from '../support/delivery.ts';
import { describeWithEachClient } from '../support/webhook-clients.ts';

const MESSAGE_ID = 'msg_01jd4q9v8wfq3vj1m0f4e9x7cz';
const CONTEXT: TemplateContext = {
  event_key: 'order.shipped',
  recipient: { email: 'ada@example.com' },
  payload: { order_id: 'A-1042', note: '<!channel> ```' },
  message_id: MESSAGE_ID,
  delivery_run_id: RUN_ID,
  timestamp: '2026-11-21T09:30:00.000Z',
  unsubscribe_url: null,
  sequence: null,
};

let renderer: ReturnType<typeof openSharedRenderer>;
beforeAll(() => {
  renderer = openSharedRenderer();
});
afterAll(() => renderer.close());

/** Renders the body of a channel with this config. */
async function render(config: JsonObject, context = CONTEXT) {
  const run = {
    channel: { name: 'hook', config },
    message: { test: false, operational: null },
    template: null,
    context,
    readFile: async () => null,
  };
  return webhookKind.template.render(renderer, run, { owner: 'tenant', part: 'channel' });
}

async function bodyOf(config: JsonObject): Promise<string> {
  const rendered = await render(config);
  if (!rendered.ok) throw new Error(rendered.message);
  return (rendered.content as { body: string }).body;
}

describeWithEachClient(({ receiver, channel }) => {
  /** Sends what a channel with this config sends, and returns the request. */
  async function send(path: string, config: JsonObject, details: Parameters<typeof webhookDelivery>[1] = {}) {
    const url = receiver().endpoint(path, status(200));
    const body = await bodyOf(config);
    const message = { id: MESSAGE_ID, eventKey: CONTEXT.event_key, payload: CONTEXT.payload };
    const outcome = await channel().send(
      webhookDelivery(
        { url, ...config },
        {
          content: { body },
          message: { ...message, createdAt: new Date(CONTEXT.timestamp) },
          ...details,
        },
      ),
    );
    expect(outcome.status).toBe('succeeded');
    const request = receiver().received(path).at(-1);
    if (!request) throw new Error('there was no request');
    return request;
  }

  describe('receivers verify with their own library', () => {
    it('what the signature of GitHub signs', async () => {
      const secrets = [createWebhookSecret(), createWebhookSecret()];
      const { headers, body } = await send('/github', { signature: { type: 'github' } }, { secrets });
      const signature = String(headers['x-hub-signature-256']);
      expect(await verifyGithub(secrets[0] ?? '', body, signature)).toBe(true);
      expect(await verifyGithub(secrets[1] ?? '', body, signature)).toBe(false);
      expect(headers['webhook-signature']).toBeUndefined();
      expect(headers['webhook-id']).toBe(RUN_ID);
    });

    it('what the signature of Stripe signs, with each secret of a rotation', async () => {
      const secrets = [createWebhookSecret(), createWebhookSecret()];
      const { headers, body } = await send('/stripe', { signature: { type: 'stripe' } }, { secrets });
      for (const secret of secrets)
        expect(Stripe.webhooks.constructEvent(body, headers['stripe-signature'] ?? '', secret)).toMatchObject(
          {
            type: 'order.shipped',
          },
        );
      expect(() =>
        Stripe.webhooks.constructEvent(body, headers['stripe-signature'] ?? '', createWebhookSecret()),
      ).toThrow(/signature/);
    });

    it('what Standard Webhooks signs, also with a secret that the receiver had, below other names', async () => {
      const given = createWebhookSecret();
      const config = { signature: { type: 'standard', header_prefix: 'Svix-' } };
      const { headers, body } = await send('/svix', config, { credentials: { [GIVEN_SECRET]: given } });
      const named = Object.fromEntries(
        ['id', 'timestamp', 'signature'].map((name) => [`webhook-${name}`, String(headers[`svix-${name}`])]),
      );
      expect(new Webhook(given).verify(body, named)).toMatchObject({ type: 'order.shipped' });
      expect(Object.keys(headers).filter((name) => name.startsWith('webhook-'))).toEqual([]);
    });

    it('an HMAC of their own form, and what it signs is not replaced twice', async () => {
      const signature = {
        ...{ type: 'custom', header: 'X-Convoy-Signature', algorithm: 'sha512', encoding: 'base64' },
        ...{ signed_text: '{timestamp},{body}', value: 't={timestamp},v1={signature}' },
        ...{ timestamp_header: 'X-Time', id_header: 'X-Id' },
      };
      const template = { text: '{{ "{" }}id}' };
      const config = { body: 'template', template, signature };
      const { headers, body } = await send('/custom', config, { credentials: { [GIVEN_SECRET]: 'key' } });
      expect(body).toBe('{"text":"{id}"}');
      const time = headers['x-time'];
      const hmac = createHmac('sha512', 'key').update(`${time},${body}`).digest('base64');
      expect(headers['x-convoy-signature']).toBe(`t=${time},v1=${hmac}`);
      expect(headers['x-id']).toBe(RUN_ID);
    });

    it('nothing, if that is chosen', async () => {
      const { headers } = await send('/none', { signature: { type: 'none' } });
      expect(Object.keys(headers).filter((name) => /signature/.test(name))).toEqual([]);
    });
  });

  describe('the SDK of CloudEvents reads', () => {
    it.each(['cloudevents-structured', 'cloudevents-binary'] as const)('%s', async (body) => {
      const request = await send(`/${body}`, { body, cloudevents_source: 'https://shop.example.com/orders' });
      const event = HTTP.toEvent({ headers: request.headers, body: request.body }) as CloudEvent<JsonObject>;
      expect(event.validate()).toBe(true);
      expect(event).toMatchObject({
        ...{ specversion: '1.0', id: RUN_ID, type: 'order.shipped', data: CONTEXT.payload },
        ...{ source: 'https://shop.example.com/orders', time: CONTEXT.timestamp, messageid: MESSAGE_ID },
      });
      const secret = createWebhookSecret();
      const signed = await send(`/${body}`, { body }, { secrets: [secret] });
      expect(new Webhook(secret).verify(signed.body, signed.headers as Record<string, string>)).toBeTruthy();
    });
  });

  it('stores the signature of Standard Webhooks, and hides one by a chosen secret or of another type, whatever its name is', async () => {
    const stored: unknown[] = [];
    const reportExchange = (facts: { requestHeaders?: unknown }) =>
      facts.requestHeaders && stored.push(facts.requestHeaders);
    await send('/masked', { signature: { type: 'custom', header: 'X-Mac' } }, { reportExchange });
    expect(JSON.stringify(stored.pop())).toContain('["x-mac","(masked)"]');
    const credentials = { 'signature/secret': createWebhookSecret() };
    await send('/chosen', { signature: { type: 'standard' } }, { reportExchange, credentials });
    expect(JSON.stringify(stored.pop())).toContain('["webhook-signature","(masked)"]');
    const { headers } = await send('/shown', {}, { reportExchange, secrets: [createWebhookSecret()] });
    expect(stored.pop()).toContainEqual(['webhook-signature', headers['webhook-signature']]);
  });
});

describe('bodies of webhooks', () => {
  it('are the default one, byte for byte, unless another is chosen', async () => {
    const { payload, recipient } = CONTEXT;
    const data = { message_id: MESSAGE_ID, delivery_run_id: RUN_ID, recipient, payload };
    const expected = JSON.stringify({ type: 'order.shipped', timestamp: CONTEXT.timestamp, data });
    expect(await bodyOf({})).toBe(expected);
    expect(
      WEBHOOK_SETTINGS.config.toStored({
        url: 'https://example.com',
        body: 'standard',
        template: null,
        signature: null,
      }),
    ).toEqual({ url: 'https://example.com' });
  });

  it('have ids only in the thin form', async () => {
    expect(JSON.parse(await bodyOf({ body: 'thin' }))).toEqual({
      ...{ type: 'order.shipped', timestamp: CONTEXT.timestamp },
      data: { message_id: MESSAGE_ID, delivery_run_id: RUN_ID },
    });
  });

  it('mention nobody in a chat', async () => {
    const slack = JSON.parse(await bodyOf({ body: 'slack' }));
    expect(slack.text).toContain('&lt;!channel&gt;');
    expect(slack.text.match(/```/g)).toHaveLength(2);
    const discord = JSON.parse(await bodyOf({ body: 'discord' }));
    expect(discord).toMatchObject({ allowed_mentions: { parse: [] } });
    expect(discord.content.match(/```/g)).toHaveLength(2);
  });

  it('stay below the limits of the services', async () => {
    const payload = { note: '😀'.repeat(20_000) };
    for (const [body, max] of [
      ['slack', 4_000],
      ['discord', 2_000],
      ['teams', 28_000],
    ] as const) {
      const rendered = await render({ body }, { ...CONTEXT, payload });
      const text = rendered.ok ? (rendered.content as { body: string }).body : '';
      expect(text.length).toBeGreaterThan(1_000);
      expect(text.length).toBeLessThan(max + 600);
      expect(JSON.stringify(JSON.parse(text))).not.toMatch(/\\ud[89a-f]/);
    }
  });

  it('are for PagerDuty and Teams what these take', async () => {
    expect(JSON.parse(await bodyOf({ body: 'pagerduty' }))).toEqual({
      ...{ event_action: 'trigger', dedup_key: MESSAGE_ID },
      payload: {
        ...{ summary: expect.stringMatching(/^order\.shipped /), source: 'postrider', severity: 'error' },
        ...{ timestamp: CONTEXT.timestamp, custom_details: CONTEXT.payload },
      },
    });
    expect(JSON.parse(await bodyOf({ body: 'teams' }))).toMatchObject({
      attachments: [{ content: { type: 'AdaptiveCard' } }],
    });
  });

  it('can be a template of the channel, inside a CloudEvent as its data', async () => {
    const template = { order: '{{ payload.order_id }}' };
    expect(JSON.parse(await bodyOf({ body: 'slack', template }))).toEqual({ order: 'A-1042' });
    const event = JSON.parse(await bodyOf({ body: 'cloudevents-structured', template }));
    expect(event).toMatchObject({ type: 'order.shipped', data: { order: 'A-1042' } });
    const whole = { body: 'template', template: { $value: 'payload' } };
    expect(JSON.parse(await bodyOf(whole))).toEqual(CONTEXT.payload);
    expect(await render({ body: 'template' })).toMatchObject({ ok: false, reason: 'template' });
  });
});

describe('the rules of signatures', () => {
  const issuesOf = (config: Partial<WebhookConfig>) =>
    WEBHOOK_SETTINGS.config.rules.flatMap(({ issuesOf: of }) =>
      of({ url: 'https://example.com/in', ...config }),
    );
  const custom = (fields: JsonObject) =>
    issuesOf({ signature: { type: 'custom', header: 'X-Sig', ...fields } as WebhookConfig['signature'] });

  it.each([
    [{ header: 'Host' }, '/signature/header'],
    [{ header: 'Content-Length' }, '/signature/header'],
    [{ header: 'content-type' }, '/signature/header'],
    [{ header: 'Authorization' }, '/signature/header'],
    [{ header: 'cookie' }, '/signature/header'],
    [{ header: 'Transfer-Encoding' }, '/signature/header'],
    [{ header: 'webhook-id' }, '/signature/header'],
    [{ header: 'x-forwarded-for' }, '/signature/header'],
    [{ header: 'a: b\r\nc' }, '/signature/header'],
    [{ header: '__proto__' }, '/signature/header'],
    [{ timestamp_header: 'x-sig' }, '/signature/timestamp_header'],
    [{ id_header: 'Proxy-Authorization' }, '/signature/id_header'],
    [{ signed_text: '{timestamp}' }, '/signature/signed_text'],
    [{ signed_text: '{body}{body}' }, '/signature/signed_text'],
    [{ value: 'x' }, '/signature/value'],
    [{ header_prefix: 'svix-' }, '/signature/header_prefix'],
  ])('refuse %j', (fields, path) => {
    expect(custom(fields).map((issue) => issue.path)).toContain(path);
  });

  it.each(['proxy-', 'postrider-', 'content-'])('refuse the prefix %s', (header_prefix) => {
    const issues = issuesOf({ signature: { type: 'standard', header_prefix } });
    expect(issues.map(({ path }) => path)).toEqual(['/signature/header_prefix']);
  });

  it('refuse a header that the channel sends already', () => {
    const issues = issuesOf({ headers: { 'x-SIG': '1' }, signature: { type: 'custom', header: 'X-Sig' } });
    expect(issues).toMatchObject([{ path: '/signature/header', code: 'duplicate' }]);
  });

  it('take what is allowed', () => {
    expect(custom({ signed_text: 'v0:{timestamp}:{body}', value: 'v0={signature}' })).toEqual([]);
    expect(issuesOf({ signature: { type: 'standard', header_prefix: 'webhook-' } })).toEqual([]);
    expect(issuesOf({ signature: { type: 'github', header: 'X-Mine' } })).toEqual([]);
  });
});
