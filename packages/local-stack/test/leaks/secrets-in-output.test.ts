import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '@postrider/db/testing';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { type RedisServer, startRedis } from '../../src/redis/start.ts';
import { type App, createService, type Service } from '../../src/testing/service-process.ts';
import { findMarks, type Mark } from './marks.ts';
import { startEcho, startRefusingMail } from './receivers.ts';

const mark = (name: string) => `marked-${name}-${randomBytes(12).toString('hex')}`;
const key = () => randomBytes(32).toString('base64');

const secrets = {
  adminToken: mark('admin-token'),
  smtpPassword: mark('smtp'),
  databasePassword: mark('database'),
  currentKey: key(),
  olderKey: key(),
};
const marks: Mark[] = Object.entries(secrets).map(([name, secret]) => ({ name, secret }));

const log: string[] = [];
const answers: string[] = [];
const ROLE = `leak_${randomBytes(6).toString('hex')}`;

let database: TestDatabase;
let redis: RedisServer;
let echo: Awaited<ReturnType<typeof startEcho>>;
let mail: Awaited<ReturnType<typeof startRefusingMail>>;
let api: Service;
let worker: Service;

function environment(): Record<string, string> {
  const url = new URL(database.url);
  url.username = ROLE;
  url.password = secrets.databasePassword;
  return {
    DATABASE_URL: url.href,
    REDIS_URL: redis.url,
    ADMIN_TOKEN: secrets.adminToken,
    ENCRYPTION_KEYS: `new:${secrets.currentKey},old:${secrets.olderKey}`,
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
  };
}

/** A process with the most detailed log level; each line of its output is added to `lines`. */
const talkative = (app: App, env: Record<string, string>, lines: string[]): Promise<Service> =>
  createService({
    app,
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', LOG_LEVEL: 'debug', ...env },
    onLine: (line) => lines.push(line),
  });

beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.$executeRawUnsafe(
    `CREATE ROLE ${ROLE} LOGIN SUPERUSER PASSWORD '${secrets.databasePassword}'`,
  );
  [redis, echo, mail] = await Promise.all([startRedis(), startEcho(), startRefusingMail()]);
  marks.push({ name: 'redisPassword', secret: redis.password });
  [api, worker] = await Promise.all([
    talkative('api', environment(), log),
    talkative('worker', environment(), log),
  ]);
  await Promise.all([api.start(), worker.start()]);
});

afterAll(async () => {
  await Promise.all([api?.kill(), worker?.kill()]);
  await Promise.all([redis?.stop(), echo?.close(), mail?.close()]);
  await database.db.$executeRawUnsafe(`DROP ROLE IF EXISTS ${ROLE}`);
  await database.drop();
});

interface Sent {
  readonly token?: string;
  readonly body?: unknown;
  /** Whether the answer may show a secret, as creations and rotations do once. */
  readonly showsSecret?: boolean;
}

