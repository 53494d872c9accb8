import { createHmac, randomUUID } from 'node:crypto';
import {
  createChannelRegistry,
  createEmailKind,
  EMAIL_PROVIDERS,
  type EmailProvider,
  webhookKind,
} from '@postrider/channels';
import { createFixture, type Fixture } from '@postrider/db/testing';
import { formatId } from '@postrider/domain';
import supertest from 'supertest';
import { anEvent, type TestApi } from '../support/api.ts';
import type { useApi } from '../support/database.ts';

const [someProvider] = EMAIL_PROVIDERS as unknown as [EmailProvider];
/** A provider that signs its requests by HMAC and posts a list of events. */
const signingProvider: EmailProvider = {
  ...someProvider,
  name: 'signing',
  config: { ...someProvider.config, toStored: (settings) => settings, present: (settings) => settings },
  credentials: [{ field: 'key', label: 'key', sentBy: [] }],
  async feedback({ headers, body, credentials }) {
    if (headers['x-signature'] !== signatureOf(credentials.key ?? '', body)) {
      return { ok: false, status: 401, message: 'The signature is wrong.' };
    }
    const events = JSON.parse(body.toString());
    if (!Array.isArray(events)) return { ok: false, status: 400, message: 'The body is not a list.' };
    return { ok: true, events: events.map((event) => ({ ...event, at: new Date(event.at) })) };
  },
};

export const KINDS = createChannelRegistry([
  webhookKind,
  createEmailKind([...EMAIL_PROVIDERS, signingProvider]),
]);
const SIGNING = {
  kind: 'email',
  name: 'Mail',
  config: { signing: {}, from: { email: 'shop@example.com' } },
  credentials: { 'senders/signing/key': 'the key' },
} as const;

/** A channel that sends in two ways through the provider, with keys of their own. */
export const TWO_SENDERS = {
  ...SIGNING,
  config: {
    senders: ['one', 'two'].map((name) => ({ name, provider: 'signing', signing: {} })),
    from: { email: 'shop@example.com' },
  },
  credentials: { 'senders/one/key': 'key one', 'senders/two/key': 'key two' },
} as const;
const TEMPLATE = {
  eventKey: 'order.shipped',
  channelKind: 'email',
  subject: 'Shipped',
  html: null,
  text: 'Shipped',
  cc: 'copy@example.com',
  activate: true,
} as const;

const signatureOf = (key: string, body: Uint8Array | string) =>
  createHmac('sha256', key).update(body).digest('hex');

/** An environment with one channel of the signing provider, its feedback token, and a message with a run. */
export async function reporting(
  world: ReturnType<typeof useApi>,
  { channel = SIGNING, ...input }: { tenantId?: string; channel?: typeof SIGNING | typeof TWO_SENDERS } = {},
) {
  const api = world.api();
  const fixture: Fixture = await createFixture(
    world.db(),
    { channels: [channel], templates: [TEMPLATE], ...input },
    api.deps.secretBox,
    KINDS,
  );
  const channelId = formatId('chn', fixture.channels[0]?.id ?? '');
  const feedbackToken = await makeToken(api, channelId);
  const { body } = await api.postEvent(fixture.token, anEvent()).expect(201);
  const messageId: string = body.message_id;
  const runId: string = body.delivery_runs[0].id;
  return { ...fixture, channelId, feedbackToken, messageId, runId };
}

export type Reporting = Awaited<ReturnType<typeof reporting>>;

export async function makeToken(api: TestApi, channelId: string): Promise<string> {
  const { body } = await api.admin('post', `/admin/v1/channels/${channelId}/feedback-token`).expect(200);
  return body.feedback_token;
}

/** An event as the provider posts it. */
export function eventOf(runId: string, changes: object = {}) {
  return {
    id: randomUUID(),
    type: 'bounced',
    permanent: true,
    email: 'ada@example.com',
    runId,
    providerMessageId: null,
    at: '2026-11-22T10:00:00.000Z',
    reason: '550 no such user',
    ...changes,
  };
}

interface Posting {
  readonly token: string;
  readonly body: unknown;
  readonly key?: string;
  readonly source?: string;
}

/** Posts to the feedback endpoint, signed with the key of the channel unless another is given. */
export function post(api: TestApi, { token, body, key = 'the key', source = 'signing' }: Posting) {
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return supertest(api.url)
    .post(`/feedback/v1/${token}/${source}`)
    .type('application/octet-stream')
    .set('X-Signature', signatureOf(key, bytes))
    .send(bytes);
}
