import { listenForConfig } from '@postrider/db';
import { createUuidV7Source, formatId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';
import { until } from '../support/waiting.ts';

const world = useApi();
const TENANTS = '/admin/v1/tenants';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const GRACE = '2099-01-01T00:00:00.000Z';
const UNKNOWN = formatId('ten', createUuidV7Source()());

let plans = 0;
const aPlan = async (figures = {}) => {
  plans += 1;
  const code = `plan-${plans}`;
  await world
    .api()
    .admin('post', '/admin/v1/plans', { code, name: code, ...figures })
    .expect(201);
  return code;
};
const post = (body: unknown) => world.api().admin('post', TENANTS, body);
const get = (id: string) => world.api().admin('get', `${TENANTS}/${id}`);
const patch = (id: string, body: unknown) => world.api().admin('patch', `${TENANTS}/${id}`, body);
const aTenant = async (fields = {}): Promise<string> =>
  (await post({ name: 'Acme', plan: await aPlan(), ...fields }).expect(201)).body.id;
const auditOf = (id: string) =>
  world.db().auditEntry.findMany({ where: { resourceId: id }, orderBy: { id: 'asc' } });
const issuesOf = (details: { path: string; code: string }[]) => details.map(({ path, code }) => [path, code]);

describe('POST /admin/v1/tenants', () => {
  it('responds with 201 and the tenant as later reads show it', async () => {
    const plan = await aPlan();
    const { body } = await post({ name: 'Acme', plan }).expect(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^ten_/),
      name: 'Acme',
      plan,
      billing_status: 'active',
      grace_ends_at: null,
      created_at: TIME,
      updated_at: TIME,
    });
    expect((await get(body.id).expect(200)).body).toEqual(body);
    expect(await auditOf(body.id)).toMatchObject([{ action: 'tenant.created', before: null, after: body }]);
  });

  it('accepts a time with any offset and responds in UTC', async () => {
    const body = { name: 'a', plan: await aPlan(), billing_status: 'past_due' };
    const response = await post({ ...body, grace_ends_at: '2099-01-01T02:00:00+02:00' }).expect(201);
    expect(response.body.grace_ends_at).toBe(GRACE);
  });

  it.each([
    ['an unknown plan', { plan: 'no-such-plan' }, [['/plan', 'unknown_plan']]],
    ['a text that is no code', { plan: 'A B' }, [['/plan', 'invalid_format']]],
    ['an unknown status', { billing_status: 'free' }, [['/billing_status', 'invalid_value']]],
    ['grace while active', { grace_ends_at: GRACE }, [['/grace_ends_at', 'invalid_value']]],
    [
      'grace while suspended',
      { billing_status: 'suspended', grace_ends_at: GRACE },
      [['/grace_ends_at', 'invalid_value']],
    ],
    [
      'a time without offset',
      { billing_status: 'past_due', grace_ends_at: '2099-01-01T00:00:00' },
      [['/grace_ends_at', 'invalid_format']],
    ],
    ['an empty name', { name: '' }, [['/name', 'too_short']]],
    ['an id of its own', { id: UNKNOWN }, [['/id', 'unknown_field']]],
  ])('answers 422 for %s', async (_what, fields, issues) => {
    const { body } = await post({ name: 'Acme', plan: await aPlan(), ...fields }).expect(422);
    expect(issuesOf(body.error.details)).toEqual(issues);
  });
});

describe('GET /admin/v1/tenants', () => {
  it('pages through all tenants, newest first, each once, even while others are created', async () => {
    const made = [await aTenant(), await aTenant(), await aTenant()];
    const seen: string[] = [];
    let cursor = '';
    for (;;) {
      const { body } = await world.api().admin('get', `${TENANTS}?limit=2${cursor}`).expect(200);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      if (!body.has_more) break;
      cursor = `&cursor=${body.next_cursor}`;
      await aTenant();
    }
    expect(seen.slice(0, 3)).toEqual(made.reverse());
    expect(seen).toEqual([...new Set(seen)].sort().reverse());
  });

  it('responds with 422 for unknown parameters, and for a cursor of another list', async () => {
    await aPlan();
    await aPlan();
    for (const other of ['/admin/v1/plans', '/admin/v1/audit-log']) {
      const { body: page } = await world.api().admin('get', `${other}?limit=1`).expect(200);
      const query = `limit=x&cursor=${page.next_cursor}&name=Acme`;
      const { body } = await world.api().admin('get', `${TENANTS}?${query}`).expect(422);
      expect(issuesOf(body.error.details)).toEqual([
        ['/name', 'unknown_field'],
        ['/limit', 'invalid_value'],
        ['/cursor', 'invalid_value'],
      ]);
    }
  });
});

describe('an id in the path', () => {
  it.each([UNKNOWN, UNKNOWN.replace('ten', 'env'), UNKNOWN.toUpperCase(), 'x', '%00', "'"])(
    'without a tenant gets 404: %s',
    async (id) => {
      for (const response of [await get(id), await patch(id, { name: 'x' })]) {
        expect([response.status, response.body.error.code]).toEqual([404, 'tenant_not_found']);
      }
    },
  );
});