async function send(method: string, path: string, sent: Sent = {}) {
  const response = await fetch(api.url + path, {
    method,
    headers: {
      Authorization: `Bearer ${sent.token ?? secrets.adminToken}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': randomUUID(),
    },
    ...(sent.body === undefined
      ? {}
      : { body: typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body) }),
  });
  const text = await response.text();
  if (!sent.showsSecret) answers.push(`${method} ${path} ${response.status} ${text}`);
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
}

/** Creates a resource and marks the secret that its answer shows. */
async function make(path: string, body: unknown, secretField?: 'token' | 'secret') {
  const made = await send('POST', path, { body, showsSecret: secretField !== undefined });
  expect([path, made.status]).toEqual([path, path.includes('rotate') ? 200 : 201]);
  const secret = secretField && made.body[secretField];
  if (secret)
    marks.push({ name: `${secretField} of ${path}`, secret: String(secret).replace(/^whsec_/, '') });
  return made.body;
}

const RETRY = { max_attempts: 2, delays_seconds: [0.1] };

async function setUp() {
  const plan = await make('/admin/v1/plans', { code: 'leaks', name: 'Leaks' });
  const tenant = await make('/admin/v1/tenants', { name: 'Leaks', plan: plan.code });
  const environment = await make(`/admin/v1/tenants/${tenant.id}/environments`, { name: 'leaks' });
  const base = `/admin/v1/environments/${environment.id}`;
  const token = await make(`${base}/tokens`, { name: 'leaks' }, 'token');
  const webhook = (name: string) => ({
    kind: 'webhook',
    name,
    config: { url: `http://127.0.0.1:${echo.port}/${name}` },
    retry: RETRY,
  });
  const good = await make(`${base}/channels`, webhook('ok'), 'secret');
  await make(`${base}/channels`, webhook('failing'), 'secret');
  const broken = await make(`${base}/channels`, webhook('broken'), 'secret');
  const email = await make(`${base}/channels`, {
    kind: 'email',
    name: 'mail',
    config: {
      smtp: {
        host: '127.0.0.1',
        port: mail.port,
        secure: false,
        username: 'shop',
        password: secrets.smtpPassword,
      },
      from: { email: 'shop@example.com' },
    },
    retry: RETRY,
  });
  await make(`${base}/templates`, {
    event_key: 'order.shipped',
    channel_kind: 'email',
    subject: 'Shipped',
    html: '<p>Shipped</p>',
    activate: true,
  });
  await make(`/admin/v1/channels/${good.id}/rotate-secret`, {}, 'secret');
  await database.db.$executeRaw`
    UPDATE channels SET sealed_secret = 'v1.lost.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAA'
     WHERE name = 'broken'`;
  const rotated = await make(`/admin/v1/tokens/${token.id}/rotate`, { overlap_seconds: 3_600 }, 'token');
  return { base, token, rotated, good, broken, email };
}

/** Sends requests that fail, each with a secret in it. */
async function provoke({ base, rotated, good, email }: Awaited<ReturnType<typeof setUp>>): Promise<void> {
  const config = {
    smtp: { host: '127.0.0.1', port: mail.port, password: secrets.smtpPassword, secure: 'no' },
    from: { email: 'nobody' },
  };
  const password = { config: { smtp: { password: secrets.smtpPassword, username: null } } };
  const { token } = rotated;
  await send('POST', `${base}/channels`, { body: { kind: 'email', name: 'x', config } });
  await send('POST', `${base}/channels`, { body: `{"config": {"password": "${secrets.smtpPassword}"` });
  await send('POST', `${base}/tokens`, { body: { name: 7 } });
  await send('PATCH', `/admin/v1/channels/${email.id}`, { body: password });
  await send('PATCH', `/admin/v1/channels/${email.id}`, {
    body: { config: { smtp: { password: secrets.smtpPassword } } },
  });
  await send('GET', `/admin/v1/channels/${good.id}?${secrets.smtpPassword.slice(0, 3)}=1`);
  await send('GET', '/admin/v1/plans', { token });
  await send('GET', '/admin/v1/plans', { token: `${secrets.adminToken}x` });
  await send('GET', '/api/v1/messages', { token: secrets.adminToken });
  await send('GET', '/api/v1/messages', { token: `${token.slice(0, -1)}_` });
  await send('POST', '/api/v1/events', { token, body: '{' });
  await send('DELETE', '/nowhere', { token });
}

/** Sends events, waits until every run has ended, and reads everything that the API shows about them. */
async function deliver({
  base,
  token,
  rotated,
  good,
  email,
}: Awaited<ReturnType<typeof setUp>>): Promise<void> {
  const body = { event_key: 'order.shipped', recipient: { email: 'ada@example.com' }, payload: {} };
  for (const { token: secret } of [token, rotated]) {
    const accepted = await send('POST', '/api/v1/events', { token: secret, body });
    expect(accepted.status).toBe(201);
    while ((await database.db.deliveryRun.count({ where: { completedAt: null } })) > 0) await wait(50);
    await send('GET', `/api/v1/messages/${accepted.body.message_id}/deliveries`, { token: secret });
  }
  for (const channel of [good, email]) {
    await send('POST', `/admin/v1/channels/${channel.id}/test`, { body: {} });
    await send('GET', `/admin/v1/channels/${channel.id}`);
  }
  const paths = ['/tokens', '/channels', '/templates', ''].map((path) => `${base}${path}`);
  const installation = ['audit-log?limit=100', 'secrets', 'tenants', 'plans'].map(
    (path) => `/admin/v1/${path}`,
  );
  for (const path of [...paths, ...installation]) expect((await send('GET', path)).status).toBe(200);
  await send('POST', '/admin/v1/secrets/reencrypt', { body: {} });
  await send('DELETE', `/admin/v1/tokens/${token.id}`);
  await send('DELETE', `/admin/v1/channels/${good.id}`);
}

/** Stops Redis and then Postgres, because drivers then report how they connect. */
async function breakDown(token: string): Promise<void> {
  const body = { event_key: 'order.shipped', recipient: { email: 'ada@example.com' }, payload: {} };
  await redis.stop();
  await send('POST', '/api/v1/events', { token, body });
  await database.db.$executeRawUnsafe(`ALTER ROLE ${ROLE} PASSWORD 'another' NOLOGIN`);
  await database.db
    .$executeRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ${ROLE}`;
  const lines = log.length;
  const isOutage = (line: string) =>
    line.includes('"service":"worker"') && line.includes('PostgreSQL cannot be used');
  while (!log.slice(lines).some(isOutage)) await wait(50);
  await send('GET', '/admin/v1/plans');
  await send('POST', '/api/v1/events', { token, body });
}

/** The output of processes that cannot start because a secret is invalid. */
async function failToStart(): Promise<string[]> {
  const lines: string[] = [];
  const invalid = {
    DATABASE_URL: `mysql://user:${secrets.databasePassword}@127.0.0.1/x`,
    REDIS_URL: `http://:${redis.password}@127.0.0.1`,
    ADMIN_TOKEN: `${secrets.adminToken} and a space`,
    ENCRYPTION_KEYS: `${secrets.currentKey},old:${secrets.olderKey}AAAA`,
  };
  for (const app of ['api', 'worker'] as const) {
    const service = await talkative(app, invalid, lines);
    await expect(service.start()).rejects.toThrow('ended with 1');
  }
  return lines;
}

