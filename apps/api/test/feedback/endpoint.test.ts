import { request } from 'node:http';
import { createFixture } from '@postrider/db/testing';
import { FEEDBACK_TOKENS, formatId, parseId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { deliveryReport } from '../../../../packages/channels/test/email/dsn/reports.ts';
import {
  CERTIFICATE_URL,
  signSns,
  TOPIC,
} from '../../../../packages/channels/test/email/providers/support/sns.ts';
import { ADMIN_TOKEN } from '../support/api.ts';
import { useApi } from '../support/database.ts';
import { eventOf, KINDS, makeToken, post, type Reporting, reporting, TWO_SENDERS } from './support.ts';

const world = useApi({ kinds: KINDS });

/** The addresses that the environment suppresses, each with why. */
async function suppressedIn({ environmentId }: Reporting): Promise<[string, string][]> {
  const path = `/admin/v1/environments/${formatId('env', environmentId)}/suppressions`;
  const { body } = await world.api().admin('get', path).expect(200);
  return body.data.map(({ email, source }: { email: string; source: string }) => [email, source]);
}

const feedbackOf = async ({ token, messageId }: Reporting) => {
  const { body } = await world.api().get(`/api/v1/messages/${messageId}/deliveries`, token).expect(200);
  return body.delivery_runs[0].feedback;
};

describe('POST /feedback/v1/{token}/{provider}', () => {
  it('records a signed report, shows it with the run, and suppresses the address', async () => {
    const made = await reporting(world);
    const { body } = await post(world.api(), {
      token: made.feedbackToken,
      body: [eventOf(made.runId), eventOf(made.runId, { type: 'delivered', permanent: false })],
    }).expect(200);
    expect(body).toEqual({ recorded: 2, duplicates: 0, ignored: 0 });
    const feedback = {
      type: 'bounced',
      permanent: true,
      at: '2026-11-22T10:00:00.000Z',
      reason: '550 no such user',
    };
    expect(await feedbackOf(made)).toEqual(feedback);
    const environment = formatId('env', made.environmentId);
    for (const message of [
      await world.api().get(`/api/v1/messages/${made.messageId}`, made.token).expect(200),
      await world.api().admin('get', `/admin/v1/environments/${environment}/messages/${made.messageId}`),
    ]) {
      expect(message.body).toMatchObject({ status: 'pending', delivery_runs: [{ feedback }] });
    }
    expect(await suppressedIn(made)).toEqual([['ada@example.com', 'hard_bounce']]);
  });

  it("accepts a request that is signed with the key of one of the channel's senders", async () => {
    const made = await reporting(world, { channel: TWO_SENDERS });
    const posting = { token: made.feedbackToken, body: [eventOf(made.runId)] };
    await post(world.api(), { ...posting, key: 'the key' }).expect(401);
    const { body } = await post(world.api(), { ...posting, key: 'key two' }).expect(200);
    expect(body.recorded).toBe(1);
  });

  it('is idempotent for repeated requests', async () => {
    const made = await reporting(world);
    const posting = { token: made.feedbackToken, body: [eventOf(made.runId)] };
    await post(world.api(), posting).expect(200);
    const { body } = await post(world.api(), posting).expect(200);
    expect(body).toEqual({ recorded: 0, duplicates: 1, ignored: 0 });
  });

  it('refuses a wrong signature and an invalid body, and records nothing', async () => {
    const made = await reporting(world);
    const wrong = { token: made.feedbackToken, body: [eventOf(made.runId)], key: 'another key' };
    const refused = await post(world.api(), wrong).expect(401);
    expect(refused.body.error).toMatchObject({ code: 'unauthorized', message: 'The signature is wrong.' });
    const broken = await post(world.api(), { token: made.feedbackToken, body: {} }).expect(400);
    expect(broken.body.error).toMatchObject({
      code: 'malformed_request',
      message: 'The body is not a list.',
    });
    const unreadable = await post(world.api(), { token: made.feedbackToken, body: '{' }).expect(503);
    expect(unreadable.body.error).toMatchObject({
      code: 'service_unavailable',
      message: 'The body could not be read.',
    });
    expect(world.api().log).toContainEqual(
      expect.objectContaining({ message: 'a reader of feedback threw', provider: 'signing' }),
    );
    expect(await feedbackOf(made)).toBeNull();
    expect(await suppressedIn(made)).toEqual([]);
    const { text } = await world.api().deps.metrics.read();
    expect(text).toMatch(
      /postrider_feedback_rejected_total\{provider="signing",reason="signature"[^}]*\} [1-9]/,
    );
    expect(text).toMatch(/postrider_feedback_events_total\{provider="signing",type="bounced"[^}]*\} [1-9]/);
  });

  it.each([
    ['another tenant', async () => reporting(world)],
    [
      'another environment of the tenant',
      async (of: Reporting) => reporting(world, { tenantId: of.tenantId }),
    ],
  ])('ignores a run with the token of %s, without revealing anything', async (_whose, makeOther) => {
    const made = await reporting(world);
    const other = await makeOther(made);
    const foreign = await post(world.api(), { token: other.feedbackToken, body: [eventOf(made.runId)] });
    const unknown = eventOf('run_01h455vb4pex5vsknk084sn02q');
    const missing = await post(world.api(), { token: other.feedbackToken, body: [unknown] });
    expect([foreign.status, foreign.text]).toEqual([200, '{"recorded":0,"duplicates":0,"ignored":1}']);
    expect([missing.status, missing.text]).toEqual([foreign.status, foreign.text]);
    expect(await feedbackOf(made)).toBeNull();
    expect([await suppressedIn(made), await suppressedIn(other)]).toEqual([[], []]);
  });

  it('responds to every unknown token like to an unknown path', async () => {
    const made = await reporting(world);
    const nowhere = await supertest(world.api().url).post('/nowhere').expect(404);
    const other = await world.more({ kinds: KINDS });
    for (const token of ['x', FEEDBACK_TOKENS.create(), made.token, `${made.feedbackToken}x`]) {
      const { body } = await post(other, { token, body: [eventOf(made.runId)] }).expect(404);
      expect(body.error).toEqual({ ...nowhere.body.error });
    }
    const unused = await post(other, { token: made.feedbackToken, body: [], source: 'sendgrid2' }).expect(
      404,
    );
    expect(unused.body.error.code).toBe('route_not_found');
  });

  it('limits a client with unknown tokens, but not its requests with a valid one', async () => {
    const made = await reporting(world);
    const { secretBox } = world.api().deps;
    const api = await world.more({ kinds: KINDS, secretBox, monotonicMs: () => 0 });
    const statuses: number[] = [];
    for (let index = 0; index < 25; index += 1) {
      statuses.push((await post(api, { token: FEEDBACK_TOKENS.create(), body: [] })).status);
    }
    expect([statuses.at(0), statuses.at(-1)]).toEqual([404, 429]);
    await post(api, { token: made.feedbackToken, body: [eventOf(made.runId)] }).expect(200);
  });

  it('refuses other methods, compressed bodies and large bodies', async () => {
    const { feedbackToken } = await reporting(world);
    const path = `/feedback/v1/${feedbackToken}/signing`;
    const at = supertest(world.api().url);
    for (const refused of [await at.get(path), await at.head(path), await at.put(path)]) {
      expect([refused.status, refused.headers.allow]).toEqual([405, 'POST, OPTIONS']);
    }
    await at.post(path).set('Content-Encoding', 'gzip').send('x').expect(415);
    const large = Buffer.alloc(1024 * 1024 + 1, ' ');
    await post(world.api(), { token: feedbackToken, body: large }).expect(413);
    await post(world.api(), { token: feedbackToken, source: 'dsn', body: large.subarray(0, 300_000) }).expect(
      413,
    );
  });

  it('keeps the token out of log lines and metrics', async () => {
    const made = await reporting(world);
    await post(world.api(), { token: made.feedbackToken, body: [eventOf(made.runId)] }).expect(200);
    const { text } = await world.api().deps.metrics.read();
    expect(text).toContain('route="/feedback/v1/:channelToken/:source"');
    expect(text + JSON.stringify(world.api().log)).not.toContain(made.feedbackToken);
    expect(world.api().log).toContainEqual(
      expect.objectContaining({ message: 'request', tenant_id: formatId('ten', made.tenantId) }),
    );
  });

  it('is not readable by pages of other origins', async () => {
    const { feedbackToken } = await reporting(world);
    const { headers } = await post(world.api(), { token: feedbackToken, body: [] }).set(
      'Origin',
      'https://x.example',
    );
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['cache-control']).toBe('no-store');
  });

  it('releases a request whose client disconnects during its body', async () => {
    const made = await reporting(world);
    const { port } = new URL(world.api().url);
    await new Promise<void>((resolve) => {
      const path = `/feedback/v1/${made.feedbackToken}/signing`;
      const client = request({ port, path, method: 'POST', headers: { 'content-length': 100_000 } });
      client.on('error', () => undefined).on('close', resolve);
      client.write('[', () => client.destroy());
    });
    await post(world.api(), { token: made.feedbackToken, body: [eventOf(made.runId)] }).expect(200);
  });
});

