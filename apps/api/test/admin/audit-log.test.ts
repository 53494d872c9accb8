import { createUuidV7Source, formatId } from '@postrider/domain';
import { beforeAll, describe, expect, it } from '@postrider/testing';
import { AUDIT_LOG } from '../../src/admin/audit-log.ts';
import { useApi } from '../support/database.ts';

const world = useApi();
const LOG = '/admin/v1/audit-log';
type Entry = Record<'id' | 'action' | 'resource_id' | 'created_at', string>;

const call = (method: 'post' | 'patch', path: string, body: unknown, actor = 'ada') =>
  world.api().admin(method, `/admin/v1${path}`, body).set('X-Actor', actor);
const read = (query: Record<string, string> = {}) =>
  world.api().admin('get', `${LOG}?${new URLSearchParams(query)}`);
const actions = async (query: Record<string, string>) =>
  (await read(query).expect(200)).body.data.map(({ action }: Entry) => action);

let tenant: string;
let environment: string;

beforeAll(async () => {
  await call('post', '/plans', { code: 'basic', name: 'Basic' }, 'grace').expect(201);
  tenant = (await call('post', '/tenants', { name: 'Acme', plan: 'basic' }).expect(201)).body.id;
  const created = await call('post', `/tenants/${tenant}/environments`, { name: 'production' }).expect(201);
  environment = created.body.id;
  await call('patch', `/tenants/${tenant}`, { name: 'Acme Ltd' }).set('X-Request-ID', 'rename-1').expect(200);
  // Other environments, whose entries must not appear.
  await world.environment();
});

describe('GET /admin/v1/audit-log', () => {
  it('shows actor, resource, place, both states and request of a change', async () => {
    const { body } = await read({ action: 'tenant.updated' }).expect(200);
    expect(body).toEqual({
      data: [
        {
          id: expect.stringMatching(/^aud_/),
          actor: 'ada',
          actor_kind: 'admin_token',
          credential: null,
          address: '127.0.0.1',
          reason: null,
          action: 'tenant.updated',
          resource_type: 'tenant',
          resource_id: tenant,
          tenant_id: tenant,
          environment_id: null,
          before: expect.objectContaining({ id: tenant, name: 'Acme', plan: 'basic' }),
          after: expect.objectContaining({ id: tenant, name: 'Acme Ltd', plan: 'basic' }),
          request_id: 'rename-1',
          trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
          created_at: expect.any(String),
        },
      ],
      has_more: false,
      next_cursor: null,
    });
  });

  it('filters by each of its parameters, and by several at once', async () => {
    const ofTenant = ['tenant.updated', 'environment.created', 'tenant.created'];
    expect(await actions({ tenant_id: tenant })).toEqual(ofTenant);
    expect(await actions({ environment_id: environment })).toEqual(['environment.created']);
    expect(await actions({ resource_id: tenant })).toEqual(['tenant.updated', 'tenant.created']);
    expect(await actions({ resource_type: 'plan', resource_id: 'basic' })).toEqual(['plan.created']);
    expect(await actions({ actor: 'grace' })).toEqual(['plan.created']);
    expect(await actions({ actor: 'ada' })).toEqual(ofTenant);
    expect(await actions({ actor: 'ada', action: 'tenant.created' })).toEqual(['tenant.created']);
    expect(await actions({ actor: 'grace', tenant_id: tenant })).toEqual([]);
    expect(await actions({ tenant_id: formatId('ten', createUuidV7Source()()) })).toEqual([]);
  });

  it('filters by time, with an inclusive start and an exclusive end', async () => {
    const all: Entry[] = (await read({ tenant_id: tenant })).body.data;
    const at = all[1]?.created_at ?? '';
    const idsOf = async (query: Record<string, string>) =>
      (await read({ tenant_id: tenant, ...query }).expect(200)).body.data.map(({ id }: Entry) => id);
    expect(await idsOf({ created_after: at })).toEqual(
      all.filter((entry) => entry.created_at >= at).map(({ id }) => id),
    );
    expect(await idsOf({ created_before: at })).toEqual(
      all.filter((entry) => entry.created_at < at).map(({ id }) => id),
    );
    expect(await idsOf({ created_after: at, created_before: at })).toEqual([]);
  });

  it('pages through all of it, newest first, each once', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { body: { data: Entry[]; next_cursor: string | null } } = await read({
        limit: '2',
        ...(cursor === null ? {} : { cursor }),
      }).expect(200);
      seen.push(...page.body.data.map(({ id }) => id));
      cursor = page.body.next_cursor;
    } while (cursor !== null);
    expect(seen).toHaveLength(await world.db().auditEntry.count());
    expect(seen).toEqual([...new Set(seen)].sort().reverse());
  });

  it.each([
    ['tenant_id', 'env_01k9w2m1c4e8x7z5v3b1n9m6qd', 'invalid_format'],
    ['environment_id', 'x', 'invalid_format'],
    ['resource_type', 'user', 'invalid_value'],
    ['resource_id', 'a\u0000b', 'invalid_format'],
    ['actor', 'caf\u00e9', 'invalid_format'],
    ['action', "'; DROP TABLE audit_log", 'invalid_format'],
    ['created_after', 'yesterday', 'invalid_format'],
    ['created_before', '2026-02-30T00:00:00Z', 'invalid_format'],
    ['cursor', 'zzz', 'invalid_value'],
    ['limit', '1e1', 'invalid_value'],
    ['__proto__', 'x', 'unknown_field'],
  ])('answers 422 for %s=%j', async (name, value, code) => {
    const { body } = await world
      .api()
      .admin('get', `${LOG}?${name}=${encodeURIComponent(value)}`)
      .expect(422);
    expect(body.error.details).toMatchObject([{ path: `/${name}`, code }]);
  });

  it('documents each of its parameters', () => {
    expect(AUDIT_LOG.operations[0]?.parameters.map(({ name }) => name)).toEqual([
      ...['limit', 'cursor', 'tenant_id', 'environment_id', 'resource_type', 'resource_id'],
      ...['actor', 'action', 'created_after', 'created_before'],
    ]);
  });

  it('cannot be changed', async () => {
    for (const method of ['post', 'put', 'patch', 'delete'] as const) {
      await world.api().admin(method, LOG, {}).expect(405);
    }
  });
});
