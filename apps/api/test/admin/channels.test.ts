import { describe, expect, it } from '@jest/globals';
import { createUuidV7Source, DEFAULT_RETRY_POLICY, formatId, parseId } from '@postrider/domain';
import { useApi } from '../support/database.ts';

const world = useApi();
const newId = createUuidV7Source();

const HOOK = { kind: 'webhook', name: 'warehouse', config: { url: 'https://hooks.example.com/in' } };
const MAIL = {
  kind: 'email',
  name: 'mail',
  config: { smtp: { host: 'smtp.example.com', port: 587 }, from: { email: 'shop@example.com' } },
};
const LOGIN = { username: 'shop', password: 'marked-password-7731' };
const withLogin = (smtp: object = {}) => ({
  ...MAIL,
  config: { ...MAIL.config, smtp: { ...MAIL.config.smtp, ...LOGIN, ...smtp } },
});

const anEnvironment = async (kinds?: ('email' | 'webhook')[]) => {
  const fixture = await world.environment({
    channels: [],
    ...(kinds ? { plan: { channelKinds: kinds } } : {}),
  });
  return { ...fixture, id: formatId('env', fixture.environmentId) };
};
const listOf = (environment: string) => `/admin/v1/environments/${environment}/channels`;
const pathOf = (id: string) => `/admin/v1/channels/${id}`;
const post = (environment: string, body: unknown) => world.api().admin('post', listOf(environment), body);
const patch = (id: string, body: unknown) => world.api().admin('patch', pathOf(id), body);
const get = (id: string) => world.api().admin('get', pathOf(id));
const make = async (body: unknown = HOOK) => (await post((await anEnvironment()).id, body).expect(201)).body;
const detailsOf = (response: { body: { error: { details: { path: string; code: string }[] } } }) =>
  response.body.error.details.map(({ path, code }) => [path, code]);
const rowOf = (id: string) =>
  world.db().channel.findUniqueOrThrow({ where: { id: parseId('chn', id) ?? '' } });
const auditOf = (id: string) =>
  world.db().auditEntry.findMany({ where: { resourceId: id }, orderBy: { id: 'asc' } });

