import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { storeToken } from '@postrider/db';
import {
  ALL_SCOPES,
  BUILT_IN_ROLES,
  createToken,
  ENVIRONMENT_SCOPES,
  parseId,
  withReads,
} from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { concernsInstallation, isManagement, type OperationDescription } from '../src/openapi/operation.ts';
import { OPERATIONS } from '../src/resources.ts';
import { idPlacesOf, requestWith } from './hostile/id-places.ts';
import { send as sendRaw } from './hostile/send.ts';
import { isDocumented } from './openapi-conformance.ts';
import { ADMIN_TOKEN } from './support/api.ts';
import { useApi } from './support/database.ts';
import { type Populated, populate, replayMatching } from './support/populated.ts';

const { api, db } = useApi();

const ADMIN = OPERATIONS.filter(isManagement);
const PUBLIC = OPERATIONS.filter((operation) => !isManagement(operation));
const ROLES = Object.keys(BUILT_IN_ROLES) as (keyof typeof BUILT_IN_ROLES)[];

const agent = new Agent({ keepAlive: true });
let world: Populated;
let other: Populated;
let parameters: Readonly<Record<string, string>>;
const tokens: Record<string, string> = {};

async function issue(name: string, body: object): Promise<void> {
  const answer = await api()
    .admin('post', '/admin/v1/operator-tokens', { name: 'matrix', ...body })
    .expect(201);
  tokens[name] = answer.body.token;
}

/** The token of an environment with these scopes. */
async function environmentToken(scopes: readonly string[]): Promise<string> {
  const environmentId = parseId('env', parameters.environmentId ?? '') ?? '';
  const token = createToken('production');
  const name = randomUUID();
  await storeToken({ db: db(), newId: randomUUID }, { environmentId, name, token });
  await db().token.updateMany({ where: { name }, data: { scopes: [...scopes] } });
  return token;
}

beforeAll(async () => {
  world = await populate(api(), db());
  other = await populate(api(), db());
  const { environmentId = '' } = world.parameters;
  parameters = { ...world.parameters, replayId: await replayMatching(api(), environmentId) };
  for (const role of ROLES) await issue(role, { role });
  await issue('other tenant', { role: 'admin', tenants: [other.parameters.tenantId] });
  await issue('other environment', { role: 'admin', environments: [other.parameters.environmentId] });
  await issue('own tenant', { role: 'admin', tenants: [parameters.tenantId] });
  await issue('own environment', { role: 'admin', environments: [parameters.environmentId] });
});

afterAll(() => agent.destroy());

/** An id that nothing has, for one with the same prefix. */
const unknown = (id: string) => id.replace(/_[0-7][0-9a-hjkmnp-tv-z]{25}$/, '_01h455vb4pex5vsknk084sn02q');

/** Sends the first example of an operation about what is there, or about ids that nothing has. */
function send(operation: OperationDescription, token: string, about: 'known' | 'unknown') {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const id = parameters[name] ?? String(operation.parameters.find((each) => each.name === name)?.example);
    return encodeURIComponent(about === 'known' ? id : unknown(id));
  });
  const test = supertest(api().url)[operation.method](path).set('Authorization', `Bearer ${token}`);
  if (operation.traits?.idempotency.key === 'required') test.set('Idempotency-Key', randomUUID());
  const [example] = Object.values(operation.body?.examples ?? {});
  if (example) test.send(example.value as object);
  if (['findByText', 'searchEnvironment'].includes(operation.operationId)) test.query({ q: 'req-1' });
  return test.expect(isDocumented);
}

const isRefused = ({ status }: { status: number }) => status === 401 || status === 403;
const named = (operations: readonly OperationDescription[]) =>
  operations.map((operation) => [operation.operationId, operation] as const);

