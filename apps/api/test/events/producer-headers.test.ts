import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { batchesOf, item } from '../support/batches.ts';
import { useApi } from '../support/database.ts';

const world = useApi();
const batches = batchesOf(world);
const settings = { idempotencyKeys: 'any' } as const;

describe('Idempotency-Key', () => {
  it('is the same bare, quoted and in upper case', async () => {
    const { token } = await world.environment();
    const key = randomUUID();
    const { body } = await world.api().postEvent(token, anEvent(), key).expect(201);
    for (const same of [`"${key}"`, key.toUpperCase()]) {
      const again = await world.api().postEvent(token, anEvent(), same).expect(201);
      expect([again.body, again.headers['idempotent-replayed']]).toEqual([body, 'true']);
    }
  });

  it('can be any visible ASCII characters only if the environment allows it', async () => {
    const { token } = await world.environment({ settings });
    const strict = await world.environment();
    for (const key of [
      'order-4711',
      '"order 4711"'.replace(' ', '_'),
      'x'.repeat(255),
      '00000000-0000-0000-0000-000000000000',
    ]) {
      const { body } = await world.api().postEvent(token, anEvent(), key).expect(201);
      const again = await world.api().postEvent(token, anEvent(), key).expect(201);
      expect(again.body).toEqual(body);
      const other = await world
        .api()
        .postEvent(token, anEvent({ payload: { other: key } }), key)
        .expect(409);
      expect(other.body.error.code).toBe('idempotency_conflict');
      await world.api().postEvent(strict.token, anEvent(), key).expect(400);
    }
    const [one, two] = await batches.results(token, [item(anEvent(), 'a-1'), item(anEvent(), 'a-2')]);
    expect([one?.status, two?.status]).toEqual([201, 201]);
    const alone = await world.api().postEvent(token, JSON.stringify(anEvent()), 'a-1').expect(201);
    expect(alone.body).toEqual(one?.body);
  });

  it.each(['x'.repeat(256), 'a b', '"a', '"a"b"', 'ä'])('is always refused as %j', async (key) => {
    const { token } = await world.environment({ settings });
    const [result] = await batches.results(token, [item(anEvent(), key)]);
    expect(result?.status).toBe(400);
  });
});

describe('Accept: application/problem+json', () => {
  it('gets refusals as problem details, and other clients get the error object', async () => {
    const { token } = await world.environment();
    const ask = (accept: string) =>
      world
        .api()
        .postEvent(token, {})
        .set('Accept', accept)
        .set('X-Request-ID', 'mine')
        .buffer(true)
        .expect(422);
    const today = (await ask('application/json')).body.error;
    for (const accept of ['application/problem+json', 'application/json, application/problem+json;q=0.5']) {
      const response = await ask(accept);
      expect(response.headers['content-type']).toBe('application/problem+json');
      expect(response.body).toEqual({
        type: 'urn:postrider:error:validation_failed',
        title: today.message,
        status: 422,
        detail: today.message,
        code: 'validation_failed',
        request_id: 'mine',
        details: today.details,
      });
    }
    for (const accept of ['*/*', 'application/problem+json;q=0', 'application/problem+jsonx']) {
      expect((await ask(accept)).body.error).toEqual(today);
    }
  });

  it('does not affect successes, and applies to unknown paths', async () => {
    const { token } = await world.environment();
    const accept = 'application/problem+json';
    const made = await world.api().postEvent(token).set('Accept', accept).expect(201);
    expect(made.headers['content-type']).toContain('application/json');
    const lost = await world.api().get('/api/v1/nothing', token).set('Accept', accept).expect(404);
    expect(lost.body).toMatchObject({ status: 404, code: 'route_not_found' });
  });
});
