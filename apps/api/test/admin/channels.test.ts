import {
  createUuidV7Source,
  credentialBinding,
  DEFAULT_FAILURE_POLICY,
  DEFAULT_RETRY_POLICY,
  formatId,
  parseId,
} from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import {
  channelActions,
  detailsOf,
  HOOK,
  listOf,
  MAIL,
  mailWithLogin,
  PASSWORD,
  pathOf,
} from '../support/channels.ts';
import { useApi } from '../support/database.ts';

const world = useApi();
const newId = createUuidV7Source();
const { anEnvironment, post, patch, get, make, rowOf, auditOf } = channelActions(world);

describe('POST /admin/v1/environments/{id}/channels', () => {
  it('responds with 201, the channel with its defaults, and its secret, which no other response contains', async () => {
    const environment = await anEnvironment();
    const { body } = await post(environment.id, HOOK).expect(201);
    const { secret, ...channel } = body;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(channel).toEqual({
      id: expect.stringMatching(/^chn_/),
      environment_id: environment.id,
      kind: 'webhook',
      name: 'warehouse',
      consumer: null,
      enabled: true,
      disabled_reason: null,
      event_keys: ['*'],
      filter: null,
      ordering: 'none',
      on_exhausted: 'block',
      max_per_second: null,
      max_in_flight: null,
      config: {
        url: 'https://hooks.example.com/in',
        headers: {},
        secret_headers: {},
        auth: null,
        tls: null,
        signatures: ['v1'],
        body: 'standard',
        template: null,
        cloudevents_source: 'postrider',
        signature: null,
        timeout_ms: 15_000,
      },
      retry: DEFAULT_RETRY_POLICY,
      failure_policy: DEFAULT_FAILURE_POLICY,
      operational: false,
      operational_email: null,
      state: {
        code: 'no_traffic',
        since: null,
        reason: null,
        next_probe_at: null,
        blocked_keys: 0,
        last_reply: null,
        success_rate: null,
        hours: Array(24).fill({ start: expect.any(String), succeeded: 0, failed: 0 }),
      },
      health: {
        state: 'ok',
        reason: null,
        failing_since: null,
        last_success_at: null,
        next_probe_at: null,
        waiting: 0,
      },
      password_set: false,
      credentials_set: [],
      previous_secret_expires_at: null,
      feedback_token_set: false,
      public_only: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await get(channel.id).expect(200)).body).toEqual(channel);
    const entries = await auditOf(channel.id);
    const { state: _state, health: _health, ...audited } = channel;
    expect(entries).toMatchObject([{ action: 'channel.created', before: null, after: audited }]);
    expect(formatId('env', entries[0]?.environmentId ?? '')).toBe(environment.id);
    expect(JSON.stringify(entries)).not.toContain(secret);
    expect((await rowOf(channel.id)).sealedSecret).not.toContain(secret);
  });

  it('accepts limits and changes of them within bounds, and records them in the audit log', async () => {
    const environment = await anEnvironment();
    const limits = { max_per_second: 0.5, max_in_flight: 2 };
    const { body } = await post(environment.id, { ...HOOK, ...limits }).expect(201);
    expect(body).toMatchObject(limits);
    const changed = { max_per_second: 20, max_in_flight: null };
    expect((await patch(body.id, changed).expect(200)).body).toMatchObject(changed);
    expect(await auditOf(body.id)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          action: 'channel.updated',
          before: expect.objectContaining(limits),
          after: expect.objectContaining(changed),
        }),
      ]),
    );
    const wrong = await patch(body.id, { max_per_second: 0, max_in_flight: 1.5 }).expect(422);
    expect(wrong.body.error.details).toMatchObject([
      { path: '/max_per_second', code: 'too_small' },
      { path: '/max_in_flight', code: 'invalid_type' },
    ]);
  });

  it('creates an operational channel', async () => {
    const environment = await anEnvironment();
    const settings = { operational: true, operational_email: 'ops@example.com' };
    const { body } = await post(environment.id, { ...HOOK, ...settings }).expect(201);
    expect(body).toMatchObject(settings);
    expect((await get(body.id).expect(200)).body).toMatchObject(settings);
  });

  it('creates an operational channel that writes to contacts of consumers only if asked to', async () => {
    const environment = await anEnvironment();
    const given = { ...mailWithLogin(), operational: true };
    const { body } = await post(environment.id, given).expect(422);
    expect(body.error.details).toMatchObject([{ path: '/operational_email', code: 'required' }]);
    const made = await post(environment.id, { ...given, operational_email: null }).expect(201);
    expect(made.body).toMatchObject({ operational: true, operational_email: null });
  });

  it('stores a retry policy of one attempt without a delay', async () => {
    const retry = { max_attempts: 1, delays_seconds: [] };
    const channel = await make({ ...HOOK, retry });
    expect(channel.retry).toEqual(retry);
    expect((await get(channel.id).expect(200)).body.retry).toEqual(retry);
  });

  it('stores a password encrypted and shows only that there is one', async () => {
    const { secret, ...channel } = await make(mailWithLogin());
    expect(secret).toBeNull();
    expect(channel).toMatchObject({
      password_set: true,
      config: {
        smtp: { host: 'smtp.example.com', port: 587, secure: false, username: 'shop' },
        from: { email: 'shop@example.com', name: null },
        reply_to: null,
        timeout_ms: 60_000,
      },
    });
    const everything = [await get(channel.id), await auditOf(channel.id), await rowOf(channel.id)];
    expect(JSON.stringify(everything)).not.toContain(PASSWORD);
  });

  it('replaces a password with access tokens, and shows only the names of their secrets', async () => {
    const oauth2 = { token_url: 'https://oauth2.googleapis.com/token', client_id: 'shop' };
    const secrets = { client_secret: 'secret-of-7731-smtp', refresh_token: 'refresh-of-7731-smtp' };
    const made = await make(mailWithLogin());
    const smtp = { oauth2: { ...oauth2, ...secrets } };
    const { body } = await patch(made.id, { config: { smtp } }).expect(200);
    expect(body).toMatchObject({
      password_set: false,
      credentials_set: ['senders/smtp/oauth2/client_secret', 'senders/smtp/oauth2/refresh_token'],
      config: { smtp: { username: 'shop', oauth2: { ...oauth2, scope: null } } },
    });
    expect((await patch(made.id, { config: body.config }).expect(200)).body.credentials_set).toEqual(
      body.credentials_set,
    );
    const moved = await patch(made.id, { config: { smtp: { host: 'smtp.other.example' } } }).expect(422);
    expect(detailsOf(moved)).toEqual([
      ['/config/smtp/oauth2/client_secret', 'required'],
      ['/config/smtp/oauth2/refresh_token', 'required'],
    ]);
    const everything = [await get(made.id), await auditOf(made.id), await rowOf(made.id)];
    expect(JSON.stringify(everything)).not.toMatch(/(?:secret|refresh)-of-7731-smtp/);
  });

  it('accepts a list of senders with their own credentials', async () => {
    const senders = [
      {
        provider: 'smtp',
        smtp: { host: 'a.example', port: 587, username: 'u', password: 'first-of-7731-smtp' },
      },
      {
        name: 'backup',
        provider: 'smtp',
        smtp: { host: 'b.example', port: 25, username: 'u', password: 'second-of-7731-smtp' },
        weight: 0,
        from_domains: ['Example.COM'],
      },
    ];
    const { secret: _secret, ...channel } = await make({
      ...MAIL,
      config: { from: MAIL.config.from, senders },
    });
    const shown = { host: 'a.example', port: 587, secure: false, username: 'u' };
    expect(channel).toMatchObject({
      password_set: true,
      credentials_set: ['senders/backup/password', 'senders/smtp/password'],
      config: {
        senders: [
          { name: 'smtp', provider: 'smtp', smtp: shown, weight: 1, from_domains: null },
          {
            ...{ name: 'backup', provider: 'smtp', smtp: { ...shown, host: 'b.example', port: 25 } },
            ...{ weight: 0, from_domains: ['example.com'] },
          },
        ],
        failover: 'safe',
      },
    });
    expect(channel.config).not.toHaveProperty('smtp');
    const { sealedCredentials } = await rowOf(channel.id);
    const open = (boundTo: string) =>
      world
        .api()
        .deps.secretBox.decrypt(
          (sealedCredentials as Record<string, string>)['senders/backup/password'] ?? '',
          boundTo,
        );
    const uuid = parseId('chn', channel.id) ?? '';
    expect(open(credentialBinding(uuid, 'senders/backup/password'))).toEqual({
      ok: true,
      plaintext: 'second-of-7731-smtp',
    });
    expect(open(credentialBinding(uuid, 'senders/other/password'))).toMatchObject({ ok: false });
    const everything = [await get(channel.id), await auditOf(channel.id), await rowOf(channel.id)];
    expect(JSON.stringify(everything)).not.toContain('7731-smtp');
  });

  it('keeps the values of headers out of the audit log, which cannot be changed', async () => {
    const headers = { authorization: 'Bearer of-the-receiver' };
    const channel = await make({ ...HOOK, config: { ...HOOK.config, headers } });
    expect(channel.config).toMatchObject({ headers });
    await patch(channel.id, { config: { headers: { authorization: 'Bearer of-the-receiver-2' } } }).expect(
      200,
    );
    const entries = await auditOf(channel.id);
    expect(entries).toHaveLength(2);
    expect(JSON.stringify(entries)).toContain('authorization');
    expect(JSON.stringify(entries)).not.toContain('of-the-receiver');
  });

  it('accepts the shown form of another channel', async () => {
    const {
      id: _id,
      environment_id,
      disabled_reason,
      consumer,
      password_set,
      credentials_set,
      ...rest
    } = await make(MAIL);
    const {
      previous_secret_expires_at,
      feedback_token_set,
      public_only,
      created_at,
      updated_at,
      secret,
      state,
      health,
      senders,
      ...copy
    } = rest;
    expect(await make(copy)).toMatchObject({ config: copy.config, retry: copy.retry });
  });

  it('refuses a kind that the plan of the tenant does not include', async () => {
    const { id } = await anEnvironment(['email']);
    const refused = await post(id, HOOK).expect(422);
    expect(detailsOf(refused)).toEqual([['/kind', 'invalid_value']]);
    expect(refused.body.error.details[0].message).toContain('limits.channel_kinds of the consumer');
    await post(id, MAIL).expect(201);
  });

  it('responds with 409 beyond the limit of an environment, even under concurrency', async () => {
    const { id, environmentId } = await anEnvironment();
    await world.db().channel.createMany({
      data: Array.from({ length: 98 }, () => ({
        id: newId(),
        environmentId,
        kind: 'webhook',
        name: 'n',
        config: HOOK.config,
        retry: DEFAULT_RETRY_POLICY,
      })),
    });
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(id, HOOK)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe('conflict');
  });

  it.each([formatId('env', newId()), formatId('chn', newId()), 'x'])(
    'answers 404 for an environment that does not exist: %s',
    async (environment) => {
      for (const response of [
        await post(environment, HOOK),
        await world.api().admin('get', listOf(environment)),
      ]) {
        expect([response.status, response.body.error.code]).toEqual([404, 'environment_not_found']);
      }
    },
  );
});

