import { Agent } from 'node:http';
import { channelKinds } from '@postrider/channels';
import { createUuidV7Source, formatId, type IdPrefix, parseId } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { selfServiceResources } from '../src/admin/self-service.ts';
import type { OperationDescription } from '../src/openapi/operation.ts';
import { OPERATIONS } from '../src/resources.ts';
import { type IdPlace, idPlacesOf, requestWith } from './hostile/id-places.ts';
import { send } from './hostile/send.ts';
import { startApi, type TestApi } from './support/api.ts';
import { HOOK } from './support/channels.ts';
import { useApi } from './support/database.ts';
import { type Populated, populate, replayMatching } from './support/populated.ts';

const world = useApi();
const newId = createUuidV7Source();
const agent = new Agent({ keepAlive: true });
/** An API whose role owns the tables: row-level security hides nothing from it. */
let unrestricted: TestApi;
let victim: Populated;
/** All that the victim has, as an operator sees it. */
let before: readonly string[];

async function populated(tenantId?: string): Promise<Populated> {
  const made = await populate(world.api(), world.db(), tenantId === undefined ? {} : { tenantId });
  const replayId = await replayMatching(world.api(), made.parameters.environmentId ?? '');
  return { ...made, parameters: { ...made.parameters, replayId } };
}

/** What an operator reads of the victim. */
async function readVictim(): Promise<string[]> {
  const { environmentId, messageId } = victim.parameters;
  const lists = ['channels', 'templates', 'layouts', 'partials', 'translations', 'event-types', 'consumers'];
  const paths = [...lists, 'suppressions', 'paused-streams', 'replays', 'messages'];
  const answers = [];
  for (const path of [...paths, `messages/${messageId}/deliveries`]) {
    answers.push(
      await world.api().admin('get', `/admin/v1/environments/${environmentId}/${path}`).expect(200),
    );
  }
  return answers.map(({ text }) => text);
}

beforeAll(async () => {
  victim = await populated();
  await world.api().postEvent(victim.token).expect(201);
  before = await readVictim();
  unrestricted = await startApi(world.db());
});
afterAll(async () => {
  agent.destroy();
  await unrestricted.stop();
});

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const PUBLIC = OPERATIONS.filter(({ path }) => path.startsWith('/api/'));
const PLACES = PUBLIC.flatMap(idPlacesOf);

const OWN = new Set(
  selfServiceResources(channelKinds).flatMap(({ operations }) =>
    operations.map(({ operationId }) => operationId),
  ),
);
const IN_OWN_PATHS = PLACES.filter((place) => place.in === 'path' && OWN.has(place.doc.operationId)).map(
  (place) => [`${place.doc.operationId} ${place.name}`, place] as const,
);

const IS_ID = /^[a-z]{3}_/;
const isOfPrefix = (prefix: string) => (id: string) => id.startsWith(`${prefix}_`);
/** The victim's id for a place. */
const foreignId = ({ prefix, name }: IdPlace) =>
  victim.parameters[name] ?? Object.values(victim.parameters).find(isOfPrefix(prefix)) ?? '';

describe('every place for an id in the public API', () => {
  it('is one of which the victim has a resource', () => {
    expect(PLACES.filter((place) => !isOfPrefix(place.prefix)(foreignId(place)))).toEqual([]);
    const withPlace = new Set(PLACES.map(({ doc }) => doc));
    expect(PUBLIC.filter((doc) => /\{\w+Id\}/.test(doc.path) && !withPlace.has(doc))).toEqual([]);
    expect(PLACES.filter((place) => place.in === 'body').map(({ name }) => name)).toEqual(
      expect.arrayContaining(['/channels/0', '/filter/channel_id', '/parts/0']),
    );
  });
});

/** The tokens of an environment by operation: one with all scopes, or for each operation one with no other scope. */
type TokenFor = (doc: OperationDescription) => string;

async function tokensOfOneScope({ parameters }: Populated): Promise<TokenFor> {
  const path = `/admin/v1/environments/${parameters.environmentId}/tokens`;
  const tokens = new Map<string, string>();
  for (const { scope } of PUBLIC) {
    if (tokens.has(scope)) continue;
    const { body } = await world
      .api()
      .admin('post', path, { name: scope, scopes: [scope] })
      .expect(201);
    tokens.set(scope, body.token);
  }
  return ({ scope }) => tokens.get(scope) ?? '';
}