describe('POST /admin/v1/environments/{id}/channels', () => {
  it('answers 201 with the channel, its defaults and its secret, which no other answer has', async () => {
    const environment = await anEnvironment();
    const { body } = await post(environment.id, HOOK).expect(201);
    const { secret, ...channel } = body;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(channel).toEqual({
      id: expect.stringMatching(/^chn_/),
      environment_id: environment.id,
      kind: 'webhook',
      name: 'warehouse',
      enabled: true,
      disabled_reason: null,
      event_keys: ['*'],
      config: { url: 'https://hooks.example.com/in', headers: {}, timeout_ms: 15_000 },
      retry: DEFAULT_RETRY_POLICY,
      password_set: false,
      previous_secret_expires_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await get(channel.id).expect(200)).body).toEqual(channel);
    const entries = await auditOf(channel.id);
    expect(entries).toMatchObject([{ action: 'channel.created', before: null, after: channel }]);
    expect(formatId('env', entries[0]?.environmentId ?? '')).toBe(environment.id);
    expect(JSON.stringify(entries)).not.toContain(secret);
    expect((await rowOf(channel.id)).sealedSecret).not.toContain(secret);
  });

  it('keeps a password encrypted and shows only that there is one', async () => {
    const { secret, ...channel } = await make(withLogin());
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
    expect(JSON.stringify(everything)).not.toContain(LOGIN.password);
  });

  it('takes what another channel was read as', async () => {
    const { id: _id, environment_id, disabled_reason, password_set, ...rest } = await make(MAIL);
    const { previous_secret_expires_at, created_at, updated_at, secret, ...copy } = rest;
    expect(await make(copy)).toMatchObject({ config: copy.config, retry: copy.retry });
  });

  it.each([
    [{}, [['/kind', 'required']]],
    [[], [['', 'invalid_type']]],
    [{ kind: 'sms', name: 'a', config: {} }, [['/kind', 'invalid_value']]],
    [{ kind: 7, name: 'a', config: {} }, [['/kind', 'invalid_value']]],
    [
      { kind: 'webhook' },
      [
        ['/name', 'required'],
        ['/config', 'required'],
      ],
    ],
    [
      { ...HOOK, config: MAIL.config },
      [
        ['/config/url', 'required'],
        ['/config/smtp', 'unknown_field'],
        ['/config/from', 'unknown_field'],
      ],
    ],
    [{ ...HOOK, secret: 'whsec_a' }, [['/secret', 'unknown_field']]],
    [{ ...HOOK, name: '' }, [['/name', 'too_short']]],
    [{ ...HOOK, name: 'a\nb' }, [['/name', 'invalid_format']]],
    [{ ...HOOK, event_keys: [] }, [['/event_keys', 'too_few']]],
    [{ ...HOOK, event_keys: ['a.b', 'a.b'] }, [['/event_keys', 'duplicate']]],
    [{ ...HOOK, event_keys: ['a.b', 'order'] }, [['/event_keys/1', 'invalid_format']]],
    [{ ...HOOK, retry: { max_attempts: 3 } }, [['/retry', 'invalid_value']]],
    [
      { ...HOOK, retry: { max_attempts: 0, delays_seconds: [-1] } },
      [
        ['/retry/max_attempts', 'too_small'],
        ['/retry/delays_seconds/0', 'too_small'],
      ],
    ],
    [{ ...HOOK, config: { url: 'ftp://a.example' } }, [['/config/url', 'invalid_format']]],
    [{ ...HOOK, config: { url: `https://a.example/${'x'.repeat(2_100)}` } }, [['/config/url', 'too_long']]],
    [{ ...HOOK, config: { ...HOOK.config, timeout_ms: 500 } }, [['/config/timeout_ms', 'too_small']]],
    [{ ...HOOK, config: { ...HOOK.config, timeout_ms: 1_500.5 } }, [['/config/timeout_ms', 'invalid_type']]],
    [
      { ...HOOK, config: { ...HOOK.config, headers: { Host: 'a', 'x y': 'b' } } },
      [
        ['/config/headers/Host', 'invalid_value'],
        ['/config/headers/x y', 'invalid_format'],
      ],
    ],
    [
      {
        ...HOOK,
        config: {
          ...HOOK.config,
          headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x-${n}`, 'a'])),
        },
      },
      [['/config/headers', 'too_many']],
    ],
    [
      { ...MAIL, config: { ...MAIL.config, from: { email: 'Shop <a@b.example>' } } },
      [['/config/from/email', 'invalid_format']],
    ],
    [
      { ...MAIL, config: { ...MAIL.config, smtp: { host: 'a b', port: 0 } } },
      [['/config/smtp/port', 'too_small']],
    ],
    [withLogin({ password: null }), [['/config/smtp/password', 'required']]],
    [withLogin({ username: null }), [['/config/smtp/username', 'required']]],
  ])('answers 422 that names every fault: %j', async (body, faults) => {
    const { id } = await anEnvironment();
    const response = await post(id, body).expect(422);
    expect(detailsOf(response)).toEqual(faults);
    expect(JSON.stringify(response.body)).not.toContain(LOGIN.password);
  });

  it('refuses a kind that the plan of the tenant does not include', async () => {
    const { id } = await anEnvironment(['email']);
    expect(detailsOf(await post(id, HOOK).expect(422))).toEqual([['/kind', 'invalid_value']]);
    await post(id, MAIL).expect(201);
  });

  it('answers 409 for one more than an environment holds, whoever asks at once', async () => {
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

describe('PATCH /admin/v1/channels/{id}', () => {
  it('changes what it names and nothing else, and writes it down', async () => {
    const { secret, ...before } = await make({
      ...HOOK,
      config: { ...HOOK.config, headers: { 'X-A': '1', 'X-B': '2' } },
    });
    const { body } = await patch(before.id, {
      name: 'other',
      event_keys: ['order.*'],
      config: { headers: { 'X-A': null, 'X-C': '3' } },
    }).expect(200);
    expect(body).toEqual({
      ...before,
      name: 'other',
      event_keys: ['order.*'],
      config: { ...before.config, headers: { 'X-B': '2', 'X-C': '3' } },
      updated_at: expect.any(String),
    });
    expect((await get(before.id)).body).toEqual(body);
    expect(await auditOf(before.id)).toMatchObject([{}, { action: 'channel.updated', before, after: body }]);
    expect((await rowOf(before.id)).revision).toBe(2);
  });

  it('writes nothing where nothing changes', async () => {
    const { secret, ...channel } = await make(withLogin());
    for (const body of [
      {},
      { name: channel.name, config: channel.config },
      { enabled: true, retry: channel.retry },
    ]) {
      expect((await patch(channel.id, body).expect(200)).body).toEqual(channel);
    }
    expect(await auditOf(channel.id)).toHaveLength(1);
    expect((await rowOf(channel.id)).revision).toBe(1);
  });

  it('takes the default retry policy again where it is removed', async () => {
    const channel = await make({ ...HOOK, retry: { max_attempts: 2, delays_seconds: [1] } });
    const exponential = { delays_seconds: null, base_seconds: 1, factor: 2, max_seconds: 9 };
    const changed = await patch(channel.id, { retry: exponential }).expect(200);
    expect(changed.body.retry).toEqual({ max_attempts: 2, base_seconds: 1, factor: 2, max_seconds: 9 });
    expect((await patch(channel.id, { retry: null }).expect(200)).body.retry).toEqual(DEFAULT_RETRY_POLICY);
  });

  it('keeps, replaces and removes a password without ever showing it', async () => {
    const channel = await make(withLogin());
    const sealed = async () => (await rowOf(channel.id)).sealedSecret;
    const first = await sealed();
    await patch(channel.id, { config: { smtp: { username: 'other', port: 465, secure: true } } }).expect(200);
    expect(await sealed()).toBe(first);
    const replaced = await patch(channel.id, {
      config: { smtp: { password: 'marked-password-7732' } },
    }).expect(200);
    expect(replaced.body.password_set).toBe(true);
    expect(await sealed()).not.toBe(first);
    const opened = world.api().deps.secretBox.open((await sealed()) ?? '', parseId('chn', channel.id) ?? '');
    expect(opened).toEqual({ ok: true, plaintext: 'marked-password-7732' });
    const removed = await patch(channel.id, { config: { smtp: { username: null, password: null } } }).expect(
      200,
    );
    expect(removed.body).toMatchObject({ password_set: false, config: { smtp: { username: null } } });
    expect(await sealed()).toBeNull();
    expect(JSON.stringify([replaced.body, removed.body, await auditOf(channel.id)])).not.toContain(
      'marked-password',
    );
  });

  it('wants the password anew when the host changes: a stored one goes to no other server', async () => {
    const channel = await make(withLogin());
    const elsewhere = { config: { smtp: { host: 'smtp.other.example' } } };
    const refused = await patch(channel.id, elsewhere).expect(422);
    expect(detailsOf(refused)).toEqual([['/config/smtp/password', 'required']]);
    expect(refused.body.error.details[0].message).toMatch(/host changes/);
    const given = { config: { smtp: { host: 'smtp.other.example', password: 'new' } } };
    expect((await patch(channel.id, given).expect(200)).body.config.smtp.host).toBe('smtp.other.example');
  });

  it.each([
    [{ kind: 'email' }, [['/kind', 'unknown_field']]],
    [{ id: 'x' }, [['/id', 'unknown_field']]],
    [{ name: null }, [['/name', 'invalid_type']]],
    [{ enabled: null }, [['/enabled', 'invalid_type']]],
    [{ config: null }, [['/config', 'invalid_type']]],
    [{ config: { url: null } }, [['/config/url', 'required']]],
    [{ config: { smtp: { host: 'a.example' } } }, [['/config/smtp', 'unknown_field']]],
    [{ config: { url: 'https://u:p@a.example' } }, [['/config/url', 'invalid_format']]],
    [{ retry: { base_seconds: 1 } }, [['/retry', 'invalid_value']]],
    [{ event_keys: ['order'] }, [['/event_keys/0', 'invalid_format']]],
  ])('judges what the channel would become: %j', async (body, faults) => {
    const channel = await make();
    expect(detailsOf(await patch(channel.id, body).expect(422))).toEqual(faults);
    expect((await rowOf(channel.id)).revision).toBe(1);
  });

  it('never lets two changes at once make what neither was allowed', async () => {
    for (let round = 0; round < 5; round += 1) {
      const channel = await make(withLogin());
      const answers = await Promise.all([
        patch(channel.id, { config: { smtp: { username: null, password: null } } }),
        patch(channel.id, { config: { smtp: { username: 'other' } } }),
        patch(channel.id, { name: 'renamed' }),
      ]);
      const { body } = await get(channel.id).expect(200);
      expect(body.name).toBe('renamed');
      expect(body.password_set).toBe(body.config.smtp.username !== null);
      const changes = answers.filter(({ status }) => status === 200).length;
      expect(await auditOf(channel.id)).toHaveLength(1 + changes);
      expect((await rowOf(channel.id)).revision).toBe(1 + changes);
    }
  });

  it('forgets why the service disabled the channel when it is enabled again', async () => {
    const channel = await make();
    await world.db().channel.update({
      where: { id: parseId('chn', channel.id) ?? '' },
      data: { enabled: false, disabledReason: 'HTTP 410' },
    });
    const renamed = await patch(channel.id, { name: 'b' }).expect(200);
    expect(renamed.body).toMatchObject({ enabled: false, disabled_reason: 'HTTP 410' });
    const enabled = await patch(channel.id, { enabled: true }).expect(200);
    expect(enabled.body).toMatchObject({ enabled: true, disabled_reason: null });
  });

  it('does not enable a kind that the plan no longer includes, but changes what is enabled already', async () => {
    const environment = await anEnvironment();
    const on = (await post(environment.id, HOOK).expect(201)).body;
    const off = (await post(environment.id, { ...HOOK, enabled: false }).expect(201)).body;
    await world
      .db()
      .plan.update({ where: { code: environment.planCode ?? '' }, data: { channelKinds: ['email'] } });
    expect(detailsOf(await patch(off.id, { enabled: true }).expect(422))).toEqual([
      ['/enabled', 'invalid_value'],
    ]);
    await patch(on.id, { name: 'b' }).expect(200);
    await patch(on.id, { enabled: false }).expect(200);
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
