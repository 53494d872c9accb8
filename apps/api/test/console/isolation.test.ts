import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@postrider/testing';
import type { OperationDescription } from '../../src/openapi/operation.ts';
import { OPERATIONS } from '../../src/resources.ts';
import { idPlacesOf } from '../hostile/id-places.ts';
import { anEvent } from '../support/api.ts';
import { type Browser, openBrowser } from '../support/console.ts';
import { useApi } from '../support/database.ts';
import { type Populated, populate, replayMatching } from '../support/populated.ts';

const { api, db } = useApi();

/** A text of the other environment, which no response may contain. */
const SECRET = 'only-of-the-victim@example.com';
let victim: Populated;
let stranger: Populated;
let integrator: Browser;
let operator: Browser;

beforeAll(async () => {
  const made = await populate(api(), db());
  await api()
    .postEvent(made.token, anEvent({ recipient: { email: SECRET }, schedule_at: '2099-01-01T00:00:00Z' }))
    .expect(201);
  const replayId = await replayMatching(api(), made.parameters.environmentId ?? '');
  const victimBrowser = await openBrowser(api(), made.token);
  const consoleSessionId = victimBrowser.session.id;
  victim = { ...made, parameters: { ...made.parameters, replayId, consoleSessionId } };
  stranger = await populate(api(), db());
  integrator = await openBrowser(api(), stranger.token);
  operator = await openBrowser(api());
});

const bodiesOf = ({ body }: OperationDescription): unknown[] =>
  body === undefined ? [undefined] : Object.values(body.examples).map(({ value }) => value);

/** A request of an operation with ids of the victim wherever it has ids. */
function requestsOf(operation: OperationDescription, browser: Browser) {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    String(victim.parameters[name] ?? operation.parameters.find((one) => one.name === name)?.example),
  );
  const required = operation.parameters.filter((one) => one.in === 'query' && one.required);
  const query = Object.fromEntries(required.map(({ name }) => [name, SECRET]));
  return bodiesOf(operation).map((body) => {
    const request = browser.request(operation.method, path).query(query).set('Idempotency-Key', randomUUID());
    return body === undefined ? request : request.type('application/json').send(JSON.stringify(body));
  });
}

const isPublic = (operation: OperationDescription) => operation.path.startsWith('/api/');
const hasId = ({ path }: OperationDescription) => /\{\w+Id\}/.test(path);
const namesOf = (operations: readonly OperationDescription[]) =>
  operations.map((operation) => [operation.operationId, operation] as const);

describe("an integrator's session", () => {
  it.each(namesOf(OPERATIONS.filter((operation) => !isPublic(operation))))(
    'gets 401 from the management API: %s',
    async (_name, operation) => {
      for (const request of requestsOf(operation, integrator)) {
        const response = await request;
        expect(response.status).toBe(401);
        expect(response.body.error.code).toBe('unauthorized');
      }
    },
  );

  it.each(namesOf(OPERATIONS.filter((operation) => isPublic(operation) && hasId(operation))))(
    'gets 404 for resources of another environment: %s',
    async (_name, operation) => {
      for (const request of requestsOf(operation, integrator)) {
        const response = await request;
        expect(response.status).toBe(404);
        expect(response.text).not.toContain(SECRET);
      }
    },
  );

  it.each(
    namesOf(OPERATIONS.filter((operation) => isPublic(operation) && idPlacesOf(operation).length === 0)),
  )(
    'gets the same responses as its token, without data of another environment: %s',
    async (_name, operation) => {
      // Callers choose the ids of consumers. Another case may have deleted this one.
      const { consumer } = victim.parameters;
      if (operation.path.includes('{consumer}'))
        await integrator.request('put', `/api/v1/consumers/${consumer}`).send({ name: 'Acme' });
      for (const request of requestsOf(operation, integrator)) {
        const response = await request;
        expect(response.status).toBeLessThan(300);
        expect(response.text).not.toContain(SECRET);
        for (const id of [victim.parameters.environmentId, victim.parameters.messageId]) {
          expect(response.text).not.toContain(id);
        }
      }
    },
  );

  it('sees what its token sees, and shares its idempotency, quota and rate limit', async () => {
    const messages = await integrator.request('get', '/api/v1/messages').expect(200);
    const byToken = await api().get('/api/v1/messages', stranger.token).expect(200);
    expect(messages.body).toEqual(byToken.body);
    expect(messages.headers['ratelimit-policy']).toBe(byToken.headers['ratelimit-policy']);
    const key = randomUUID();
    const post = () =>
      integrator.request('post', '/api/v1/events').set('Idempotency-Key', key).send(anEvent());
    const first = await post().expect(201);
    const again = await api().postEvent(stranger.token, anEvent(), key).expect(201);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
    await integrator.request('post', '/api/v1/events').send(anEvent()).expect(400);
  });
});

describe("an operator's session", () => {
  it.each(namesOf(OPERATIONS.filter(isPublic)))(
    'does not work on the public API: %s',
    async (_name, operation) => {
      for (const request of requestsOf(operation, operator)) expect((await request).status).toBe(401);
    },
  );
});
