import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';
import { setRunStatus } from '../support/deliveries.ts';

const world = useApi();

async function list(token: string, query = '') {
  const response = await world.api().get(`/api/v1/messages${query}`, token);
  expect(response.status).toBe(200);
  return response.body as { data: { id: string }[]; has_more: boolean; next_cursor: string | null };
}
const idsOf = (page: { data: { id: string }[] }) => page.data.map((message) => message.id);

async function postMany(token: string, bodies: readonly unknown[]): Promise<string[]> {
  const ids: string[] = [];
  for (const body of bodies) ids.push((await world.api().postEvent(token, body)).body.message_id);
  return ids;
}

describe('GET /api/v1/messages', () => {
  it('answers an environment without messages with an empty page', async () => {
    const { token } = await world.environment();
    expect(await list(token)).toEqual({
      data: [],
      has_more: false,
      next_cursor: null,
      searched_back_to: null,
    });
  });

  it('gives the message records newest first, page by page, each exactly once', async () => {
    const { token } = await world.environment();
    const ids = await postMany(
      token,
      Array.from({ length: 5 }, () => anEvent()),
    );
    const seen: string[] = [];
    let query = '?limit=2';
    for (let pages = 1; pages <= 3; pages += 1) {
      const page = await list(token, query);
      seen.push(...idsOf(page));
      expect(page.has_more).toBe(pages < 3);
      // What arrives while a client pages is newer than its position and changes nothing after it.
      await world.api().postEvent(token);
      query = `?limit=2&cursor=${page.next_cursor}`;
      if (pages === 3) expect(page.next_cursor).toBeNull();
    }
    expect(seen).toEqual(ids.reverse());
    const [first] = (await list(token)).data;
    const read = await world.api().get(`/api/v1/messages/${first?.id}`, token);
    expect(first).toEqual(read.body);
  });

  it('holds 25 messages unless limit says otherwise, up to 100', async () => {
    const { token } = await world.environment();
    await Promise.all(Array.from({ length: 101 }, () => world.api().postEvent(token)));
    expect((await list(token)).data).toHaveLength(25);
    expect((await list(token, '?limit=1')).data).toHaveLength(1);
    const page = await list(token, '?limit=100');
    expect([page.data.length, page.has_more]).toEqual([100, true]);
    expect((await list(token, `?limit=100&cursor=${page.next_cursor}`)).data).toHaveLength(1);
  });

  it('filters by event_key, recipient_email and time of creation', async () => {
    const { token } = await world.environment();
    const [one, two, three] = await postMany(token, [
      anEvent(),
      anEvent({ event_key: 'order.paid' }),
      anEvent({ recipient: { email: 'bob@example.com' } }),
    ]);
    expect(idsOf(await list(token, '?event_key=order.paid'))).toEqual([two]);
    expect(idsOf(await list(token, '?recipient_email=bob%40example.com'))).toEqual([three]);
    expect(idsOf(await list(token, '?event_key=order.shipped&recipient_email=ada@example.com'))).toEqual([
      one,
    ]);
    const created = (await world.api().get(`/api/v1/messages/${two}`, token)).body.created_at;
    const after = idsOf(await list(token, `?created_after=${created}`));
    const before = idsOf(await list(token, `?created_before=${created}`));
    expect(after).toEqual(expect.arrayContaining([two, three]));
    expect(before).not.toContain(two);
    expect([...after, ...before].sort()).toEqual([one, two, three].sort());
    expect(idsOf(await list(token, '?created_before=0001-01-01T00:00:00Z'))).toEqual([]);
    expect(idsOf(await list(token, '?created_after=9999-01-01T00:00:00%2B02:00'))).toEqual([]);
  });

  it.each(['pending', 'delivered', 'failed', 'cancelled', 'partially_delivered'])(
    'filters by the status %s',
    async (status) => {
      const { token } = await world.environment();
      const bodies = ['pending', 'delivered', 'failed', 'cancelled'];
      const posted = await Promise.all(bodies.map(() => world.api().postEvent(token)));
      const [, succeeded, failed, cancelled] = posted.map((response) => response.body.delivery_runs[0].id);
      await setRunStatus(world.db(), succeeded, 'succeeded');
      await setRunStatus(world.db(), failed, 'failed');
      await setRunStatus(world.db(), cancelled, 'cancelled');
      const index = bodies.indexOf(status);
      const expected = index === -1 ? [] : [posted[index]?.body.message_id];
      expect(idsOf(await list(token, `?status=${status}`))).toEqual(expected);
    },
  );

  it.each([
    ['limit=0', '/limit', 'invalid_value'],
    ['limit=101', '/limit', 'invalid_value'],
    ['limit=-1', '/limit', 'invalid_value'],
    ['limit=1.5', '/limit', 'invalid_value'],
    ['limit=', '/limit', 'invalid_value'],
    ['limit=1&limit=2', '/limit', 'duplicate'],
    ['cursor=x', '/cursor', 'invalid_value'],
    ['cursor=', '/cursor', 'invalid_value'],
    ['cursor=AQAAAAAAAAAAAAAAAAAAAAAA==', '/cursor', 'invalid_value'],
    ['event_key=order', '/event_key', 'invalid_format'],
    ['event_key=%00', '/event_key', 'invalid_format'],
    ['status=sent', '/status', 'invalid_value'],
    ['recipient_email=ada', '/recipient_email', 'invalid_format'],
    ['created_after=2026-11-21', '/created_after', 'invalid_format'],
    ['created_before=soon', '/created_before', 'invalid_format'],
    ['page=2', '/page', 'unknown_field'],
    ['__proto__=1', '/__proto__', 'unknown_field'],
  ])('answers 422 to ?%s', async (query, path, code) => {
    const { token } = await world.environment();
    const response = await world.api().get(`/api/v1/messages?${query}`, token);
    expect(response.status).toBe(422);
    expect(response.body.error.code).toBe('validation_failed');
    expect(response.body.error.details).toEqual([{ path, code, message: expect.any(String) }]);
  });

  it('reports all issues of a query at once', async () => {
    const { token } = await world.environment();
    const response = await world.api().get('/api/v1/messages?limit=x&status=y&z=1', token);
    const paths = response.body.error.details.map((detail: { path: string }) => detail.path);
    expect(paths.sort()).toEqual(['/limit', '/status', '/z']);
  });

  it('answers 401 without a token before it looks at the query', async () => {
    expect((await world.api().get('/api/v1/messages?limit=x')).status).toBe(401);
  });
});
