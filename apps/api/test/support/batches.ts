import { randomUUID } from 'node:crypto';
import { expect } from '@postrider/testing';
import { anEvent } from './api.ts';
import type { useApi } from './database.ts';

export type Item = { idempotency_key: string; event: unknown };
export type Result = {
  status: number;
  body: Record<string, never>;
  idempotent_replayed?: true;
  retry_after?: number;
};

export const item = (event: unknown = anEvent(), key: string = randomUUID()): Item => ({
  idempotency_key: key,
  event,
});
export const items = (count: number) => Array.from({ length: count }, () => item());

/** The error code of each result, or its status when it has none. */
export const outcomes = (of: Result[]) =>
  of.map(({ status, body }) => (body as { error?: { code: string } }).error?.code ?? status);

/** Sends batches to the API of a test file, and counts what is stored of them. */
export function batchesOf(world: ReturnType<typeof useApi>) {
  /** Sends a text unchanged, and other values as JSON. */
  function post(token: string, body: unknown, api = world.api()) {
    return api
      .post('/api/v1/events/batch', token)
      .set('Content-Type', 'application/json')
      .send(typeof body === 'string' ? body : JSON.stringify(body));
  }
  return {
    post,
    async results(token: string, events: Item[], more: object = {}): Promise<Result[]> {
      const response = await post(token, { events, ...more });
      expect(response.status).toBe(200);
      return response.body.results;
    },
    async stored(environment: { environmentId: string; tenantId: string }) {
      const where = { environmentId: environment.environmentId };
      return {
        messages: await world.db().message.count({ where }),
        runs: await world.db().deliveryRun.count({ where }),
        answers: await world.db().idempotencyRecord.count({ where }),
      };
    },
  };
}
