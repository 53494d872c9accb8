import { randomInt, randomUUID } from 'node:crypto';
import type { FixtureInput } from '@postrider/db/testing';
import { CONSUMER_SCOPES, parseId } from '@postrider/domain';
import supertest from 'supertest';
import { isDocumented } from '../openapi-conformance.ts';
import { anEvent, type TestApi } from '../support/api.ts';
import { HOOK } from '../support/channels.ts';
import type { useApi } from '../support/database.ts';
import { createOutsider, type Method } from '../support/outsider.ts';

/** Requests to the public API with a token. */
export const callWith =
  (api: TestApi, token: string) =>
  (method: Method, path: string, body?: unknown, key?: string): supertest.Test => {
    const test = supertest(api.url)[method](`/api/v1/${path}`).set('Authorization', `Bearer ${token}`);
    if (key) test.set('Idempotency-Key', key);
    if (body !== undefined) test.type('application/json').send(JSON.stringify(body));
    return test.expect(isDocumented);
  };

/** Redeems a link, each time from another address, because failures of one are limited. */
export const redeemLink = (api: TestApi, link: string, environment: string | null) =>
  supertest(api.url)
    .post('/portal/session')
    .set('X-Forwarded-For', [10, randomInt(256), randomInt(256), randomInt(256)].join('.'))
    .send({ link, environment });

/** An environment whose token may do everything, with consumers on demand. */
export async function createProduct(world: ReturnType<typeof useApi>, input: FixtureInput = {}) {
  const outsider = await createOutsider(world, input);
  const api = world.api();
  // This API does not listen to notices.
  const forget = () => api.deps.snapshots.clear();

  /** A consumer with a channel of its own, and requests with a token of it. */
  async function consumer(id: string, settings: object = {}, scopes: readonly string[] = CONSUMER_SCOPES) {
    await outsider.call('put', `consumers/${id}`, settings).expect(200);
    const channel = await outsider.call('post', `consumers/${id}/channels`, { ...HOOK, name: `${id} hook` });
    const issued = await api
      .admin('post', `${outsider.admin}/tokens`, { name: id, consumer: id, scopes })
      .expect(201);
    forget();
    return {
      id,
      token: issued.body.token as string,
      tokenId: issued.body.id as string,
      channelId: channel.body.id as string,
      call: callWith(api, issued.body.token),
    };
  }

  /** Sends an event, to a consumer if it is named. */
  async function send(id: string | undefined, changes: object = {}) {
    const event = anEvent({ ...(id && { consumer: id }), ...changes });
    const { body } = await api.postEvent(outsider.token, event).expect(201);
    return body as { message_id: string; delivery_runs: { id: string; channel: { id: string } }[] };
  }

  /** Ends a run as failed, with one attempt to which the receiver has answered this. */
  async function fail(runId: string, responseExcerpt: string | null = null): Promise<void> {
    const id = parseId('run', runId) ?? '';
    await world.db().deliveryRun.update({
      where: { id },
      data: { status: 'failed', completedAt: new Date(), lastErrorCode: 'webhook_timeout', attemptCount: 1 },
    });
    await world.db().attempt.create({
      data: {
        id: randomUUID(),
        runId: id,
        number: 1,
        fence: 1,
        status: 'failed',
        errorCode: 'webhook_timeout',
        errorMessage: 'no answer',
        responseExcerpt,
        startedAt: new Date(),
        completedAt: new Date(),
      },
    });
  }

  /** Opens a session of the portal, as the page does. */
  async function openSession(id: string, settings: object = {}) {
    const { body: link } = await outsider
      .call('post', `consumers/${id}/portal-sessions`, settings)
      .expect(201);
    const url = new URL(link.url, 'https://portal.test');
    const redeem = () =>
      redeemLink(api, url.hash.slice('#link='.length), url.searchParams.get('environment'));
    return { link, url, redeem };
  }

  return { ...outsider, forget, consumer, send, fail, openSession };
}

export type Product = Awaited<ReturnType<typeof createProduct>>;