describe('POST /feedback/v1/{token}/ses', () => {
  const MAIL = {
    kind: 'email',
    name: 'Mail',
    config: {
      ses: { region: 'us-west-2', access_key_id: 'AKIAIOSFODNN7EXAMPLE', topic_arn: TOPIC },
      from: { email: 'shop@example.com' },
    },
    credentials: { 'senders/ses/secret_access_key': 'the secret' },
  } as const;
  /** What looks genuine until its certificate is there, each with another one. */
  const forged = () =>
    signSns({
      ...{ Type: 'Notification', MessageId: 'm', TopicArn: TOPIC, Message: '{}', SignatureVersion: '2' },
      Timestamp: new Date().toISOString(),
      SigningCertURL: CERTIFICATE_URL.replace(/-[^-]+\.pem$/, `-${FEEDBACK_TOKENS.create().slice(3)}.pem`),
    });

  it('limits certificate fetches per channel without affecting others', async () => {
    const fetched: string[] = [];
    const { secretBox } = world.api().deps;
    const api = await world.more({
      secretBox,
      monotonicMs: () => 0,
      fetchDocument: async ({ href }) => {
        fetched.push(href);
        return null;
      },
    });
    const tokenOfChannel = async () => {
      const { channels } = await createFixture(world.db(), { channels: [MAIL] }, secretBox);
      return makeToken(api, formatId('chn', channels[0]?.id ?? ''));
    };
    const send = (token: string) => post(api, { token, source: 'ses', body: forged() }).expect(503);
    const token = await tokenOfChannel();
    for (let sent = 0; sent < 10; sent += 1) await send(token);
    expect(fetched).toHaveLength(5);
    await send(await tokenOfChannel());
    expect(fetched).toHaveLength(6);
  });
});

