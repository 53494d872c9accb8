import { channelKinds } from '@postrider/channels';
import { describe, expect, it } from '@postrider/testing';
import { cursorsOf } from '../../src/paging/query.ts';
import { useApi } from '../support/database.ts';

const world = useApi();
const PLANS = '/admin/v1/plans';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const FULL = {
  code: 'starter',
  name: 'Starter',
  events_per_month: 10_000,
  requests_per_second: 50,
  burst: 100,
  max_payload_bytes: 65_536,
  max_schedule_days: 30,
  retention_days: 90,
  channel_kinds: ['webhook'],
};

const UNLIMITED = {
  events_per_month: null,
  requests_per_second: null,
  burst: null,
  max_payload_bytes: null,
  max_schedule_days: null,
  retention_days: null,
  channel_kinds: [...channelKinds.kinds],
};

const post = (body: unknown) => world.api().admin('post', PLANS, body);
const patch = (code: string, body: unknown) => world.api().admin('patch', `${PLANS}/${code}`, body);
const get = (code: string) => world.api().admin('get', `${PLANS}/${code}`);
const auditOf = (code: string) =>
  world.db().auditEntry.findMany({
    where: { resourceType: 'plan', resourceId: code },
    orderBy: { id: 'asc' },
  });

describe('POST /admin/v1/plans', () => {
  it('responds with 201 and the plan as later reads show it', async () => {
    const { body } = await post(FULL).expect(201);
    expect(body).toEqual({ ...FULL, created_at: TIME, updated_at: TIME });
    expect((await get('starter').expect(200)).body).toEqual(body);
  });

  it('treats missing limits as unlimited', async () => {
    const { body } = await post({ code: 'open', name: 'Open' }).expect(201);
    expect(body).toMatchObject({ code: 'open', ...UNLIMITED });
  });

  it('responds with 409 for a code that is taken, and changes nothing', async () => {
    await post({ code: 'taken', name: 'First' }).expect(201);
    const { body } = await post({ code: 'taken', name: 'Second' }).expect(409);
    expect(body.error).toMatchObject({
      code: 'already_exists',
      details: [{ path: '/code', code: 'duplicate', message: 'is taken' }],
    });
    expect((await get('taken')).body.name).toBe('First');
    expect(await auditOf('taken')).toHaveLength(1);
  });

  it('lets one of many concurrent requests for a code win', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => post({ code: 'race', name: `n${n}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    expect(await auditOf('race')).toHaveLength(1);
  });

  it.each([
    ['no object', [], [['', 'invalid_type']]],
    [
      'nothing',
      {},
      [
        ['/code', 'required'],
        ['/name', 'required'],
      ],
    ],
    ['a bad code', { ...FULL, code: 'Pro Plan' }, [['/code', 'invalid_format']]],
    ['a line break in the name', { ...FULL, name: 'a\nb' }, [['/name', 'invalid_format']]],
    [
      'more than an integer holds',
      { ...FULL, events_per_month: 2 ** 31 },
      [['/events_per_month', 'too_large']],
    ],
    ['a huge number', { ...FULL, burst: 1e300 }, [['/burst', 'too_large']]],
    ['a fraction', { ...FULL, retention_days: 1.5 }, [['/retention_days', 'invalid_type']]],
    ['a text for a number', { ...FULL, burst: '1' }, [['/burst', 'invalid_type']]],
    ['a rate without burst', { ...FULL, burst: null }, [['/burst', 'required']]],
    ['a burst without rate', { code: 'a', name: 'A', burst: 1 }, [['/requests_per_second', 'required']]],
    ['an unknown kind', { ...FULL, channel_kinds: ['sms'] }, [['/channel_kinds/0', 'invalid_value']]],
    ['a kind twice', { ...FULL, channel_kinds: ['email', 'email'] }, [['/channel_kinds', 'duplicate']]],
    ['an unknown field', { ...FULL, price: 1 }, [['/price', 'unknown_field']]],
  ])('answers 422 for %s', async (_what, body, issues) => {
    const response = await post(body).expect(422);
    const { details } = response.body.error;
    expect(details.map(({ path, code }: { path: string; code: string }) => [path, code])).toEqual(issues);
  });
});

describe('GET /admin/v1/plans', () => {
  it('pages through all plans by their code', async () => {
    for (const code of ['page-c', 'page-a', 'page-b']) await post({ code, name: code }).expect(201);
    const codes: string[] = [];
    let cursor = '';
    for (;;) {
      const { body } = await world.api().admin('get', `${PLANS}?limit=2${cursor}`).expect(200);
      codes.push(...body.data.map(({ code }: { code: string }) => code));
      if (!body.has_more) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(codes.filter((code) => code.startsWith('page-'))).toEqual(['page-a', 'page-b', 'page-c']);
    expect(codes).toEqual([...new Set(codes)]);
  });

  const forged = cursorsOf('listPlans', () => true).format('\0a');
  it.each([
    'limit=0',
    'limit=101',
    'cursor=x',
    'cursor=AQGaxaLj0Xvj5FTJXYUB6TM3',
    `cursor=${forged}`,
    'page=2',
  ])('answers 422 for %s', async (query) => {
    await world.api().admin('get', `${PLANS}?${query}`).expect(422);
  });
});

describe('GET /admin/v1/plans/{code}', () => {
  it.each(['none', 'NONE', '%00', 'x'.repeat(300)])('answers 404 for %s', async (code) => {
    const { body } = await get(code).expect(404);
    expect(body.error.code).toBe('plan_not_found');
  });
});

describe('PATCH /admin/v1/plans/{code}', () => {
  it('changes only the given fields', async () => {
    await post({ ...FULL, code: 'patched' });
    const { body } = await patch('patched', { name: 'New', events_per_month: null }).expect(200);
    expect(body).toMatchObject({ ...FULL, code: 'patched', name: 'New', events_per_month: null });
    expect((await get('patched')).body).toEqual(body);
  });

  it.each([
    ['takes away half of the rate', { burst: null }, [['/burst', 'required']]],
    ['takes away the name', { name: null }, [['/name', 'invalid_type']]],
    ['changes the code', { code: 'other' }, [['/code', 'unknown_field']]],
    ['is no object', 'x', [['', 'invalid_type']]],
    ['breaks a bound', { retention_days: 0 }, [['/retention_days', 'too_small']]],
  ])('answers 422 when it %s, and changes nothing', async (what, body, issues) => {
    const code = what.replaceAll(' ', '-');
    const before = await post({ ...FULL, code }).expect(201);
    const response = await patch(code, body).expect(422);
    const { details } = response.body.error;
    expect(details.map(({ path, code }: { path: string; code: string }) => [path, code])).toEqual(issues);
    expect((await get(code)).body).toEqual(before.body);
    expect(await auditOf(code)).toHaveLength(1);
  });

  it('answers 404 for a plan that does not exist', async () => {
    const { body } = await patch('none', { name: 'x' }).expect(404);
    expect(body.error.code).toBe('plan_not_found');
  });

  it('never lets two concurrent patches create an invalid plan', async () => {
    for (let round = 0; round < 10; round += 1) {
      const code = `at-once-${round}`;
      await post({ ...FULL, code });
      const answers = await Promise.all([
        patch(code, { requests_per_second: null, burst: null }),
        patch(code, { burst: 7 }),
      ]);
      const { requests_per_second: rate, burst } = (await get(code)).body;
      expect(rate === null).toBe(burst === null);
      expect([200, 422]).toContain(answers[1]?.status);
    }
  });

  it('loses no concurrent change', async () => {
    await post({ code: 'many', name: 'Many' });
    const bodies = [{ name: 'A' }, { events_per_month: 5 }, { retention_days: 6 }, { max_schedule_days: 7 }];
    await Promise.all(bodies.map((body) => patch('many', body).expect(200)));
    const changed = { name: 'A', events_per_month: 5, retention_days: 6, max_schedule_days: 7 };
    expect((await get('many')).body).toMatchObject(changed);
    const entries = await auditOf('many');
    expect(entries).toHaveLength(5);
    expect(entries.at(-1)?.after).toMatchObject(changed);
  });

  it('records actor, both states and request of a change', async () => {
    await post({ code: 'audited', name: 'Old' });
    await patch('audited', { name: 'New' }).set({ 'X-Request-ID': 'change-1', 'X-Actor': 'ada' });
    const [created, updated] = await auditOf('audited');
    expect(created).toMatchObject({ action: 'plan.created', before: null, after: { name: 'Old' } });
    expect(updated).toMatchObject({
      action: 'plan.updated',
      actor: 'ada',
      requestId: 'change-1',
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      before: { name: 'Old' },
    });
    expect(updated?.after).toEqual((await get('audited')).body);
  });

  it('records nothing if nothing changes', async () => {
    const before = await post({ ...FULL, code: 'same' });
    await patch('same', {}).expect(200);
    const { body } = await patch('same', { name: 'Starter', channel_kinds: ['webhook'] }).expect(200);
    expect(body).toEqual(before.body);
    expect(await auditOf('same')).toHaveLength(1);
  });
});
