import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { createChannelRegistry, createEmailKind, EMAIL_PROVIDERS, webhookKind } from '@postrider/channels';
import { createTestDatabase, type TestDatabase, testRedisUrl } from '@postrider/db/testing';
import { startHttpReceiver, waitFor } from '@postrider/rig';
import { createLogger } from '@postrider/telemetry';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { httpMailProvider } from '../../../packages/channels/test/own-kind/providers/http-mail.ts';
import { smsKind } from '../../../packages/channels/test/own-kind/sms/index.ts';
import { run } from '../../../packages/cli/src/run.ts';
import { createApp } from '../../api/src/app.ts';
import { type Composed, compose } from '../../api/src/compose.ts';
import { createOpenApiDocument } from '../../api/src/openapi/document.ts';
import { RESOURCES, resourcesOf } from '../../api/src/resources.ts';
import { type ApiServer, startServer } from '../../api/src/server.ts';
import { type RunningWorker, startWorker } from '../src/compose.ts';

/** The kinds of the service, with one more kind and one more provider. */
const kinds = createChannelRegistry([
  webhookKind,
  createEmailKind([...EMAIL_PROVIDERS, httpMailProvider]),
  smsKind,
]);
const ADMIN_TOKEN = 'an-admin-token-for-tests-0123456789';
const KEY = { id: 'test', key: randomBytes(32) };

interface Taken {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: Record<string, unknown>;
}

const taken: Taken[] = [];
let database: TestDatabase;
let gateway: Awaited<ReturnType<typeof startHttpReceiver>>;
let api: Composed;
let server: ApiServer;
let worker: RunningWorker;

beforeAll(async () => {
  database = await createTestDatabase();
  gateway = await startHttpReceiver(({ path, headers, body }, response) => {
    taken.push({ path, authorization: headers.authorization, body: JSON.parse(body) });
    response.writeHead(202).end();
  });
  const logger = createLogger({ service: 'test', level: 'error', write: () => undefined });
  const common = { redisUrl: testRedisUrl(), encryptionKeys: [KEY] };
  api = compose(
    {
      ...common,
      databaseUrl: database.urlFor('postrider_api'),
      corsAllowedOrigins: '*',
      adminToken: ADMIN_TOKEN,
    },
    logger,
    null,
    kinds,
  );
  server = await startServer(createApp(api.deps), { port: 0 });
  worker = await startWorker(
    {
      ...common,
      databaseUrl: database.urlFor('postrider_worker'),
      host: '127.0.0.1',
      port: 0,
      metricsPort: 0,
      egressAllowCidrs: ['127.0.0.0/8'],
      concurrency: 10,
      queueShards: 1,
      webhookClient: 'node',
      egressProxy: null,
      webhookHttpsOnly: false,
      publicUrl: 'https://mail.test',
      logLevel: 'error',
      nodeEnv: 'test',
      otlpEndpoint: null,
      otlpTracesEndpoint: null,
      tracesSampler: 'parentbased_always_on',
      tracesSamplerRatio: 1,
    },
    logger,
    { kinds, keyPrefix: `test-${randomUUID()}` },
  );
});
afterAll(async () => {
  await worker.stop(1_000);
  await server.stop();
  await api.close();
  await gateway.close();
  await database.drop();
});

