import { randomUUID } from 'node:crypto';
import type { Fixture } from '@postrider/db/testing';
import { beforeAll, describe, expect, it } from '@postrider/testing';
import type { Response } from 'supertest';
import { anEvent } from './support/api.ts';
import { useApi } from './support/database.ts';

const world = useApi();

/** Well-formed ids that do not exist. */
const UNKNOWN = { message: 'msg_01h455vb4pex5vsknk084sn02q', run: 'run_01h455vb4pex5vsknk084sn02q' };
let victim: Fixture & { messageId: string; runId: string };

beforeAll(async () => {
  const fixture = await world.environment();
  const posted = await world.api().postEvent(fixture.token, anEvent({ schedule_at: '2099-01-01T00:00:00Z' }));
  victim = { ...fixture, messageId: posted.body.message_id, runId: posted.body.delivery_runs[0].id };
});

const comparable = ({ status, text, headers }: Response) => {
  const { date: _date, 'x-trace-id': _traceId, ...rest } = headers;
  return { status, text, headers: rest };
};

describe.each([
  ['another environment of the tenant', () => world.environment({ tenantId: victim.tenantId })],
  ['another tenant', () => world.environment()],
])('the token of %s', (_who, createStranger) => {
  it.each([
    ['GET', (id: string) => `/api/v1/messages/${id}`, 'message'],
    ['GET', (id: string) => `/api/v1/messages/${id}/deliveries`, 'message'],
    ['POST', (id: string) => `/api/v1/messages/${id}/replay`, 'message'],
    ['POST', (id: string) => `/api/v1/delivery-runs/${id}/cancel`, 'run'],
  ] as const)(
    'gets the same 404 for a foreign id as for one that does not exist: %s %s',
    async (method, path, kind) => {
      const { token } = await createStranger();
      const send = (id: string, key?: string) => {
        const request =
          method === 'GET' ? world.api().get(path(id), token) : world.api().post(path(id), token);
        return key === undefined ? request : request.set('Idempotency-Key', key);
      };
      const foreign = kind === 'message' ? victim.messageId : victim.runId;
      const answer = await send(foreign);
      expect(answer.status).toBe(404);
      expect(comparable(answer)).toEqual(comparable(await send(UNKNOWN[kind])));
      expect(comparable(answer)).toEqual(comparable(await send(foreign, randomUUID())));
      expect(comparable(answer)).toEqual(comparable(await send('x')));
    },
  );

  it('sees neither the message in its list nor the usage of another tenant', async () => {
    const stranger = await createStranger();
    const { body } = await world.api().get('/api/v1/messages', stranger.token);
    expect(body.data).toEqual([]);
    const usage = await world.api().get('/api/v1/usage/current', stranger.token);
    expect(usage.body.events.used).toBe(stranger.tenantId === victim.tenantId ? 1 : 0);
  });

  it('cannot page into foreign messages with a foreign cursor', async () => {
    const { token } = await createStranger();
    await world.api().postEvent(victim.token);
    const page = await world.api().get('/api/v1/messages?limit=1', victim.token);
    const cursor = page.body.next_cursor;
    const { body } = await world.api().get(`/api/v1/messages?cursor=${cursor}`, token);
    expect(body).toEqual({ data: [], has_more: false, next_cursor: null });
  });

  it('does not change the message or its run', async () => {
    const { token } = await createStranger();
    await world.api().post(`/api/v1/delivery-runs/${victim.runId}/cancel`, token);
    await world.api().post(`/api/v1/messages/${victim.messageId}/replay`, token);
    const read = await world.api().get(`/api/v1/messages/${victim.messageId}/deliveries`, victim.token);
    expect(read.body.delivery_runs).toHaveLength(1);
    expect(read.body.delivery_runs[0]).toMatchObject({ status: 'scheduled', attempts: [] });
  });
});
