import { randomUUID } from 'node:crypto';
import { TOKEN_SCOPES } from '@postrider/domain';
import supertest from 'supertest';
import { isDocumented } from '../openapi-conformance.ts';
import { anEvent } from './api.ts';
import { HOOK } from './channels.ts';
import type { useApi } from './database.ts';

type World = ReturnType<typeof useApi>;
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** An environment with the channel "Shop" of its own, and requests of a token of it that may do everything. */
export async function anEnvironment(world: World, input: Parameters<World['environment']>[0] = {}) {
  const fixture = await world.environment({ scopes: Object.keys(TOKEN_SCOPES), ...input });
  const call = (method: Method, path: string, body?: unknown) => {
    const test = supertest(world.api().url)
      [method](`/api/v1/${path}`)
      .set('Authorization', `Bearer ${fixture.token}`);
    if (body !== undefined) test.type('application/json').send(JSON.stringify(body));
    return test.expect(isDocumented);
  };
  const put = async (id: string, body: object = {}) => {
    const { body: consumer } = await call('put', `consumers/${id}`, body).expect(200);
    // This API does not listen to notices.
    world.api().deps.snapshots.clear();
    return consumer;
  };
  const channel = async (id: string, changes: object = {}) => {
    const { body } = await call('post', `consumers/${id}/channels`, { ...HOOK, ...changes }).expect(201);
    world.api().deps.snapshots.clear();
    return body as { id: string; consumer: string };
  };
  const send = (consumer: string | undefined, changes: object = {}, key = randomUUID()) =>
    world.api().postEvent(fixture.token, anEvent({ ...(consumer && { consumer }), ...changes }), key);
  const takenBy = async (consumer: string | undefined, changes: object = {}) => {
    const { body } = await send(consumer, changes).expect(201);
    return body.delivery_runs.map(({ channel: { name } }: { channel: { name: string } }) => name).sort();
  };
  return { ...fixture, call, put, channel, send, takenBy };
}
