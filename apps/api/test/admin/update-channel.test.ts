import { DEFAULT_FAILURE_POLICY, DEFAULT_RETRY_POLICY, parseId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { ADMIN_TOKEN, anEvent } from '../support/api.ts';
import { channelActions, detailsOf, HOOK, listOf, MAIL, mailWithLogin, pathOf } from '../support/channels.ts';
import { useApi } from '../support/database.ts';

const world = useApi();
const { anEnvironment, post, patch, get, make, rowOf, auditOf } = channelActions(world);

/** The audit log does not contain states. */
const configurationOf = ({ state: _state, health: _health, ...channel }: Record<string, unknown>) => channel;

describe('PATCH /admin/v1/channels/{id}', () => {
  it('changes only the given fields, with an audit entry', async () => {
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
    const [, entry] = await auditOf(before.id);
    const hidden = (...names: string[]) => Object.fromEntries(names.map((name) => [name, '(not kept)']));
    expect(entry).toMatchObject({
      action: 'channel.updated',
      before: { ...configurationOf(before), config: { ...before.config, headers: hidden('X-A', 'X-B') } },
      after: { ...configurationOf(body), config: { ...body.config, headers: hidden('X-B', 'X-C') } },
    });
    expect((await rowOf(before.id)).revision).toBe(2);
  });

  it('records nothing if nothing changes', async () => {
    const { secret, ...channel } = await make(mailWithLogin());
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

  it('merges the failure policy, and restores its defaults when it is removed', async () => {
    const channel = await make({ ...HOOK, failure_policy: { warn_after: 600, pause_after: 1_200 } });
    expect(channel.failure_policy).toEqual({
      ...DEFAULT_FAILURE_POLICY,
      warn_after: 600,
      pause_after: 1_200,
    });
    const patched = await patch(channel.id, { failure_policy: { max_age: 3_600 } }).expect(200);
    expect(patched.body.failure_policy).toEqual({ ...channel.failure_policy, max_age: 3_600 });
    const refused = await patch(channel.id, { failure_policy: { pause_after: 500 } }).expect(422);
    expect(detailsOf(refused)).toEqual([['/failure_policy/pause_after', 'invalid_value']]);
    const removed = await patch(channel.id, { failure_policy: null }).expect(200);
    expect(removed.body.failure_policy).toEqual(DEFAULT_FAILURE_POLICY);
  });

  it('restores the default retry policy when it is removed', async () => {
    const channel = await make({ ...HOOK, retry: { max_attempts: 2, delays_seconds: [1] } });
    const exponential = { delays_seconds: null, base_seconds: 1, factor: 2, max_seconds: 9 };
    const changed = await patch(channel.id, { retry: exponential }).expect(200);
    expect(changed.body.retry).toEqual({ max_attempts: 2, base_seconds: 1, factor: 2, max_seconds: 9 });
    expect((await patch(channel.id, { retry: null }).expect(200)).body.retry).toEqual(DEFAULT_RETRY_POLICY);
  });

  it('keeps, replaces and removes a password without ever showing it', async () => {
    const channel = await make(mailWithLogin());
    const storedSecret = async () => (await rowOf(channel.id)).sealedSecret;
    const first = await storedSecret();
    await patch(channel.id, { config: { smtp: { username: 'other', port: 465, secure: true } } }).expect(200);
    expect(await storedSecret()).toBe(first);
    const replaced = await patch(channel.id, {
      config: { smtp: { password: 'marked-password-7732' } },
    }).expect(200);
    expect(replaced.body.password_set).toBe(true);
    expect(await storedSecret()).not.toBe(first);
    const decrypted = world
      .api()
      .deps.secretBox.decrypt((await storedSecret()) ?? '', parseId('chn', channel.id) ?? '');
    expect(decrypted).toEqual({ ok: true, plaintext: 'marked-password-7732' });
    const removed = await patch(channel.id, { config: { smtp: { username: null, password: null } } }).expect(
      200,
    );
    expect(removed.body).toMatchObject({ password_set: false, config: { smtp: { username: null } } });
    expect(await storedSecret()).toBeNull();
    expect(JSON.stringify([replaced.body, removed.body, await auditOf(channel.id)])).not.toContain(
      'marked-password',
    );
  });

  it('keeps the credentials of listed senders by name, and records which have changed', async () => {
    const smtp = (host: string, password?: string) => ({
      provider: 'smtp',
      smtp: { host, port: 587, username: 'u', ...(password === undefined ? {} : { password }) },
    });
    const { from } = MAIL.config;
    const first = [
      { name: 'main', ...smtp('a.example', 'one-of-4419-smtp') },
      { name: 'backup', ...smtp('b.example', 'two-of-4419-smtp') },
    ];
    const channel = await make({ ...MAIL, config: { from, senders: first } });
    const read = await get(channel.id).expect(200);
    const same = await patch(channel.id, { config: read.body.config }).expect(200);
    expect(same.body).toEqual(read.body);
    const before = (await rowOf(channel.id)).sealedCredentials as Record<string, string>;
    const senders = [
      { name: 'backup', ...smtp('b.example', 'three-of-4419-smtp') },
      { name: 'main', ...smtp('a.example') },
    ];
    const changed = await patch(channel.id, { config: { senders, failover: 'eager' } }).expect(200);
    expect(changed.body.config.failover).toBe('eager');
    const after = (await rowOf(channel.id)).sealedCredentials as Record<string, string>;
    expect(after['senders/main/password']).toBe(before['senders/main/password']);
    expect(after['senders/backup/password']).not.toBe(before['senders/backup/password']);
    const moved = await patch(channel.id, {
      config: { senders: [{ name: 'main', ...smtp('b.example') }] },
    }).expect(422);
    expect(detailsOf(moved)).toEqual([['/config/senders/0/smtp/password', 'required']]);
    const short = { senders: null, failover: null, smtp: { host: 'c.example', port: 25 } };
    const alone = await patch(channel.id, { config: short }).expect(200);
    expect(alone.body).toMatchObject({ credentials_set: [], config: { smtp: { host: 'c.example' } } });
    expect(await rowOf(channel.id)).toMatchObject({ sealedSecret: null, sealedCredentials: null });
    const entries = await auditOf(channel.id);
    expect(entries[1]?.after).toMatchObject({ credentials_changed: ['senders/backup/password'] });
    expect(JSON.stringify(entries)).not.toContain('4419-smtp');
  });

  it('requires the password again when the host changes, so that a stored one is never sent to another server', async () => {
    const channel = await make(mailWithLogin());
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
  ])('validates the resulting channel: %j', async (body, issues) => {
    const channel = await make();
    expect(detailsOf(await patch(channel.id, body).expect(422))).toEqual(issues);
    expect((await rowOf(channel.id)).revision).toBe(1);
  });

  it('never lets two concurrent changes create an invalid channel', async () => {
    for (let round = 0; round < 5; round += 1) {
      const channel = await make(mailWithLogin());
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

  it('clears the reason for disabling the channel when it is enabled again', async () => {
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

  it('keeps a filter that was stored before names of operators without $ were refused, and applies it', async () => {
    const { id: environment, token } = await anEnvironment();
    const { body: channel } = await post(environment, HOOK).expect(201);
    const filter = { payload: { amount: { gt: 1 } } };
    const issue = ['/filter/payload/amount/gt', 'invalid_value'];
    expect(detailsOf(await patch(channel.id, { filter }).expect(422))).toEqual([issue]);
    await world.db().channel.update({ where: { id: parseId('chn', channel.id) ?? '' }, data: { filter } });
    const renamed = await patch(channel.id, { name: 'b' }).expect(200);
    expect(renamed.body).toMatchObject({ name: 'b', filter });
    expect((await patch(channel.id, { filter: null }).expect(200)).body.filter).toBeNull();
    await world.db().channel.update({ where: { id: parseId('chn', channel.id) ?? '' }, data: { filter } });
    expect((await world.api().postEvent(token, anEvent({ payload: { amount: { gt: 1 } } }))).status).toBe(
      201,
    );
  });

  it('does not enable a kind that the plan no longer includes, but changes channels that are already enabled', async () => {
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

describe('a channel of a kind that only a later release knows', () => {
  it('is shown and exported without its config, and can be deleted; what needs the kind answers 409', async () => {
    const { id: environment } = await anEnvironment();
    const ids = [];
    for (const name of ['a', 'b']) ids.push((await post(environment, { ...HOOK, name }).expect(201)).body.id);
    const [known, unknown] = ids;
    await world
      .db()
      .channel.update({ where: { id: parseId('chn', unknown) ?? '' }, data: { kind: 'pager' } });
    const api = world.api();
    // Not `api.admin`: the document of this release cannot describe such a channel.
    const read = (path: string) => supertest(api.url).get(path).set('Authorization', `Bearer ${ADMIN_TOKEN}`);

    const list = await read(listOf(environment)).expect(200);
    expect(list.body.data).toMatchObject([
      { id: unknown, kind: 'pager', config: {}, credentials_set: [] },
      { id: known, kind: 'webhook', config: HOOK.config },
    ]);
    const exported = await read(listOf(environment).replace('channels', 'configuration'));
    expect([exported.status, exported.text]).toEqual([200, expect.stringContaining('pager')]);
    for (const answer of [
      await api.admin('post', `${pathOf(unknown)}/test`),
      await api.admin('post', `${pathOf(unknown)}/rotate-secret`),
    ])
      expect([answer.status, answer.body.error.message]).toEqual([
        409,
        'This release does not know channels of kind pager: use the release that created it.',
      ]);
    await api.admin('delete', pathOf(unknown)).expect(204);
    expect((await api.admin('get', listOf(environment))).body.data).toMatchObject([{ id: known }]);
  });
});