describe('each operation of the management API', () => {
  it.each(named(ADMIN))('is allowed by its scope to each role: %s', async (_id, operation) => {
    for (const role of ROLES) {
      const response = await send(operation, tokens[role] ?? '', 'unknown');
      const isAllowed = withReads(BUILT_IN_ROLES[role]).has(operation.scope);
      expect({ role, isAllowed: !isRefused(response) }).toEqual({ role, isAllowed });
      if (!isAllowed) {
        expect(response.body.error).toMatchObject({
          code: 'forbidden',
          message: `This requires the scope ${operation.scope}.`,
        });
        expect(response.headers['www-authenticate']).toContain(`scope="${operation.scope}"`);
      }
    }
  });

  it.each(named(ADMIN))(
    'is allowed with ADMIN_TOKEN, and not with the token of an environment: %s',
    async (_id, operation) => {
      expect(isRefused(await send(operation, ADMIN_TOKEN, 'unknown'))).toBe(false);
      expect((await send(operation, world.token, 'unknown')).status).toBe(401);
    },
  );

  it.each(named(ADMIN))('hides what is outside of the bounds: %s', async (_id, operation) => {
    for (const bound of ['other tenant', 'other environment']) {
      const response = await send(operation, tokens[bound] ?? '', 'known');
      if (concernsInstallation(operation)) {
        expect(response.status).toBe(403);
        expect(response.body.error.message).toContain('the whole installation');
      } else if (operation.filtersByBounds) {
        expect(response.status).toBe(200);
        expect(JSON.stringify(response.body)).not.toContain(parameters.environmentId);
        expect(JSON.stringify(response.body)).not.toContain(parameters.tenantId);
      } else {
        const asUnknown = await send(operation, tokens.admin ?? '', 'unknown');
        const { status, error } = { status: response.status, error: response.body.error };
        expect({ status, error }).toEqual({ status: 404, error: asUnknown.body.error });
      }
    }
  });

  it.each(named(ADMIN.filter(({ method }) => method === 'get')))(
    'shows what is within the bounds: %s',
    async (_id, operation) => {
      for (const bound of ['own tenant', 'own environment']) {
        const response = await send(operation, tokens[bound] ?? '', 'known');
        const expected = concernsInstallation(operation) ? 403 : 200;
        // There is no attempt whose content could be shown.
        if (operation.operationId !== 'getEnvironmentDeliveryContent') expect(response.status).toBe(expected);
      }
    },
  );
});

describe('an id outside the bounds, in a query or a body', () => {
  const PLACES = ADMIN.flatMap(idPlacesOf).filter((place) => place.in !== 'path');
  const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

  it.each(PLACES.map((place) => [`${place.doc.operationId} ${place.name}`, place] as const))(
    'gets the same response as one that does not exist: %s',
    async (_name, place) => {
      const ids = other.parameters;
      const foreign = ids[place.name] ?? Object.values(ids).find((id) => id.startsWith(`${place.prefix}_`));
      const answerTo = async (id: string) => {
        const request = requestWith({ ...world, parameters }, place, id);
        const headers = { ...request.headers, authorization: `Bearer ${tokens['own environment']}` };
        const { status, text } = await sendRaw(agent, api().url, { ...request, headers });
        return { status, text: text.replaceAll(id, '«id»').replaceAll(TIME, '«time»') };
      };
      expect(foreign).toBeDefined();
      expect(await answerTo(foreign ?? '')).toEqual(await answerTo(unknown(foreign ?? '')));
    },
  );
});

describe('each operation of the public API', () => {
  it.each(named(PUBLIC))('is allowed by its scope to tokens of environments: %s', async (_id, operation) => {
    const all = await environmentToken(ENVIRONMENT_SCOPES);
    const without = await environmentToken(
      ENVIRONMENT_SCOPES.filter((scope) => !withReads([scope]).has(operation.scope)),
    );
    expect(isRefused(await send(operation, all, 'unknown'))).toBe(false);
    const refused = await send(operation, without, 'unknown');
    expect(refused.status).toBe(403);
    expect(refused.body.error.message).toBe(`This requires the scope ${operation.scope}.`);
    for (const token of [ADMIN_TOKEN, tokens.admin ?? ''])
      expect((await send(operation, token, 'unknown')).status).toBe(401);
  });
});

describe('each scope', () => {
  it('is that of an operation, or of a field of one', () => {
    const used = new Set(OPERATIONS.map(({ scope }) => scope));
    // Decides about fields of channels: keyless-channels.test.ts.
    expect(ALL_SCOPES.filter((scope) => !used.has(scope))).toEqual(['keyless:write']);
  });
});
