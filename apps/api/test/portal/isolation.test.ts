import { Agent } from 'node:http';
import { createUuidV7Source, formatId, TOKEN_SCOPES } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import type { AppDeps } from '../../src/app.ts';
import { OPERATIONS } from '../../src/resources.ts';
import { requestWith } from '../hostile/id-places.ts';
import { send } from '../hostile/send.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { HOOK } from '../support/channels.ts';
import { useApi } from '../support/database.ts';
import type { Populated } from '../support/populated.ts';
import { createProduct, type Product } from './support.ts';

/** Grants every request, because this file makes many. */
const takeBucketTokens: AppDeps['takeBucketTokens'] = async (_bucket, _rate, tokens) => ({
  ...{ taken: tokens?.wanted ?? 1, remaining: 1, retryAfterMs: 0, resetMs: 0 },
  giveBack: () => undefined,
});
const world = useApi({ takeBucketTokens });
const agent = new Agent({ keepAlive: true });
const newId = createUuidV7Source();
/** An API whose role owns the tables: row-level security hides nothing from it. */
let unrestricted: TestApi;

/** What every field of others has that they choose. */
const MARKER = 'MARKER-of-others';
const PUBLIC = OPERATIONS.filter(({ path }) => path.startsWith('/api/'));
const OPEN = PUBLIC.filter(({ forConsumers }) => forConsumers);
const CLOSED = PUBLIC.filter(({ forConsumers }) => !forConsumers);

/** A text for each name in a path. */
const ANY = Object.fromEntries(
  PUBLIC.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'x'])),
);

/** What consumers may call. A line more is a decision: docs/specification.md, "Consumers". */
const ALLOWED = `
  get channels/{channelId}, patch channels/{channelId}, delete channels/{channelId}, get channels/{channelId}/attempts
  post channels/{channelId}/filter/test, post channels/{channelId}/pause, post channels/{channelId}/resume
  post channels/{channelId}/rotate-secret, post channels/{channelId}/test, post channels/{channelId}/preview
  get consumers/{consumer}, get consumers/{consumer}/channels, post consumers/{consumer}/channels
  get consumers/{consumer}/deliveries, get consumers/{consumer}/deliveries/{deliveryRunId}
  post consumers/{consumer}/deliveries/{deliveryRunId}/replay
  get delivery-runs/{deliveryRunId}/content, post delivery-runs/{deliveryRunId}/cancel
  get event-types, get event-types/{eventKey}
  get replays, post replays, get replays/{replayId}, post replays/{replayId}/cancel`;

type Names = Readonly<Record<'consumer' | 'channelId' | 'deliveryRunId' | 'replayId', string>>;

let product: Product;
let own: Names & { token: string };
let sibling: Names;
let stranger: Names;
/** The names of the environment itself. */
let environments: Pick<Names, 'channelId' | 'deliveryRunId' | 'replayId'>;

/** A consumer with something of everything; with `mark` in every text. */
async function populateConsumer(of: Product, id: string, mark: string): Promise<Names & { token: string }> {
  const later = new Date(Date.now() + 86_400_000).toISOString();
  const consumer = await of.consumer(id, {
    name: mark,
    attributes: { mark },
    contact_email: `a@${mark}.example`,
  });
  const channel = { ...HOOK, name: mark, config: { url: `https://hooks.example.com/${mark}` } };
  await consumer
    .call('patch', `channels/${consumer.channelId}`, { name: mark, config: channel.config })
    .expect(200);
  const sent = await of.send(id, {
    schedule_at: later,
    payload: { order_id: mark },
    recipient: { name: mark, email: `a@${mark.toLowerCase()}.example` },
  });
  const run = sent.delivery_runs.find((each) => each.channel.id === consumer.channelId);
  await of.fail(run?.id ?? '', mark);
  const replay = await consumer.call('post', 'replays', { filter: {} }).expect(201);
  const { token, channelId } = consumer;
  return { token, channelId, consumer: id, deliveryRunId: run?.id ?? '', replayId: replay.body.id };
}

beforeAll(async () => {
  unrestricted = await startApi(world.db(), { takeBucketTokens });
  product = await createProduct(world, { channels: [] });
  const { body: channel } = await product.call('post', 'channels', { ...HOOK, name: MARKER }).expect(201);
  await product.call('put', 'event-types/order.shipped', { description: 'Shipped' }).expect(200);
  product.forget();
  own = await populateConsumer(product, 'org_1', 'own');
  sibling = await populateConsumer(product, 'org_2', MARKER);
  const other = await createProduct(world, { channels: [] });
  stranger = await populateConsumer(other, 'org_3', MARKER);
  const sent = await product.send(undefined, { payload: { order_id: MARKER } });
  const replays = await product.call('post', 'replays', { filter: {} }).expect(201);
  environments = {
    channelId: channel.id,
    deliveryRunId: sent.delivery_runs[0]?.id ?? '',
    replayId: replays.body.id,
  };
  await product.fail(environments.deliveryRunId, MARKER);
  // Whatever a token may be given: what it may not call is refused because of its consumer.
  await world.db().token.updateMany({
    where: { consumerId: 'org_1' },
    data: { scopes: Object.keys(TOKEN_SCOPES) },
  });
  product.forget();
  unrestricted.deps.snapshots.clear();
});
afterAll(async () => {
  agent.destroy();
  await unrestricted.stop();
});

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