const sameTenant = () => populated(parseId('ten', victim.parameters.tenantId ?? '') ?? '');
const allScopes =
  async ({ token }: Populated): Promise<TokenFor> =>
  () =>
    token;

describe.each([
  ['of another environment of the tenant', sameTenant, allScopes],
  ['of another tenant', () => populated(), allScopes],
  ['of another tenant with one scope', () => populated(), tokensOfOneScope],
])('the token %s', (_who, createStranger, tokensOf) => {
  let stranger: Populated;
  let tokenFor: TokenFor;
  /** Its own operational channel, which is the operator's. */
  let operationalId: string;
  beforeAll(async () => {
    stranger = await createStranger();
    tokenFor = await tokensOf(stranger);
    const channels = `/admin/v1/environments/${stranger.parameters.environmentId}/channels`;
    const channel = { ...HOOK, operational: true };
    operationalId = (await world.api().admin('post', channels, channel).expect(201)).body.id;
  });

  describe.each([
    ['with row-level security', () => world.api()],
    ['by a role to which it does not apply', () => unrestricted],
  ])('%s', (_how, apiOf) => {
    const answerTo = async (place: IdPlace, id: string) => {
      const request = requestWith({ ...stranger, token: tokenFor(place.doc) }, place, id);
      const answer = await send(agent, apiOf().url, request);
      const { date: _date, 'x-trace-id': _traceId, ...headers } = answer.headers;
      const text = answer.text.replaceAll(id, '«id»').replaceAll(TIME, '«time»');
      return { status: answer.status, text, headers };
    };

    it.each(PLACES.map((place) => [`${place.doc.operationId} ${place.in} ${place.name}`, place] as const))(
      'gets the same response for a foreign id as for one that does not exist: %s',
      async (_name, place) => {
        const foreign = await answerTo(place, foreignId(place));
        expect(foreign).toEqual(await answerTo(place, formatId(place.prefix as IdPrefix, newId())));
        if (place.in === 'path') {
          expect(foreign.status).toBe(404);
          expect(foreign).toEqual(await answerTo(place, 'x'));
        }
      },
    );

    it.each(IN_OWN_PATHS)(
      'gets the same response for an id that only operators use: %s',
      async (_name, place) => {
        const { environmentId, tenantId, tokenId, erasureId, operatorId, operatorTokenId, code } =
          stranger.parameters;
        // An environment of an existing tenant has no plan of its own.
        const ids = [environmentId, tenantId, tokenId, erasureId, operatorId, operatorTokenId, code].filter(
          Boolean,
        );
        const unknown = await answerTo(place, 'x');
        expect(unknown.status).toBe(404);
        for (const id of ids) expect(await answerTo(place, String(id))).toEqual(unknown);
        if (place.prefix === 'chn') expect(await answerTo(place, operationalId)).toEqual(unknown);
      },
    );

    it('sees nothing of the victim in any list', async () => {
      // Usage is that of the tenant, with its environments.
      const lists = PUBLIC.filter(
        ({ method, path, operationId }) =>
          method === 'get' && !path.includes('{') && operationId !== 'getCurrentUsage',
      );
      for (const doc of lists) {
        const { path } = doc;
        const query = path.endsWith('/lookup') ? `?q=${victim.parameters.messageId}` : '';
        const { text } = await apiOf().get(`${path}${query}`, tokenFor(doc)).expect(200);
        // Both may have the same tenant, and callers choose the ids of consumers.
        const shared = [stranger.parameters.tenantId, stranger.parameters.consumer];
        const seen = Object.values(victim.parameters).filter(
          (id) => IS_ID.test(id) && !shared.includes(id) && text.includes(id),
        );
        expect({ path, seen }).toEqual({ path, seen: [] });
      }
    });
  });

  it('cannot page into foreign messages with a foreign cursor', async () => {
    const page = await world.api().get('/api/v1/messages?limit=1', victim.token);
    const cursor = page.body.next_cursor;
    const { body } = await world.api().get(`/api/v1/messages?cursor=${cursor}`, stranger.token);
    expect(JSON.stringify(body)).not.toContain(victim.parameters.messageId);
  });
});

describe('the victim', () => {
  it('has lost nothing, and got nothing', async () => {
    expect(await readVictim()).toEqual(before);
  });
});