describe('POST /feedback/v1/{token}/dsn', () => {
  it('records a delivery report as a mail server pipes it, and suppresses only the recipient of the run', async () => {
    const made = await reporting(world);
    const messageId = `<${made.runId}@shop.example.com>`;
    const { feedbackToken: token } = made;
    const send = (body: Buffer) => post(world.api(), { token, body, source: 'dsn' }).expect(200);
    expect((await send(deliveryReport({ messageId, recipient: 'victim@example.com' }))).body.recorded).toBe(
      1,
    );
    expect(await suppressedIn(made)).toEqual([]);
    expect((await send(deliveryReport({ messageId }))).body).toEqual({
      recorded: 1,
      duplicates: 0,
      ignored: 0,
    });
    expect((await send(deliveryReport({ messageId }))).body).toEqual({
      recorded: 0,
      duplicates: 1,
      ignored: 0,
    });
    expect(await suppressedIn(made)).toEqual([['ada@example.com', 'hard_bounce']]);
    expect(await feedbackOf(made)).toMatchObject({ type: 'bounced', permanent: true });
  });

  it('accepts a mail that is not a report, so that the mail server does not return it', async () => {
    const { feedbackToken: token } = await reporting(world);
    const { body } = await post(world.api(), {
      token,
      body: 'Subject: Out of office\r\n\r\nBye',
      source: 'dsn',
    });
    expect(body).toEqual({ recorded: 0, duplicates: 0, ignored: 0 });
  });
});

describe('POST /admin/v1/channels/{channelId}/feedback-token', () => {
  it('creates a token that is shown once, and refuses the previous one', async () => {
    const made = await reporting(world);
    const api = world.api();
    const token = await makeToken(api, made.channelId);
    expect(token).toMatch(/^fb_[0-9A-Za-z]{36}$/);
    await post(api, { token: made.feedbackToken, body: [] }).expect(404);
    await post(api, { token, body: [] }).expect(200);
    // Not by the document, which does not have the provider of the tests.
    const { body } = await supertest(api.url)
      .get(`/admin/v1/channels/${made.channelId}`)
      .set('Authorization', `Bearer ${ADMIN_TOKEN}`);
    expect(body.feedback_token_set).toBe(true);
    const entries = await world.db().auditEntry.findMany({ where: { resourceId: made.channelId } });
    const rotated = 'channel.feedback_token_rotated';
    expect(entries.map(({ action }) => action).sort()).toEqual(['channel.created', rotated, rotated]);
    const row = await world
      .db()
      .channel.findUniqueOrThrow({ where: { id: parseId('chn', made.channelId) ?? '' } });
    expect(JSON.stringify([entries, row, body])).not.toContain(token);
  });

  it('shows the complete address if PUBLIC_URL is configured, otherwise only the path', async () => {
    const { channelId } = await reporting(world);
    const { secretBox } = world.api().deps;
    const without = await world.more({ kinds: KINDS, secretBox, publicUrl: null });
    const path = `/admin/v1/channels/${channelId}/feedback-token`;
    const [here, there] = [await world.api().admin('post', path), await without.admin('post', path)];
    expect(here.body.feedback_url).toBe(`https://mail.test/feedback/v1/${here.body.feedback_token}/`);
    expect(there.body).toMatchObject({
      feedback_url: null,
      feedback_path: expect.stringMatching('/feedback/v1/fb_'),
    });
  });

  it('is refused for a channel without feedback, and the token ends with its channel', async () => {
    const made = await reporting(world);
    const { channels } = await world.environment();
    const webhook = formatId('chn', channels[0]?.id ?? '');
    await world.api().admin('post', `/admin/v1/channels/${webhook}/feedback-token`).expect(409);
    await world.api().admin('delete', `/admin/v1/channels/${made.channelId}`).expect(204);
    await post(world.api(), { token: made.feedbackToken, body: [] }).expect(404);
  });
});
