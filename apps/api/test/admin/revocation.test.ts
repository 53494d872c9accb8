import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { testRedisUrl } from '@postrider/db/testing';
import { formatId } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { ADMIN_TOKEN } from '../support/api.ts';
import { type Browser, openBrowser, signIn } from '../support/console.ts';
import { useApi } from '../support/database.ts';
import { type ApiProcess, startApiProcess } from '../support/process.ts';
import { until } from '../support/waiting.ts';

/** docs/specification.md, "Operators, their tokens and roles": when every process refuses. */
const PROMISED_MS = 1_000;
/** Requests of a caller at each process at a time. */
const AT_ONCE = 4;

type Headers = Readonly<Record<string, string>>;

/** Someone whose access ends: the headers of their requests, what ends it, and the statuses before and after. */
interface Caller {
  readonly headers: Headers;
  readonly path: string;
  readonly end: () => Promise<unknown>;
  readonly refused: number;
}

const world = useApi();
let processes: readonly ApiProcess[] = [];
beforeAll(async () => {
  const start = () =>
    startApiProcess({
      databaseUrl: world.url(),
      redisUrl: testRedisUrl(),
      environment: { ADMIN_TOKEN },
    });
  processes = await Promise.all([start(), start()]);
});
afterAll(async () => {
  for (const { child, exited } of processes) {
    child.kill('SIGKILL');
    await exited;
  }
});

/** Changes something at the first process. */
async function change(method: 'post' | 'patch' | 'delete', path: string, body: object = {}) {
  const request = supertest(processes[0]?.url ?? '')
    [method](`/admin/v1/${path}`)
    .set('Authorization', `Bearer ${ADMIN_TOKEN}`);
  const response = await request.send(body);
  expect([200, 201, 204]).toContain(response.status);
  return response.body;
}

const bearer = (token: string): Headers => ({ Authorization: `Bearer ${token}` });
const inBrowser = ({ cookie }: Pick<Browser, 'cookie'>): Headers => ({
  Cookie: cookie,
  'Sec-Fetch-Site': 'same-origin',
});

let roles = 0;
async function ownRole() {
  roles += 1;
  return change('post', 'roles', { code: `own-${roles}`, name: 'Own', scopes: ['messages:read'] });
}

/** An operator with a role of their own, signed in at the second process. */
async function operator() {
  const { code } = await ownRole();
  const { id } = await change('post', 'operators', { email: `${code}@example.com`, name: 'Ada', role: code });
  const link = await change('post', 'console-links', { operator_id: id });
  const [, secret] = link.url_fragment.split('=');
  const response = await signIn({ url: processes[1]?.url ?? '' }, { link: secret }).expect(201);
  const cookie = String(response.headers['set-cookie']).split(';', 1)[0] ?? '';
  return { id, code, headers: inBrowser({ cookie }), sessionId: response.body.id };
}

const supportPath = (environmentId: string) => `/admin/v1/environments/${formatId('env', environmentId)}`;

type Environment = Awaited<ReturnType<typeof world.environment>>;