describe('GET /admin/v1/environments/{id}/channels', () => {
  it('pages through the channels of this environment that are not deleted, newest first', async () => {
    const { id } = await anEnvironment();
    await post((await anEnvironment()).id, HOOK).expect(201);
    const made = [];
    for (const name of ['a', 'b', 'c', 'd'])
      made.push((await post(id, { ...HOOK, name }).expect(201)).body.id);
    await world.api().admin('delete', pathOf(made[1])).expect(204);
    const first = await world
      .api()
      .admin('get', `${listOf(id)}?limit=2`)
      .expect(200);
    expect(first.body).toMatchObject({ data: [{ name: 'd' }, { name: 'c' }], has_more: true });
    const rest = await world
      .api()
      .admin('get', `${listOf(id)}?cursor=${first.body.next_cursor}`)
      .expect(200);
    expect(rest.body).toMatchObject({ data: [{ name: 'a' }], has_more: false, next_cursor: null });
    expect(JSON.stringify([first.body, rest.body])).not.toContain('whsec_');
  });
});

describe('an operation on a channel', () => {
  it.each([formatId('chn', newId()), formatId('env', newId()), 'x', '%00', 'CHN_01'])(
    'answers 404 for %s',
    async (id) => {
      const answers = [
        await get(id),
        await patch(id, {}),
        await world.api().admin('delete', pathOf(id)),
        await world.api().admin('post', `${pathOf(id)}/rotate-secret`),
        await world.api().admin('post', `${pathOf(id)}/test`),
      ];
      for (const { status, body } of answers) {
        expect([status, body.error.code]).toEqual([404, 'channel_not_found']);
      }
    },
  );
});