/** Runs a command line against the API, and returns what it prints. */
async function postrider(args: readonly string[], env: Record<string, string> = {}) {
  let stdout = '';
  let stderr = '';
  const code = await run(
    ['--json', ...args],
    {
      env: { POSTRIDER_URL: `http://127.0.0.1:${server.port}`, ADMIN_TOKEN, ...env },
      stdin: Readable.from([]),
      stdout: {
        write(text) {
          stdout += text;
        },
      },
      stderr: {
        write(text) {
          stderr += text;
        },
      },
      signal: new AbortController().signal,
    },
    kinds,
  );
  if (code !== 0) throw new Error(`postrider ${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout);
}

/** A tenant on a plan with every kind, and one environment with its token. */
async function createEnvironment() {
  const plan = `plan-${randomUUID().slice(0, 8)}`;
  await postrider(['plans', 'create', '--code', plan, '--name', 'All']);
  const tenant = await postrider(['tenants', 'create', '--name', 'Acme', '--plan', plan]);
  const environment = await postrider([
    'environments',
    'create',
    '--tenant',
    tenant.id,
    '--name',
    'development',
  ]);
  const token = await postrider(['tokens', 'create', '--environment', environment.id, '--name', 'test']);
  return { id: environment.id, token: token.token ?? token.secret };
}

async function createChannel(args: readonly string[], env: Record<string, string>) {
  const environment = await createEnvironment();
  const named = ['--environment', environment.id, '--name', 'own'];
  return { environment, channel: await postrider(['channels', ...args, ...named], env) };
}

describe('a kind of channel from a folder of its own', () => {
  it('is set up on the command line, and delivers an event', async () => {
    const { environment, channel } = await createChannel(
      ['create-sms', '--gateway', `${gateway.url}/sms`, '--sender', 'Shop', '--key-from', 'env'],
      { SMS_KEY: 'the-key' },
    );
    const shown = { gateway: `${gateway.url}/sms`, sender: 'Shop' };
    expect(channel).toMatchObject({ kind: 'sms', config: shown, credentials_set: ['key'], secret: null });
    const forEvent = ['--environment', environment.id, '--event-key', 'order.shipped'];
    const template = await postrider([
      'templates',
      'create-sms',
      ...forEvent,
      '--text',
      'Order {{ payload.id }} is on its way, {{ recipient.name }}',
    ]);
    const payload = '{"id":"A-1"}';
    const preview = await postrider(['templates', 'preview', template.id, '--payload', payload]);
    expect(preview.rendered).toEqual({ text: 'Order A-1 is on its way, Ada Lovelace' });

    const send = (recipient: object) =>
      fetch(`http://127.0.0.1:${server.port}/api/v1/events`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${environment.token}`,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        body: JSON.stringify({ event_key: 'order.shipped', recipient, payload: { id: 'A-1' } }),
      });
    const refused = await send({ name: 'Ada' });
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { error: { details: [{ path: '/recipient/phone', code: 'required' }] } },
    ]);
    expect((await send({ name: 'Ada', phone: '+4912345' })).status).toBe(201);
    await waitFor('the text message', () => taken.some(({ path }) => path === '/sms'));
    expect(taken.find(({ path }) => path === '/sms')).toEqual({
      path: '/sms',
      authorization: 'Bearer the-key',
      body: { to: '+4912345', text: 'Order A-1 is on its way, Ada' },
    });
    const found = ['messages', 'search', '--environment', environment.id, '--channel-kind', 'sms'];
    await waitFor('the run to succeed', async () => {
      const { data } = await postrider([...found, '--run-status', 'succeeded']);
      return data.length === 1;
    });
  });

  it('is in the OpenAPI document', () => {
    const text = JSON.stringify(createOpenApiDocument(resourcesOf(kinds)));
    for (const part of ['SmsChannel', 'sms_rejected', '"enum":["email","sms","webhook"]']) {
      expect(text).toContain(part);
    }
    expect(JSON.stringify(createOpenApiDocument(RESOURCES))).not.toContain('sms');
  });
});

describe('an email provider from a file of its own', () => {
  it('is set up on the command line, and sends a mail', async () => {
    const { channel } = await createChannel(
      [
        'create-email',
        '--mail-endpoint',
        `${gateway.url}/mail`,
        '--mail-token-from',
        'env',
        '--from-email',
        'shop@example.com',
      ],
      { MAIL_TOKEN: 'the-token' },
    );
    expect(channel).toMatchObject({
      kind: 'email',
      config: { http_mail: { endpoint: `${gateway.url}/mail` } },
      credentials_set: ['senders/http_mail/token'],
    });
    await postrider(['channels', 'test', channel.id, '--to', 'ada@example.com']);
    await waitFor('the mail', () => taken.some(({ path }) => path === '/mail'));
    expect(taken.find(({ path }) => path === '/mail')).toMatchObject({
      authorization: 'Bearer the-token',
      body: { from: { email: 'shop@example.com' }, to: { email: 'ada@example.com' } },
    });
  });
});
