import { channelKinds } from '@postrider/channels';
import type { FixtureInput } from '@postrider/db/testing';
import { DEFAULT_TOKEN_SCOPES, parseId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { selfServiceResources } from '../src/admin/self-service.ts';
import { OPERATIONS } from '../src/resources.ts';
import { detailsOf, HOOK, MAIL } from './support/channels.ts';
import { openBrowser } from './support/console.ts';
import { EMAIL_TEMPLATE, useApi } from './support/database.ts';
import { createOutsider } from './support/outsider.ts';

const world = useApi();
const { api, db } = world;

const anOutsider = (input?: FixtureInput) => createOutsider(world, input);

const OWN = selfServiceResources(channelKinds).flatMap(({ operations }) => operations);

/** What outsiders may call. A line more is a decision: docs/specification.md, "Self-service". */
const ALLOWED = `
  get attention
  get channels, post channels
  get channels/{channelId}, patch channels/{channelId}, delete channels/{channelId}
  get channels/{channelId}/attempts, get channels/{channelId}/blocked-keys
  post channels/{channelId}/blocked-keys/retry, post channels/{channelId}/blocked-keys/skip
  post channels/{channelId}/feedback-token, post channels/{channelId}/filter/test
  post channels/{channelId}/preview
  post channels/{channelId}/pause, post channels/{channelId}/resume
  post channels/{channelId}/listen, post channels/{channelId}/listen/answer
  post channels/{channelId}/rotate-secret, post channels/{channelId}/test
  get consumers, get consumers/{consumer}, put consumers/{consumer}, delete consumers/{consumer}
  get consumers/{consumer}/channels, post consumers/{consumer}/channels, post consumers/{consumer}/portal-sessions
  get consumers/{consumer}/deliveries, get consumers/{consumer}/deliveries/{deliveryRunId}
  get lookup
  get event-types, get event-types/{eventKey}, put event-types/{eventKey}, delete event-types/{eventKey}
  get layouts, post layouts, get layouts/{layoutId}, post layouts/{layoutId}/activate, post layouts/{layoutId}/deactivate
  get partials, post partials, get partials/{partialId}, post partials/{partialId}/activate, post partials/{partialId}/deactivate
  get paused-streams
  get replays, post replays, get replays/{replayId}, post replays/{replayId}/cancel
  get suppressions, post suppressions, post suppressions/import, delete suppressions/{suppressionId}
  get templates, post templates, post templates/preview-draft
  get templates/{templateId}, post templates/{templateId}/preview
  post templates/{templateId}/activate, post templates/{templateId}/deactivate
  get translations, post translations
  get translations/{translationId}, post translations/{translationId}/activate, post translations/{translationId}/deactivate`;

describe('the operations that a token has of the management API', () => {
  it('are an allowlist', () => {
    const paths = OWN.map(({ method, path }) => `${method} ${path.replace('/api/v1/', '')}`);
    expect(paths.sort()).toEqual(
      ALLOWED.trim()
        .split(/,?\s*\n\s*|, /)
        .sort(),
    );
  });

  it.each(OWN.map((own) => [own.operationId, own] as const))(
    'need the same scope and hold the same memory as those of operators: %s',
    (_name, own) => {
      const ofOperator = OPERATIONS.find(
        ({ operationId }) => operationId === own.operationId.replace('Own', ''),
      );
      const { scope, memory, success, body } = own;
      expect({ scope, memory, success, body }).toEqual({
        scope: ofOperator?.scope,
        memory: ofOperator?.memory,
        success: ofOperator?.success,
        body: ofOperator?.body,
      });
    },
  );

  it('are refused to a token that was issued without scopes, except replays and deliveries', async () => {
    const { call } = await anOutsider({ scopes: [] });
    const own = OWN.filter(({ scope }) => !DEFAULT_TOKEN_SCOPES.includes(scope));
    expect(OWN.length - own.length).toBeLessThan(11);
    for (const { method, path, scope } of own) {
      const { body } = await call(method, path.replace('/api/v1/', '')).expect(403);
      expect(body.error.message).toBe(`This requires the scope ${scope}.`);
    }
  });
});

describe('a change by a token', () => {
  it('is in the audit log under the token, with its reason', async () => {
    const { call, audit, tokenId } = await anOutsider();
    const { body } = await call('post', 'channels', HOOK).set('X-Reason', 'ticket 7').expect(201);
    expect((await audit())[0]).toMatchObject({
      action: 'channel.created',
      resourceId: body.id,
      actor: tokenId,
      actorKind: 'environment_token',
      credential: tokenId,
      address: expect.any(String),
      reason: 'ticket 7',
    });
    await call('post', 'channels', HOOK).set('X-Reason', 'ada@example.com').expect(422);
  });

  it('in the console is in the audit log with its session', async () => {
    const { audit, tokenId, token } = await anOutsider();
    const { request, session } = await openBrowser(api(), token);
    await request('post', '/api/v1/channels').send(HOOK).expect(201);
    expect((await audit())[0]).toMatchObject({
      actor: tokenId,
      actorKind: 'environment_token',
      credential: session.id,
    });
  });

  it('uses the rate limit of its environment', async () => {
    const { call } = await anOutsider({ plan: { requestsPerSecond: 1, burst: 1 } });
    const first = await call('get', 'channels').expect(200);
    expect(first.headers.ratelimit).toBeDefined();
    const next = await call('get', 'templates').expect(429);
    expect(next.headers['retry-after']).toBe('1');
  });

  it('may be as large as that of an operator, whatever events may be', async () => {
    const { call } = await anOutsider({ plan: { maxPayloadBytes: 1_024 } });
    const content = `<p>${'x'.repeat(100_000)}</p>`;
    await call('post', 'partials', { name: 'large', content }).expect(201);
  });

  it('sends nothing for a tenant that does not pay', async () => {
    const { call } = await anOutsider({ billingStatus: 'suspended' });
    const { body } = await call('post', 'channels', HOOK).expect(201);
    await call('post', `channels/${body.id}/test`, {}).expect(402);
    await call('patch', `channels/${body.id}`, { enabled: false }).expect(200);
  });
});

describe('a token', () => {
  it.each([
    [{ ...HOOK, operational: true }, '/operational'],
    [{ ...MAIL, operational: true, operational_email: 'ada@example.com' }, '/operational'],
    [{ ...MAIL, operational_email: 'ada@example.com' }, '/operational_email'],
  ])('cannot take operational events: %j', async (channel, path) => {
    const { call } = await anOutsider();
    const created = await call('post', 'channels', channel).expect(422);
    expect(detailsOf(created)).toContainEqual([path, 'invalid_value']);
    const { operational, operational_email, ...plain } = channel as Record<string, unknown>;
    const { body } = await call('post', 'channels', plain).expect(201);
    await call('patch', `channels/${body.id}`, { operational, operational_email }).expect(422);
  });

  it('neither sees nor changes an operational channel', async () => {
    const { call, admin } = await anOutsider();
    const made = await api()
      .admin('post', `${admin}/channels`, { ...HOOK, operational: true })
      .expect(201);
    const path = `channels/${made.body.id}`;
    await call('get', path).expect(404);
    await call('patch', path, { enabled: false }).expect(404);
    await call('post', `${path}/pause`).expect(404);
    await call('delete', path).expect(404);
    expect((await call('get', 'channels').expect(200)).body.data).toEqual([]);
  });

  it('cannot use the private addresses that EGRESS_ALLOW_CIDRS allows to operators', async () => {
    const { call, admin } = await anOutsider();
    const inside = { ...HOOK, config: { url: 'http://127.0.0.1:9/hook' } };
    const refused = await call('post', 'channels', inside).expect(422);
    expect(detailsOf(refused)).toEqual([['/config/url', 'invalid_value']]);
    const own = await call('post', 'channels', HOOK).expect(201);
    expect(own.body.public_only).toBe(true);
    await call('patch', `channels/${own.body.id}`, { config: inside.config }).expect(422);

    const ofOperator = await api().admin('post', `${admin}/channels`, inside).expect(201);
    expect(ofOperator.body.public_only).toBe(false);
    const renamed = await call('patch', `channels/${ofOperator.body.id}`, { name: 'hook' }).expect(200);
    expect(renamed.body.public_only).toBe(false);
    const credential = { config: { secret_headers: { Authorization: 'Bearer of-a-token' } } };
    const withHeader = {
      ...inside,
      config: { ...inside.config, secret_headers: { Authorization: 'secret' } },
    };
    const guarded = await api().admin('post', `${admin}/channels`, withHeader).expect(201);
    expect(guarded.body.public_only).toBe(false);
    const taken = await call('patch', `channels/${guarded.body.id}`, credential).expect(200);
    expect(taken.body.public_only).toBe(true);
    const headers = { config: { headers: { 'X-Shop': 'us' } } };
    const changed = await call('patch', `channels/${ofOperator.body.id}`, headers).expect(200);
    expect(changed.body.public_only).toBe(true);
    const again = await api()
      .admin('patch', `/admin/v1/channels/${ofOperator.body.id}`, { config: { headers: null } })
      .expect(200);
    // The host of a token's channel can have another address tomorrow.
    expect(again.body.public_only).toBe(true);
    const vouched = await api()
      .admin('patch', `/admin/v1/channels/${ofOperator.body.id}`, { config: inside.config })
      .expect(200);
    expect(vouched.body.public_only).toBe(false);
  });

  it('cannot create a channel of a kind that the plan does not include', async () => {
    const { call } = await anOutsider({ plan: { channelKinds: ['email'] } });
    expect(detailsOf(await call('post', 'channels', HOOK).expect(422))).toEqual([['/kind', 'invalid_value']]);
  });

  it.each([
    ['manual', 204],
    ['hard_bounce', 204],
    ['complaint', 403],
    ['unsubscribe', 403],
  ] as const)('removes a suppression only if no recipient asked for it: %s', async (source, status) => {
    const { call, admin } = await anOutsider();
    const { body } = await call('post', 'suppressions', { email: 'ada@example.com' }).expect(201);
    const id = parseId('sup', body.id) ?? '';
    await db().suppression.update({ where: { id }, data: { source } });
    await call('delete', `suppressions/${body.id}`).expect(status);
    const { body: left } = await api().admin('get', `${admin}/suppressions`).expect(200);
    expect(left.data).toHaveLength(status === 204 ? 0 : 1);
    if (status === 403) await api().admin('delete', `/admin/v1/suppressions/${body.id}`).expect(204);
  });

  it('manages its templates from the first version to the active one', async () => {
    const { call } = await anOutsider({ templates: [EMAIL_TEMPLATE] });
    const { body: first } = await call('get', 'templates?active=true').expect(200);
    const version = {
      event_key: 'order.shipped',
      channel_kind: 'email',
      subject: 'Sent',
      html: '<p>Sent</p>',
    };
    const { body: next } = await call('post', 'templates', version).expect(201);
    const { body: shown } = await call('post', `templates/${next.id}/preview`, {}).expect(200);
    expect(shown.rendered.subject).toBe('Sent');
    await call('post', `templates/${next.id}/activate`).expect(200);
    await call('post', `templates/${first.data[0].id}/activate`).expect(200);
    const { body: active } = await call('get', 'templates?active=true').expect(200);
    expect(active.data).toEqual(first.data);
  });
});
