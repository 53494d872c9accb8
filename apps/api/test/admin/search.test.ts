import { formatId, parseId } from '@postrider/domain';
import { beforeAll, describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { useApi, WEBHOOK } from '../support/database.ts';

const { api, db, environment } = useApi();

let own: Awaited<ReturnType<typeof environment>>;
let other: Awaited<ReturnType<typeof environment>>;
let messageId: string;
let runId: string;
let environmentId: string;

const KEYS = { search_keys: ['/order_id', '/invoice/number'] };
const event = { payload: { order_id: 'A-7731', invoice: { number: 4711 } } };

beforeAll(async () => {
  own = await environment();
  other = await environment();
  environmentId = formatId('env', own.environmentId);
  for (const { environmentId: id } of [own, other])
    await api()
      .admin('put', `/admin/v1/environments/${formatId('env', id)}/event-types/order.shipped`, KEYS)
      .expect(200);
  await api()
    .admin('put', `/admin/v1/environments/${environmentId}/consumers/org_42`, { name: 'Acme GmbH' })
    .expect(200);
  const sent = await api().postEvent(own.token, anEvent(event)).expect(201);
  await api().postEvent(other.token, anEvent(event)).expect(201);
  messageId = sent.body.message_id;
  runId = sent.body.delivery_runs[0].id;
  await db().$executeRaw`
    INSERT INTO attempts (run_id, number, id, fence, status, started_at, completed_at, provider_message_id)
    VALUES (${parseId('run', runId)}::uuid, 1, gen_random_uuid(), 1, 'succeeded', now(), now(), '4ZQx1k2Wz9')`;
});

const search = async (q: string) =>
  (
    await api()
      .admin('get', `/admin/v1/environments/${environmentId}/lookup?q=${encodeURIComponent(q)}`)
      .expect(200)
  ).body;
const searchOwn = async (q: string, token = own.token) =>
  (
    await api()
      .get(`/api/v1/lookup?q=${encodeURIComponent(q)}`, token)
      .expect(200)
  ).body;

describe('a search in an environment', () => {
  it.each([
    ['a business id', 'A-7731', 'business_id', '/order_id = A-7731'],
    ['a business id in another case', 'a-7731', 'business_id', '/order_id = A-7731'],
    ['the beginning of one', 'A-77', 'business_id', '/order_id = A-7731'],
    ['a number below a path', '4711', 'business_id', '/invoice/number = 4711'],
    ['the id of a mail server', '4ZQx1k2Wz9', 'mail_id', null],
  ])('finds a message by %s, and none of another environment', async (_what, q, type, match) => {
    expect(await search(q)).toMatchObject({
      results: [{ type, match, message_id: messageId, status: 'pending' }],
    });
  });

  it('says that a page of messages has looked back to the beginning', async () => {
    const path = `/admin/v1/environments/${environmentId}/messages`;
    expect((await api().admin('get', path).expect(200)).body.searched_back_to).toBeNull();
  });

  it('finds a message by the Message-ID of its mail and by the end of its id', async () => {
    expect((await search(`<${runId}@example.com>`)).results).toMatchObject([{ delivery_run_id: runId }]);
    expect((await search(messageId.slice(-7))).results).toMatchObject([
      { type: 'id_end', message_id: messageId },
    ]);
  });

  it('finds channels, templates and consumers by the beginning of their names, in any case', async () => {
    expect((await search(WEBHOOK.name.slice(0, 3).toUpperCase())).resources).toMatchObject([
      { type: 'channel', name: WEBHOOK.name },
    ]);
    expect((await search('acme g')).resources).toMatchObject([{ type: 'consumer', id: 'org_42' }]);
    expect((await search('org_4')).resources).toMatchObject([{ type: 'consumer', name: 'Acme GmbH' }]);
  });

  it('finds the messages of an address in lower case by the address in any case', async () => {
    await api()
      .postEvent(own.token, anEvent({ recipient: { email: 'ada.any@example.com' } }))
      .expect(201);
    for (const q of ['ada.any@example.com', 'Ada.Any@Example.com'])
      expect((await search(q)).results).toMatchObject([{ recipient_email: 'ada.any@example.com' }]);
  });

  it('shows a token its own environment alone, business ids only with content, and names only with their scopes', async () => {
    expect((await searchOwn('A-7731')).results).toMatchObject([{ message_id: messageId }]);
    const tokens = `/admin/v1/environments/${environmentId}/tokens`;
    const issue = async (scopes: string[]) =>
      (await api().admin('post', tokens, { name: 'support', scopes }).expect(201)).body.token;
    expect(await searchOwn('A-7731', await issue(['messages:read']))).toMatchObject({
      results: [],
      resources: [],
    });
    const reader = await issue(['messages:read', 'channels:read']);
    expect((await searchOwn(WEBHOOK.name, reader)).resources).toMatchObject([{ type: 'channel' }]);
    expect((await searchOwn('acme', reader)).resources).toEqual([]);
  });
});