describe('PATCH /admin/v1/tenants/{id}', () => {
  it('changes the given fields, with an audit entry', async () => {
    const id = await aTenant();
    const before = (await get(id)).body;
    const plan = await aPlan();
    const { body } = await patch(id, { plan, billing_status: 'past_due', grace_ends_at: GRACE })
      .set({ 'X-Request-ID': 'dunning-7', 'X-Actor': 'billing' })
      .expect(200);
    expect(body).toEqual({
      ...before,
      plan,
      billing_status: 'past_due',
      grace_ends_at: GRACE,
      updated_at: TIME,
    });
    const [, entry] = await auditOf(id);
    expect(entry).toMatchObject({ action: 'tenant.updated', actor: 'billing', requestId: 'dunning-7' });
    expect([entry?.before, entry?.after]).toEqual([before, body]);
  });

  it.each([{}, { name: 'Acme' }, { billing_status: 'active', grace_ends_at: null }])(
    'records nothing if %j changes nothing',
    async (body) => {
      const id = await aTenant();
      const before = (await get(id)).body;
      expect((await patch(id, body).expect(200)).body).toEqual(before);
      expect(await auditOf(id)).toHaveLength(1);
    },
  );

  it('ends the grace period with past_due, so that it does not apply again unnoticed', async () => {
    const id = await aTenant({ billing_status: 'past_due', grace_ends_at: GRACE });
    const paid = await patch(id, { billing_status: 'active' }).expect(200);
    expect(paid.body).toMatchObject({ billing_status: 'active', grace_ends_at: null });
    const late = await patch(id, { billing_status: 'past_due' }).expect(200);
    expect(late.body.grace_ends_at).toBeNull();
  });

  it.each([
    ['an unknown plan', { plan: 'no-such-plan' }, [['/plan', 'unknown_plan']]],
    ['no plan', { plan: null }, [['/plan', 'invalid_type']]],
    ['grace while active', { grace_ends_at: GRACE }, [['/grace_ends_at', 'invalid_value']]],
    ['another id', { id: UNKNOWN }, [['/id', 'unknown_field']]],
  ])('answers 422 for %s and changes nothing', async (_what, fields, issues) => {
    const id = await aTenant();
    const before = (await get(id)).body;
    const { body } = await patch(id, fields).expect(422);
    expect(issuesOf(body.error.details)).toEqual(issues);
    expect((await get(id)).body).toEqual(before);
    expect(await auditOf(id)).toHaveLength(1);
  });

  it('loses no concurrent change', async () => {
    const id = await aTenant();
    const fields = [{ name: 'B' }, { plan: await aPlan() }, { billing_status: 'suspended' }, { name: 'B' }];
    await Promise.all(fields.map((body) => patch(id, body).expect(200)));
    const { body } = await get(id);
    expect(body).toMatchObject(Object.assign({}, ...fields));
    const entries = await auditOf(id);
    expect(entries).toHaveLength(4);
    expect(entries.at(-1)?.after).toEqual(body);
  });

  it('never leaves a grace period without past_due, whichever of two concurrent changes is first', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await aTenant({ billing_status: 'past_due' });
      await Promise.all([patch(id, { grace_ends_at: GRACE }), patch(id, { billing_status: 'suspended' })]);
      const { billing_status: status, grace_ends_at: grace } = (await get(id)).body;
      expect([status, grace]).toEqual(['suspended', null]);
    }
  });
});

describe('a change of a tenant or its plan', () => {
  it('reaches another API process without requests', async () => {
    const other = await world.more();
    const listener = listenForConfig({
      databaseUrl: world.url(),
      onNotice: other.deps.snapshots.drop,
      onGap: other.deps.snapshots.clear,
    });
    try {
      const { token, tenantId, planCode } = await world.environment();
      const limits = async () => (await other.get('/api/v1/limits', token)).body;
      await until(async () => (await limits()).quota.events_per_month === null);
      await world.api().admin('patch', `/admin/v1/plans/${planCode}`, { events_per_month: 0 }).expect(200);
      await until(async () => (await limits()).quota.events_per_month === 0);
      expect((await other.postEvent(token, anEvent())).status).toBe(402);
      await patch(formatId('ten', tenantId), { plan: await aPlan(), billing_status: 'suspended' });
      await until(async () => (await limits()).billing.status === 'suspended');
      expect((await other.postEvent(token, anEvent())).body.error.code).toBe('payment_required');
      await patch(formatId('ten', tenantId), { billing_status: 'active' });
      await until(async () => (await other.postEvent(token, anEvent())).status === 201);
    } finally {
      await listener.close();
    }
  });

  it('applies a quota below the usage, and does not change the usage', async () => {
    const { token, planCode } = await world.environment({ plan: { eventsPerMonth: 5 } });
    for (let sent = 0; sent < 3; sent += 1) expect((await world.api().postEvent(token)).status).toBe(201);
    const lowered = await world
      .api()
      .admin('patch', `/admin/v1/plans/${planCode}`, { events_per_month: 2 })
      .expect(200);
    expect(lowered.body.events_per_month).toBe(2);
    world.api().deps.snapshots.clear();
    const refused = await world.api().postEvent(token);
    expect(refused.status).toBe(402);
    expect(refused.body.error.details).toMatchObject([{ limit: 2, used: 3 }]);
    const { body } = await world.api().get('/api/v1/usage/current', token);
    expect(body.events).toEqual({ used: 3, limit: 2, remaining: 0 });
  });
});
