import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { TOKEN_SCOPES } from '@postrider/domain';
import { afterEach, describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { anEvent, startApi } from './support/api.ts';
import { EMAIL, EMAIL_TEMPLATE, useApi, WEBHOOK } from './support/database.ts';
import { createOutsider } from './support/outsider.ts';

const world = useApi();
const { api } = world;

const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

/** A client of the official SDK, as an agent has it. */
async function connect(token: string, { write = true } = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const url = new URL(`${api().url}/mcp${write ? '?write=true' : ''}`);
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  clients.push(client);
  return client;
}

/** The text of a tool's result, and whether it is an error. */
async function use(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: args });
  const [first] = content as readonly { readonly text: string }[];
  return { text: first?.text ?? '', isError: Boolean(isError) };
}

/** An environment with two channels, a template, and an event to Ada. */
async function aTenant(scopes: readonly string[] = Object.keys(TOKEN_SCOPES)) {
  const outsider = await createOutsider(world, {
    scopes: [...scopes],
    channels: [WEBHOOK, EMAIL],
    templates: [EMAIL_TEMPLATE],
  });
  const event = anEvent({
    recipient: { email: 'ada@mail.example.com', name: 'Ada Lovelace' },
    payload: { order: 'A-4711' },
  });
  const sent = (await api().postEvent(outsider.token, event)).body;
  return { ...outsider, messageId: String(sent.message_id) };
}

async function idsOf(client: Client) {
  const { data } = JSON.parse((await use(client, 'list_channels')).text);
  const channel = data.find(({ kind }: { kind: string }) => kind === 'webhook');
  return { channelId: String(channel.id) };
}

const READ = [
  'find_messages',
  'explain_message',
  'needs_attention',
  'list_channels',
  'get_channel',
  'list_event_types',
  'preview_template',
  'usage_and_limits',
  'count_replay',
];
const WRITE = ['replay_message', 'start_replay', 'send_test', 'cancel_message'];

/** The arguments with which each tool works in the environment of these ids. */
const argumentsOf = (messageId: string, channelId: string): Record<string, Record<string, unknown>> => ({
  explain_message: { message_id: messageId },
  get_channel: { channel_id: channelId, outcome: 'succeeded' },
  preview_template: { event_key: EMAIL_TEMPLATE.eventKey, recipient: { name: 'Ada' } },
  start_replay: { expected: 1 },
  replay_message: { message_id: messageId },
  send_test: { channel_id: channelId },
  cancel_message: { message_id: messageId },
});