describe.each([
  ['with row-level security', () => world.api()],
  ['by a role to which it does not apply', () => unrestricted],
])('the token of a consumer, %s', (_how, apiOf) => {
  const ask = async (doc: (typeof PUBLIC)[number], name: string, id: string) => {
    const populated = {
      token: own.token,
      parameters: { ...ANY, eventKey: 'order.shipped', ...own },
    } as unknown as Populated;
    const answer = await send(
      agent,
      apiOf().url,
      requestWith(populated, { doc, in: 'path', name, prefix: '' }, id),
    );
    const {
      date: _date,
      'x-trace-id': _traceId,
      ratelimit: _limit,
      'content-length': _length,
      ...headers
    } = answer.headers;
    return {
      status: answer.status,
      text: (id === '' ? answer.text : answer.text.replaceAll(id, '«id»')).replaceAll(TIME, '«time»'),
      headers,
    };
  };

  it.each(CLOSED.map((doc) => [doc.operationId, doc] as const))(
    'is refused what is not for consumers: %s',
    async (_name, doc) => {
      const { status, text } = await ask(doc, '', '');
      expect({ status, message: JSON.parse(text).error.message }).toEqual({
        status: 403,
        message: 'Tokens of a consumer and sessions of its portal cannot call this.',
      });
    },
  );

  const PLACES = OPEN.flatMap((doc) =>
    [...doc.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) =>
      name === 'eventKey' ? [] : [[`${doc.operationId} ${name}`, doc, name as keyof Names] as const],
    ),
  );

  it.each(PLACES)('gets for ids of others what unknown ones get: %s', async (_name, doc, name) => {
    const unknown = name === 'consumer' ? 'org_9' : formatId(own[name].slice(0, 3) as 'chn', newId());
    const expected = await ask(doc, name, unknown);
    expect(expected.status).toBe(404);
    const foreign = [
      sibling[name],
      stranger[name],
      ...(name === 'consumer' ? [] : [environments[name]]),
      'x',
    ];
    for (const id of foreign) {
      expect(id).not.toBe('');
      expect(await ask(doc, name, id)).toEqual(expected);
    }
  });

  it.each(OPEN.filter(({ method }) => method === 'get').map((doc) => [doc.operationId, doc] as const))(
    'sees nothing of others: %s',
    async (_name, doc) => {
      const { status, text } = await ask(doc, '', '');
      expect(status).toBe(200);
      expect(text).not.toContain(MARKER);
      for (const id of [...Object.values(sibling), ...Object.values(environments)])
        expect(text).not.toContain(id);
    },
  );

  it('learns nothing of others by filters, cursors and bulk replays', async () => {
    const get = (query: string) => apiOf().get(`/api/v1/consumers/org_1/deliveries?${query}`, own.token);
    for (const id of [sibling.channelId, environments.channelId, stranger.channelId])
      expect((await get(`channel_id=${id}`).expect(200)).body).toEqual({
        data: [],
        has_more: false,
        next_cursor: null,
      });
    const theirs = await product.call('get', 'consumers/org_2/deliveries?limit=1').expect(200);
    const all = await get('limit=100').expect(200);
    expect(theirs.body.data).toHaveLength(1);
    expect(all.body.data.map(({ id }: { id: string }) => id)).toEqual([own.deliveryRunId]);
    const count = async (body: object) =>
      apiOf()
        .post('/api/v1/replays', own.token)
        .send({ dry_run: true, ...body });
    for (const id of [sibling.channelId, environments.channelId]) {
      expect((await count({ filter: { channel_id: id } })).body).toMatchObject({ matched: 0 });
      expect((await count({ filter: {}, channels: [id] })).status).toBe(422);
    }
    expect((await count({ filter: { consumer: 'org_2' } })).status).toBe(422);
    expect((await count({ filter: { consumer: 'org_9' } })).status).toBe(422);
    expect((await count({ filter: { status: 'failed' } })).status).toBe(422);
    expect((await count({ filter: {} })).body).toMatchObject({ matched: 1 });
  });
});

describe('the operations for consumers', () => {
  it('are an allowlist, which the OpenAPI document shows', () => {
    const paths = OPEN.map(({ method, path }) => `${method} ${path.replace('/api/v1/', '')}`);
    expect(paths.sort()).toEqual(
      ALLOWED.trim()
        .split(/,?\s*\n\s*|, /)
        .sort(),
    );
  });
});