const CALLERS: Readonly<Record<string, (environment: Environment) => Promise<Caller>>> = {
  'a role loses the scope': async ({ environmentId }) => {
    const { code } = await ownRole();
    const { token } = await change('post', 'operator-tokens', { name: 'watcher', role: code });
    return {
      headers: bearer(token),
      path: supportPath(environmentId),
      end: () => change('patch', `roles/${code}`, { scopes: ['usage:read'] }),
      refused: 403,
    };
  },
  "an operator's role loses the scope, in a session": async ({ environmentId }) => {
    const { code, headers } = await operator();
    return {
      headers,
      path: supportPath(environmentId),
      end: () => change('patch', `roles/${code}`, { scopes: ['usage:read'] }),
      refused: 403,
    };
  },
  'an operator is disabled': async ({ environmentId }) => {
    const { id, headers } = await operator();
    return {
      headers,
      path: supportPath(environmentId),
      end: () => change('patch', `operators/${id}`, { enabled: false }),
      refused: 401,
    };
  },
  'the token of a machine is revoked': async ({ environmentId }) => {
    const body = await change('post', 'operator-tokens', { name: 'watcher', role: 'viewer' });
    return {
      headers: bearer(body.token),
      path: supportPath(environmentId),
      end: () => change('delete', `operator-tokens/${body.id}`),
      refused: 401,
    };
  },
  "an operator's session is ended": async ({ environmentId }) => {
    const { sessionId, headers } = await operator();
    return {
      headers,
      path: supportPath(environmentId),
      end: () => change('delete', `console-sessions/${sessionId}`),
      refused: 401,
    };
  },
  'a session of the admin token is ended': async ({ environmentId }) => {
    const browser = await openBrowser({ url: processes[1]?.url ?? '' });
    return {
      headers: inBrowser(browser),
      path: supportPath(environmentId),
      end: () => change('delete', `console-sessions/${browser.session.id}`),
      refused: 401,
    };
  },
  'the token of an environment is revoked': async ({ token, tokenId }) => ({
    headers: bearer(token),
    path: '/api/v1',
    end: () => change('delete', `tokens/${formatId('tok', tokenId)}`),
    refused: 401,
  }),
  'the token of a session in the console is revoked': async ({ token, tokenId }) => ({
    headers: inBrowser(await openBrowser({ url: processes[1]?.url ?? '' }, token)),
    path: '/api/v1',
    end: () => change('delete', `tokens/${formatId('tok', tokenId)}`),
    refused: 401,
  }),
};

/** Sends requests without a pause until it is stopped, and keeps when each began and how it was answered. */
function keepAsking(url: string, headers: Headers) {
  const answers: { readonly at: number; readonly status: number }[] = [];
  let isStopped = false;
  const ask = async () => {
    while (!isStopped) {
      const at = performance.now();
      const response = await fetch(url, { headers });
      await response.arrayBuffer();
      answers.push({ at, status: response.status });
    }
  };
  const done = Promise.all(Array.from({ length: AT_ONCE }, ask));
  return {
    answers,
    stop: () => {
      isStopped = true;
      return done;
    },
  };
}

/** Opens a stream. `endedAt` is when the process ended it. */
async function follow(url: string, headers: Headers) {
  const response = await fetch(url, { headers });
  expect(response.status).toBe(200);
  const aborted = () => Number.POSITIVE_INFINITY;
  return { endedAt: response.text().then(() => performance.now(), aborted) };
}

describe('within a second every process refuses, and ends the streams, when', () => {
  it.each(Object.keys(CALLERS))('%s', async (what) => {
    const caller = await CALLERS[what]?.(await world.environment());
    if (!caller) throw new Error('unknown caller');
    const { headers, path, end, refused } = caller;
    const streams = await Promise.all(processes.map(({ url }) => follow(`${url}${path}/stream`, headers)));
    const asking = processes.map(({ url }) => keepAsking(`${url}${path}/messages`, headers));
    await until(() => asking.every(({ answers }) => answers.length > 2 * AT_ONCE));
    await end();
    const promisedAt = performance.now() + PROMISED_MS;
    await until(() => asking.every(({ answers }) => answers.some(({ at }) => at > promisedAt)));
    await Promise.all(asking.map(({ stop }) => stop()));
    for (const { answers } of asking) {
      expect(answers[0]?.status).toBe(200);
      const late = answers.filter(({ at }) => at > promisedAt).map(({ status }) => status);
      expect(new Set(late)).toEqual(new Set([refused]));
    }
    for (const { endedAt } of streams) expect(await endedAt).toBeLessThan(promisedAt);
  });
});

/** A request whose caller loses access while its body arrives. */
interface Late {
  readonly path: string;
  readonly token: string;
  readonly body: object;
}