async function rowsOf(table: string): Promise<string[]> {
  const rows = await database.db.$queryRawUnsafe<{ row: string }[]>(`SELECT t::text AS row FROM ${table} t`);
  return rows.map(({ row }) => row);
}

describe('the output of the service', () => {
  it('contains no secret in responses, log lines, metrics and rows, in success and failure', async () => {
    const made = await setUp();
    await provoke(made);
    await deliver(made);
    const metrics = await Promise.all(
      [api, worker].map(async ({ metricsUrl }) => (await fetch(metricsUrl)).text()),
    );
    const [auditRows, attemptRows, channelRows, tokenRows] = await Promise.all(
      ['audit_log', 'attempts', 'channels', 'tokens'].map(rowsOf),
    );
    await breakDown(made.rotated.token);
    const issues = await failToStart();

    expect(Math.min(log.length, answers.length)).toBeGreaterThan(30);
    expect(attemptRows?.join()).toContain('smtp_');
    expect(issues.join()).toContain('ENCRYPTION_KEYS');
    const places = { answers, log, metrics, auditRows, attemptRows, channelRows, tokenRows, issues };
    expect(findMarks(marks, places as Record<string, string[]>)).toEqual([]);
  }, 180_000);

  it('is searched for secrets in each of their forms', () => {
    const secret = 'p/w "with" everything';
    const base64 = Buffer.from(secret).toString('base64');
    const texts = [secret, JSON.stringify({ secret }), encodeURIComponent(secret), base64];
    expect(findMarks([{ name: 'it', secret }], { here: texts })).toHaveLength(4);
  });
});
