import { randomUUID } from 'node:crypto';
import { createIngest } from '@postrider/db';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { useApi } from '../support/database.ts';
import { whileKeyIsHeld } from '../support/held-key.ts';
import { createGate, until, untilAnswered } from '../support/waiting.ts';

const world = useApi();

describe('POST /api/v1/events, idempotency', () => {
  it('replays the first response byte for byte, from any process, with Idempotent-Replayed', async () => {
    const { token, environmentId } = await world.environment();
    const key = randomUUID();
    const first = await world.api().postEvent(token, anEvent(), key);
    const again = await world.api().postEvent(token, anEvent(), key);
    const elsewhere = await (await world.more()).postEvent(token, anEvent(), key);
    expect(first.status).toBe(201);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    for (const replayed of [again, elsewhere]) {
      expect(replayed.status).toBe(201);
      expect(replayed.text).toBe(first.text);
      expect(replayed.headers['content-type']).toBe(first.headers['content-type']);
      expect(replayed.headers['idempotent-replayed']).toBe('true');
    }
    expect(await world.db().message.count({ where: { environmentId } })).toBe(1);
  });

  it('responds with 409 idempotency_conflict to the key with a body that differs even by a space', async () => {
    const { token } = await world.environment();
    const key = randomUUID();
    const body = JSON.stringify(anEvent());
    expect((await world.api().postEvent(token, body, key)).status).toBe(201);
    for (const other of [`${body} `, JSON.stringify(anEvent({ payload: {} })), '{']) {
      const response = await world.api().postEvent(token, other, key);
      expect(response.status).toBe(409);
      expect(response.body.error.code).toBe('idempotency_conflict');
    }
  });

  it('has separate keys per environment', async () => {
    const one = await world.environment();
    const other = await world.environment({ tenantId: one.tenantId });
    const key = randomUUID();
    const first = await world.api().postEvent(one.token, anEvent(), key);
    const second = await world.api().postEvent(other.token, anEvent(), key);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.headers['idempotent-replayed']).toBeUndefined();
    expect(second.body.message_id).not.toBe(first.body.message_id);
  });

  it('has separate keys per operation', async () => {
    const { token } = await world.environment();
    const key = randomUUID();
    const posted = await world.api().postEvent(token, anEvent({ schedule_at: '2099-01-01T00:00:00Z' }), key);
    const { message_id: message, delivery_runs: runs } = posted.body;
    const act = (path: string) => world.api().post(path, token).set('Idempotency-Key', key);
    const replayed = await act(`/api/v1/messages/${message}/replay`);
    const cancelled = await act(`/api/v1/delivery-runs/${runs[0].id}/cancel`);
    expect([posted, replayed, cancelled].map(({ status }) => status)).toEqual([201, 201, 200]);
    for (const { headers } of [posted, replayed, cancelled]) {
      expect(headers['idempotent-replayed']).toBeUndefined();
    }
  });

  it('stores nothing for a 422, so that the key can be sent again with a valid body', async () => {
    const { token, environmentId } = await world.environment();
    const key = randomUUID();
    expect((await world.api().postEvent(token, anEvent({ extra: 1 }), key)).status).toBe(422);
    expect(await world.db().idempotencyRecord.count({ where: { environmentId } })).toBe(0);
    const fixed = await world.api().postEvent(token, anEvent(), key);
    expect(fixed.status).toBe(201);
    expect(fixed.headers['idempotent-replayed']).toBeUndefined();
  });

  it('treats a key as new after 24 hours, and replays it a second earlier', async () => {
    const { token, environmentId } = await world.environment();
    const key = randomUUID();
    const first = await world.api().postEvent(token, anEvent(), key);
    const age = (interval: string) =>
      world.db().$executeRaw`
        UPDATE idempotency_records
           SET created_at = now() - ${interval}::interval, expires_at = now() - ${interval}::interval + interval '24 hours'
         WHERE environment_id = ${environmentId}::uuid AND key = ${key}::uuid`;
    await age('23 hours 59 minutes 30 seconds');
    const replayed = await world.api().postEvent(token, anEvent(), key);
    expect(replayed.text).toBe(first.text);
    await age('24 hours 1 second');
    const again = await world.api().postEvent(token, anEvent({ payload: { other: 1 } }), key);
    expect(again.status).toBe(201);
    expect(again.headers['idempotent-replayed']).toBeUndefined();
    expect(again.body.message_id).not.toBe(first.body.message_id);
    const replayedAgain = await world.api().postEvent(token, anEvent({ payload: { other: 1 } }), key);
    expect(replayedAgain.text).toBe(again.text);
  });

  it('replays although quota, payment and rate limit would now refuse', async () => {
    const { token, tenantId } = await world.environment({
      plan: { eventsPerMonth: 1, requestsPerSecond: 1, burst: 1 },
    });
    const key = randomUUID();
    const first = await world.api().postEvent(token, anEvent(), key);
    expect(first.status).toBe(201);
    await world.db().tenant.update({ where: { id: tenantId }, data: { billingStatus: 'suspended' } });
    world.api().deps.snapshots.clear();
    expect((await world.api().postEvent(token)).body.error.code).toBe('quota_exceeded');
    const replayed = await world.api().postEvent(token, anEvent(), key);
    expect(replayed.status).toBe(201);
    expect(replayed.text).toBe(first.text);
  });

  it.each([1, 2])(
    'creates one message for 200 concurrent requests with one key over %i processes',
    async (processes) => {
      const { token, environmentId, tenantId } = await world.environment();
      const apis = [world.api(), await world.more()].slice(0, processes);
      const key = randomUUID();
      const responses = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          untilAnswered(() => (apis[index % processes] ?? world.api()).postEvent(token, anEvent(), key)),
        ),
      );
      expect(new Set(responses.map((response) => response.status))).toEqual(new Set([201]));
      expect(new Set(responses.map((response) => response.text)).size).toBe(1);
      const executed = responses.filter((response) => response.headers['idempotent-replayed'] === undefined);
      expect(executed).toHaveLength(1);
      expect(await world.db().message.count({ where: { environmentId } })).toBe(1);
      expect(await world.db().tenantUsage.findFirst({ where: { tenantId } })).toMatchObject({
        eventsUsed: 1n,
      });
    },
  );

  it('makes a request with the same key and another body wait and then conflict', async () => {
    const { token, environmentId } = await world.environment();
    const gate = createGate();
    const ingest = createIngest(world.db());
    let calls = 0;
    const api = await world.more({
      ingest: async (event) => {
        calls += 1;
        await gate.opened;
        return ingest(event);
      },
    });
    const key = randomUUID();
    const first = api.postEvent(token, anEvent(), key).then((response) => response);
    await until(() => calls === 1);
    const second = untilAnswered(() => api.postEvent(token, anEvent({ payload: {} }), key));
    gate.open();
    expect((await first).status).toBe(201);
    expect((await second).body.error.code).toBe('idempotency_conflict');
    expect(await world.db().message.count({ where: { environmentId } })).toBe(1);
  });

  it('executes the next waiting request when the first one fails', async () => {
    const { token, environmentId } = await world.environment();
    const ingest = createIngest(world.db());
    let calls = 0;
    const api = await world.more({
      ingest: async (event) => {
        calls += 1;
        if (calls === 1) throw new Error('the first one fails');
        return ingest(event);
      },
    });
    const key = randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => untilAnswered(() => api.postEvent(token, anEvent(), key))),
    );
    const statuses = responses.map((response) => response.status).sort();
    expect(statuses).toEqual([...Array.from({ length: 9 }, () => 201), 500]);
    const bodies = responses.filter(({ status }) => status === 201).map(({ text }) => text);
    expect(new Set(bodies).size).toBe(1);
    expect(await world.db().message.count({ where: { environmentId } })).toBe(1);
  });

  it('answers 409 idempotency_in_progress with Retry-After: 1 when the first has not ended in time', async () => {
    const { token } = await world.environment();
    const gate = createGate();
    const ingest = createIngest(world.db());
    let entered = false;
    const api = await world.more({
      ingest: async (event) => {
        entered = true;
        await gate.opened;
        return ingest(event);
      },
    });
    const key = randomUUID();
    const first = api.postEvent(token, anEvent(), key).then((response) => response);
    await until(() => entered);
    const second = await api.postEvent(token, anEvent(), key);
    expect(second.status).toBe(409);
    expect(second.body.error.code).toBe('idempotency_in_progress');
    expect(second.headers['retry-after']).toBe('1');
    gate.open();
    expect((await first).status).toBe(201);
    const third = await api.postEvent(token, anEvent(), key);
    expect(third.headers['idempotent-replayed']).toBe('true');
  });

  it('answers 409 idempotency_in_progress when another process holds the key', async () => {
    const { token, environmentId } = await world.environment();
    const key = randomUUID();
    const response = await whileKeyIsHeld(world.db(), { environmentId, key }, async () =>
      world.api().postEvent(token, anEvent(), key),
    );
    expect(response.status).toBe(409);
    expect(response.body.error.code).toBe('idempotency_in_progress');
    expect(response.headers['retry-after']).toBe('1');
  });
});