describe('the tools of /mcp', () => {
  it('change nothing unless the client asks for those that do', async () => {
    const { token } = await aTenant();
    const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
    expect(await namesOf(await connect(token, { write: false }))).toEqual(READ);
    expect(await namesOf(await connect(token))).toEqual([...READ, ...WRITE]);
  });

  it('each work with a token that has the scopes', async () => {
    const { token, messageId } = await aTenant();
    const client = await connect(token);
    const { channelId } = await idsOf(client);
    const args = argumentsOf(messageId, channelId);
    for (const name of [...READ, ...WRITE]) {
      const { text, isError } = await use(client, name, args[name]);
      expect({ name, text, isError }).toEqual({ name, text: expect.any(String), isError: false });
    }
  });

  it('each are refused to a token without the scope, which the result names', async () => {
    const { messageId, token: full } = await aTenant();
    const { channelId } = await idsOf(await connect(full));
    const { token } = await aTenant(['events:write']);
    const client = await connect(token);
    const args = { ...argumentsOf(messageId, channelId), find_messages: { text: 'A-4711' } };
    for (const name of [...READ, ...WRITE]) {
      const { text, isError } = await use(client, name, args[name as keyof typeof args]);
      expect({ name, text, isError }).toEqual({
        name,
        text: expect.stringMatching(/^This requires the scope [a-z-]+:[a-z]+\.$/),
        isError: true,
      });
    }
  });

  it('change something under the address of their client', async () => {
    const { token, audit } = await aTenant();
    const proxied = await startApi(world.db(), { trustedProxies: ['127.0.0.0/8'] });
    await supertest(proxied.url)
      .post('/mcp?write=true')
      .set({ Authorization: `Bearer ${token}`, 'X-Forwarded-For': '203.0.113.9' })
      .set('Accept', 'application/json, text/event-stream')
      .send({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'start_replay', arguments: { expected: 1 } },
      })
      .expect(200);
    await proxied.stop();
    expect((await audit())[0]?.address).toBe('203.0.113.9');
  });

  it('are refused by a process that stops, so that none breaks halfway', async () => {
    const { token } = await aTenant();
    const stopping = await startApi(world.db(), { isStopping: () => true });
    const { body } = await supertest(stopping.url)
      .post('/mcp')
      .set('Authorization', `Bearer ${token}`)
      .send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
      .expect(503);
    expect(body.error.code).toBe('service_unavailable');
    await stopping.stop();
  });

  it('end without an error if the client has gone', async () => {
    const { token } = await aTenant();
    const { snapshots } = api().deps;
    let hangUp = () => {};
    const onRequest = (message: unknown) => {
      const { socket } = message as { readonly socket: Socket };
      hangUp = () => socket.destroy();
    };
    const server = await startApi(world.db(), {
      snapshots: {
        ...snapshots,
        async token(hash) {
          const found = await snapshots.token(hash);
          hangUp();
          return found;
        },
      },
    });
    subscribe('http.server.request.start', onRequest);
    const asked = supertest(server.url).post('/mcp').set('Authorization', `Bearer ${token}`);
    await expect(asked.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).rejects.toThrow(
      'socket hang up',
    );
    unsubscribe('http.server.request.start', onRequest);
    await server.stop();
    expect(server.log.map(({ level }) => level)).toEqual(['info']);
  });

  it('show nothing of another tenant, and change nothing there', async () => {
    const victim = await aTenant();
    const { channelId } = await idsOf(await connect(victim.token));
    const { token } = await createOutsider(world);
    const client = await connect(token);
    const args = { ...argumentsOf(victim.messageId, channelId), find_messages: { text: victim.messageId } };
    for (const name of [...READ, ...WRITE]) {
      const { text } = await use(client, name, args[name as keyof typeof args]);
      expect({ name, text }).not.toEqual({
        name,
        text: expect.stringMatching(/Ada|A-4711|hooks\.example|"Shop"/),
      });
    }
    const own = await connect(victim.token);
    const { text } = await use(own, 'explain_message', { message_id: victim.messageId });
    expect(JSON.parse(text).deliveries).toHaveLength(2);
  });

  it('are not taken for those of a client that sends their header, whatever is in it', async () => {
    // As long as the secret in characters, and longer in bytes.
    for (const forged of ['\u00e9'.repeat(43), `${'x'.repeat(43)} 203.0.113.9 https`]) {
      const reply = await api().admin('get', '/admin/v1/tenants').set('X-Postrider-Own-Call', forged);
      expect(reply.status).toBe(200);
    }
  });

  it('show addresses masked and no payloads without messages:content', async () => {
    const scopes = ['events:write', 'messages:read'];
    const { token, messageId } = await aTenant(scopes);
    const client = await connect(token);
    for (const result of [
      await use(client, 'explain_message', { message_id: messageId }),
      await use(client, 'find_messages', { text: messageId }),
      await use(client, 'find_messages'),
    ]) {
      expect(result.isError).toBe(false);
      expect(result.text).not.toMatch(/ada@|Lovelace|4711/);
    }
  });

  it('say in a sentence what happened to a message', async () => {
    const { token, messageId } = await aTenant();
    const { text } = await use(await connect(token), 'explain_message', { message_id: messageId });
    expect(JSON.parse(text)).toMatchObject({
      summary: expect.stringMatching(/\.$/),
      message: { message_id: messageId, payload: { order: 'A-4711' } },
    });
  });

  it('bound their results, and say what is cut off', async () => {
    const { token } = await aTenant();
    const payload = { lines: Array.from({ length: 3_000 }, (_, line) => `line ${line} of the order`) };
    const sent = (await api().postEvent(token, anEvent({ payload })).expect(201)).body;
    const { text } = await use(await connect(token), 'explain_message', { message_id: sent.message_id });
    expect(text.length).toBeLessThan(33_000);
    expect(text).toMatch(/cut off: the result is \d+ characters long/);
  });

  it('start a bulk replay only of as many messages as were counted', async () => {
    const { token } = await aTenant();
    await api().postEvent(token, anEvent()).expect(201);
    const client = await connect(token);
    expect(JSON.parse((await use(client, 'start_replay', { expected: 1 })).text)).toMatchObject({
      started: false,
      matched: 2,
    });
    expect(JSON.parse((await use(client, 'start_replay', { expected: 2 })).text)).toMatchObject({
      status: 'pending',
    });
  });

  it('each refuse an argument that they do not have, so that a misspelt filter does not widen what is found or replayed', async () => {
    const { token, messageId } = await aTenant();
    const client = await connect(token);
    const { channelId } = await idsOf(client);
    const args = argumentsOf(messageId, channelId);
    for (const name of [...READ, ...WRITE]) {
      const { text, isError } = await use(client, name, { ...args[name], recipientEmail: 'ada@example.com' });
      expect({ name, text, isError }).toEqual({
        name,
        text: expect.stringContaining('recipientEmail'),
        isError: true,
      });
    }
  });

  it('refuse arguments that do not fit, in words', async () => {
    const { token } = await aTenant();
    const { text, isError } = await use(await connect(token), 'find_messages', { limit: 1_000 });
    expect({ text, isError }).toEqual({ text: expect.stringContaining('limit'), isError: true });
  });
});

describe('/mcp', () => {
  const initialize = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const post = (body: unknown, authorization?: string) => {
    const request = supertest(api().url).post('/mcp').set('Accept', 'application/json, text/event-stream');
    if (authorization) request.set('Authorization', authorization);
    return request.send(body as object);
  };

  it('needs the token of an environment', async () => {
    await post(initialize).expect(401).expect('WWW-Authenticate', 'Bearer');
    await post(initialize, 'Bearer pr_unknown').expect(401);
  });

  it('is closed to the tokens of consumers', async () => {
    const { admin, call } = await aTenant();
    await call('put', 'consumers/org_42', { name: 'Acme' }).expect(200);
    const token = { name: 'portal', consumer: 'org_42', scopes: ['messages:read'] };
    const issued = await api().admin('post', `${admin}/tokens`, token).expect(201);
    await post(initialize, `Bearer ${issued.body.token}`).expect(403);
  });

  it('takes one message in a request, so that a request is one call', async () => {
    const { token } = await aTenant();
    const { body } = await post([initialize, initialize], `Bearer ${token}`).expect(422);
    expect(body.error.message).toBe('Send one JSON-RPC message in a request, not an array.');
  });

  it('has no stream and no sessions', async () => {
    await supertest(api().url).get('/mcp').expect(405);
    await supertest(api().url).delete('/mcp').expect(405);
  });
});
