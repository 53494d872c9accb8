import { createIngestBatch } from '@postrider/db';
import { describe, expect, it } from '@postrider/testing';
import { anEvent, startApi } from '../support/api.ts';
import { batchesOf, item, items, outcomes } from '../support/batches.ts';
import { useApi } from '../support/database.ts';

const world = useApi();
const { post, results, stored } = batchesOf(world);

describe('POST /api/v1/events/batch with atomic', () => {
  it('stores all', async () => {
    const environment = await world.environment();
    expect(outcomes(await results(environment.token, items(5), { atomic: true }))).toEqual(
      items(5).map(() => 201),
    );
    expect(await stored(environment)).toEqual({ messages: 5, runs: 5, answers: 5 });
  });

  it('stores nothing when one event is invalid', async () => {
    const environment = await world.environment();
    const events = [item(), item({}), item()];
    const given = await results(environment.token, events, { atomic: true });
    expect(outcomes(given)).toEqual(['batch_aborted', 'validation_failed', 'batch_aborted']);
    expect(await stored(environment)).toEqual({ messages: 0, runs: 0, answers: 0 });
  });

  it('stores nothing if the quota does not suffice for all, and consumes none of it', async () => {
    const environment = await world.environment({ plan: { eventsPerMonth: 4 } });
    const given = await results(environment.token, items(5), { atomic: true });
    expect(outcomes(given)).toEqual([...Array(4).fill('batch_aborted'), 'quota_exceeded']);
    expect(await stored(environment)).toEqual({ messages: 0, runs: 0, answers: 0 });
    expect(outcomes(await results(environment.token, items(4), { atomic: true }))).toEqual(
      Array(4).fill(201),
    );
  });

  it('stores nothing if the transaction finds a key that another event has used', async () => {
    const environment = await world.environment();
    const [taken, other] = [item(), item()];
    const rival = await startApi(world.db());
    const api = await startApi(world.db(), {
      ingestBatch: ((accept) => async (batch) => {
        await post(
          environment.token,
          { events: [item(anEvent({ payload: { first: 1 } }), taken.idempotency_key)] },
          rival,
        );
        return accept(batch);
      })(createIngestBatch(world.db())),
    });
    try {
      const { body } = await post(environment.token, { events: [other, taken], atomic: true }, api);
      expect(outcomes(body.results)).toEqual(['batch_aborted', 'idempotency_conflict']);
      expect(await stored(environment)).toMatchObject({ messages: 1 });
    } finally {
      await api.stop();
      await rival.stop();
    }
  });

  it('takes all of its tokens or none, and reports a batch that can never pass', async () => {
    const { token } = await world.environment({ plan: { requestsPerSecond: 1, burst: 10 } });
    await world.api().postEvent(token);
    await world.api().postEvent(token);
    await world.api().postEvent(token);
    const response = await post(token, { events: items(9), atomic: true });
    expect(new Set(outcomes(response.body.results))).toEqual(new Set(['rate_limited', 'batch_aborted']));
    expect(Number(/r=(\d+)/.exec(response.headers.ratelimit ?? '')?.[1])).toBeGreaterThanOrEqual(6);
    const larger = await post(token, { events: items(11), atomic: true });
    expect([larger.status, larger.body.error.details[0].code]).toEqual([422, 'too_many']);
  });

  it('returns stored responses together with new ones', async () => {
    const environment = await world.environment();
    const events = items(3);
    await results(environment.token, events.slice(0, 2), { atomic: true });
    const given = await results(environment.token, events, { atomic: true });
    expect(given.map(({ status, idempotent_replayed: replayed }) => [status, replayed ?? false])).toEqual([
      [201, true],
      [201, true],
      [201, false],
    ]);
    expect(await stored(environment)).toMatchObject({ messages: 3 });
  });
});