/** Sends all of a request but the end of its body, and that when it is asked to. Returns the status and error code of the answer. */
async function beginSlowly({ path, token, body }: Late) {
  const request = httpRequest(`${processes[1]?.url}${path}`, {
    method: 'POST',
    headers: { ...bearer(token), 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
  });
  const answer = once(request, 'response');
  const text = JSON.stringify(body);
  await new Promise((resolve) => request.write(text.slice(0, 1), resolve));
  return async () => {
    request.end(text.slice(1));
    const [response] = (await answer) as [IncomingMessage];
    const { error } = (await json(response)) as { readonly error?: { readonly code: string } };
    return [response.statusCode, error?.code];
  };
}

async function administrator(): Promise<{ readonly path: string; readonly token: string }> {
  const { environmentId } = await world.environment();
  const body = { email: `${environmentId}@example.com`, name: 'Ada', role: 'admin' };
  const { id } = await change('post', 'operators', body);
  const { token } = await change('post', 'operator-tokens', { name: 'own', operator_id: id });
  return { path: `operators/${id}`, token };
}

const EVENT = { event_key: 'order.shipped', recipient: { email: 'ada@example.com' }, payload: {} };

/**
 * A token and two operators of its environment, and the changes that end their access, in this order: the token is revoked, the
 * first operator disabled, and the second bound to another environment.
 */
async function callersThatLoseAccess() {
  const { token, tokenId, environmentId } = await world.environment();
  const [disabled, narrowed, other] = [
    await administrator(),
    await administrator(),
    await world.environment(),
  ];
  const environments = [formatId('env', other.environmentId)];
  return {
    environmentId,
    token,
    disabled: disabled.token,
    narrowed: narrowed.token,
    losses: [
      () => change('delete', `tokens/${formatId('tok', tokenId)}`),
      () => change('patch', disabled.path, { enabled: false }),
      () => change('patch', narrowed.path, { environments }),
    ],
  };
}

const promised = async () => {
  const promisedAt = performance.now() + PROMISED_MS;
  await until(() => performance.now() > promisedAt);
};

describe('a request whose body ends a second after its caller lost access', () => {
  const tokensPath = (id: string) => `/admin/v1/environments/${formatId('env', id)}/tokens`;

  it('is refused', async () => {
    const { environmentId, token, disabled, narrowed, losses } = await callersThatLoseAccess();
    const late: readonly Late[] = [
      { path: '/api/v1/events', token, body: EVENT },
      { path: tokensPath(environmentId), token: disabled, body: { name: 'kept' } },
      { path: tokensPath(environmentId), token: narrowed, body: { name: 'kept' } },
    ];
    const finish = await Promise.all(late.map(beginSlowly));
    for (const lose of losses) await lose();
    await promised();
    expect(await Promise.all(finish.map((each) => each()))).toEqual([
      [401, 'unauthorized'],
      [401, 'unauthorized'],
      [404, 'environment_not_found'],
    ]);
  });
});

describe('a request whose caller lost access a second ago, while it waited for PostgreSQL to count what it reads', () => {
  const key = randomUUID();

  async function ask({ path, token }: Pick<Late, 'path' | 'token'>, method: 'GET' | 'POST') {
    const headers = { ...bearer(token), ...(method === 'POST' && { 'Idempotency-Key': key }) };
    const response = await fetch(`${processes[1]?.url}${path}`, { method, headers });
    const { error } = (await response.json()) as { readonly error?: { readonly code: string } };
    return [response.status, error?.code];
  }

  it('is refused, also if a response is stored for its key', async () => {
    const { environmentId, token, disabled, narrowed, losses } = await callersThatLoseAccess();
    const { body } = await world.api().postEvent(token, EVENT).expect(201);
    const ofOperator = supportPath(environmentId);
    const replay = `/messages/${body.message_id}/replay`;
    expect(await ask({ path: `/api/v1${replay}`, token }, 'POST')).toEqual([201, undefined]);
    const answers = await world.db().$transaction(async (tx) => {
      await tx.$executeRaw`LOCK TABLE messages, template_parts IN ACCESS EXCLUSIVE MODE`;
      const asked = [
        ask({ path: `/api/v1${replay}`, token }, 'POST'),
        ask({ path: `${ofOperator}${replay}`, token: disabled }, 'POST'),
        ask({ path: `${ofOperator}/configuration`, token: narrowed }, 'GET'),
      ];
      await until(async () => {
        const waiting = await tx.$queryRaw<object[]>`
          SELECT FROM pg_locks WHERE relation IN ('messages'::regclass, 'template_parts'::regclass) AND NOT granted
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
        return waiting.length === asked.length;
      });
      for (const lose of losses) await lose();
      await promised();
      return { asked };
    });
    expect(await Promise.all(answers.asked)).toEqual([
      [401, 'unauthorized'],
      [401, 'unauthorized'],
      [404, 'environment_not_found'],
    ]);
  });
});
